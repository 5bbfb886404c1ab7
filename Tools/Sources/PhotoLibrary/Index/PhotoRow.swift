import CropImaging
import Foundation
import GRDB

/// What the index keeps of a file.
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
  /// What a saved crop says of itself.
  var provenance: Provenance?

  /// Milliseconds since 1970 by which lists are sorted: when the picture was taken, else written. A
  /// saved crop is as new as its file, whatever it was cut from.
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

  /// Where the columns come from.
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
  /// A column of bytes; none where it is null.
  func bytes(_ column: Int) -> [UInt8] {
    [UInt8](self[column] as Data? ?? Data())
  }
}

extension PathBytes {
  /// As the index stores it.
  var stored: Data { Data(bytes) }
}
