import CropCore
import FoundationEssentials
import Glibc
import PhotoLibrary

/// A photo in the API.
struct PhotoJSON: Encodable {
  let id: String
  let name: String
  let format: String?
  let width: Int
  let height: Int
  let bytes: Int64
  let captured: String?
  let modified: String
  let version: String
  let problem: ProblemJSON?
  let cropOf: String?
  let album: String

  init(_ photo: Photo) {
    id = photo.id.text
    name = photo.name.withoutDirectionControls
    format = photo.format?.rawValue
    width = photo.problem == nil ? photo.width : 0
    height = photo.problem == nil ? photo.height : 0
    bytes = photo.stamp.size
    captured = photo.captured.map { captured in
      Moment.text(seconds: captured.clock) + (captured.offset.map(Moment.zone) ?? "")
    }
    modified = Moment.text(seconds: Int(photo.stamp.modified / 1_000_000_000)) + "Z"
    version = photo.stamp.version
    problem = photo.problem.map {
      ProblemJSON(code: $0.code, message: $0.message.withoutDirectionControls)
    }
    cropOf = photo.source?.text
    album = photo.album
  }

  struct ProblemJSON: Encodable {
    let code: String
    let message: String
  }
}

/// A photo in the trash, in the API.
struct RemovedJSON: Encodable {
  let id: String
  let name: String
  let removed: String

  init(_ photo: RemovedPhoto) {
    id = photo.id.text
    name = photo.name.withoutDirectionControls
    removed = Moment.text(seconds: photo.time) + "Z"
  }
}

/// An album in the API.
struct AlbumJSON: Encodable {
  let id: String
  let name: String
  let kind: String
  let count: Int
  let cover: String?

  init(_ album: Album) {
    id = album.id
    name = album.name.withoutDirectionControls
    kind = album.kind.rawValue
    count = album.count
    cover = album.cover?.text
  }
}

/// The list of albums.
struct AlbumsJSON: Encodable {
  let albums: [AlbumJSON]
  let indexing: ProgressJSON?
  let folder: String
}

/// The progress of a scan.
struct ProgressJSON: Encodable {
  let done: Int
  let total: Int

  init(_ progress: IndexingProgress) {
    done = progress.done
    total = progress.total
  }
}

/// A page of a list.
struct PageJSON: Encodable {
  let photos: [PhotoJSON]
  /// The cursor of the next page; null on the last one, never omitted.
  let next: String?

  private enum Key: CodingKey {
    case photos, next
  }

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(photos, forKey: .photos)
    try fields.encode(next, forKey: .next)
  }
}

/// ISO 8601 without the cost of locales: a page contains a thousand of them.
enum Moment {
  /// `2024-05-31T17:08:09` for seconds since 1970.
  static func text(seconds: Int) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    let date = [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map(padded)
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(padded)
    return date.joined(separator: "-") + "T" + clock.joined(separator: ":")
  }

  /// `+02:00`.
  static func zone(minutes: Int) -> String {
    let (hours, rest) = abs(minutes).quotientAndRemainder(dividingBy: 60)
    return (minutes < 0 ? "-" : "+") + padded(Int32(hours)) + ":" + padded(Int32(rest))
  }

  private static func padded(_ number: Int32) -> String { (number < 10 ? "0" : "") + "\(number)" }
}

/// A photo with all known details, in the API.
struct DetailsJSON: Encodable {
  private let details: PhotoDetails

  init(_ details: PhotoDetails) {
    self.details = details
  }

  private enum Key: String, CodingKey {
    case crops, source, recipe, canvas, mark, canRestore, targets
  }

  func encode(to encoder: any Encoder) throws {
    try PhotoJSON(details.photo).encode(to: encoder)
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(details.crops.map(PhotoJSON.init), forKey: .crops)
    try fields.encode(details.source.map(PhotoJSON.init), forKey: .source)
    try fields.encode(details.recipe, forKey: .recipe)
    try fields.encode(details.canvas, forKey: .canvas)
    try fields.encode(details.mark, forKey: .mark)
    try fields.encode(details.canRestore, forKey: .canRestore)
    try fields.encode(details.targetCount, forKey: .targets)
  }
}
