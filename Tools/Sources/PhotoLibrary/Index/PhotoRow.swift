import CropImaging
import FoundationEssentials
import Glibc

/// The data of a file in the index.
struct PhotoRow: Sendable {
  /// Whether a file is listed, and how.
  enum Kind: Int, Sendable {
    case picture, broken, other
  }

  var place: PhotoPlace
  var stamp: FileStamp
  var kind: Kind
  var format: ImageFormat?
  var width = 0
  var height = 0
  var captured: CaptureMoment?
  var problem: PhotoProblem?
  /// The provenance that a saved crop contains.
  var provenance: Provenance?

  /// The sort key of lists, in milliseconds since 1970: when the photo was taken, or else when the
  /// file was written. For a saved crop it is when the file was written.
  var position: Int64 {
    guard let captured, provenance == nil else { return stamp.modified / 1_000_000 }
    var seconds = captured.clock
    if let offset = captured.offset {
      seconds -= offset * 60
    } else {
      // The offset of this machine at that time of the clock.
      var (clock, local) = (time_t(seconds), tm())
      localtime_r(&clock, &local)
      seconds -= local.tm_gmtoff
    }
    return Int64(seconds) * 1000
  }
}

extension Photo {
  /// The columns that ``init(_:)`` reads, of `photo`, its `folder` and its `crop`.
  static let columns = """
    photo.id, folder.path, photo.name, photo.size, photo.modified, photo.inode, photo.format,
    photo.width, photo.height, photo.clock, photo.clockOffset, photo.problem, photo.message,
    photo.position, crop.source
    """

  /// The tables that the columns come from.
  static let tables = """
    photo JOIN folder ON folder.id = photo.folder LEFT JOIN crop ON crop.photo = photo.id
    """

  init(_ row: SQLRow) throws(DatabaseError) {
    id = try row[0]
    place = PhotoPlace(folder: try row[1], name: try row[2])
    stamp = FileStamp(size: try row[3], modified: try row[4], inode: try row[5])
    format = (try row[6] as String?).flatMap(ImageFormat.init(rawValue:))
    width = try row[7]
    height = try row[8]
    let offset: Int? = try row[10]
    captured = (try row[9] as Int?).map { CaptureMoment(clock: $0, offset: offset) }
    let message: String? = try row[12]
    problem = (try row[11] as String?).map { PhotoProblem(code: $0, message: message ?? "") }
    order = try row[13]
    source = try row[14]
  }
}

extension PathBytes: SQLConvertible {
  var sqlValue: SQLValue { .blob(bytes) }

  init?(_ value: SQLValue) {
    guard case .blob(let bytes) = value else { return nil }
    self.init(bytes)
  }
}

extension LibraryID: SQLConvertible {
  var sqlValue: SQLValue { .integer(number) }

  init?(_ value: SQLValue) {
    guard case .integer(let number) = value else { return nil }
    self.init(number)
  }
}
