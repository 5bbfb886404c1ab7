import CropImaging
import Foundation
import GRDB

/// The data of a file in the index.
struct PhotoRow: Sendable {
  /// Whether a file is listed, and how.
  enum Kind: Int, Sendable {
    case picture, broken, other
  }

  var place: PhotoPlace
  var stamp: FileStamp
  var kind: Kind
  var format: PictureFormat?
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
      seconds -= TimeZone.current.secondsFromGMT(
        for: Date(timeIntervalSince1970: TimeInterval(seconds)))
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

  init(_ row: Row) {
    id = LibraryID(row[0])
    place = PhotoPlace(folder: PathBytes(row.bytes(1)), name: PathBytes(row.bytes(2)))
    stamp = FileStamp(size: row[3], modified: row[4], inode: row[5])
    format = (row[6] as String?).flatMap(PictureFormat.init(rawValue:))
    width = row[7]
    height = row[8]
    captured = (row[9] as Int?).map { CaptureMoment(clock: $0, offset: row[10]) }
    problem = (row[11] as String?).map { PhotoProblem(code: $0, message: row[12] ?? "") }
    order = row[13]
    source = (row[14] as Int64?).map { LibraryID($0) }
  }
}

extension Row {
  /// A column of bytes; empty if it is null.
  func bytes(_ column: Int) -> [UInt8] {
    [UInt8](self[column] as Data? ?? Data())
  }
}

extension PathBytes {
  /// The form in the index.
  var stored: Data { Data(bytes) }
}
