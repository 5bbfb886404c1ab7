import CropImaging
import FoundationEssentials
import Glibc
import Hummingbird

// The API's requests and responses.
extension WebDAV {
  /// A file at a path.
  struct Found {
    let tag: String?
    let modified: Int?
    /// Its length in bytes; nil if the server does not report it.
    let count: Int?
  }

  /// The statuses of a successful change.
  static let done = [200, 201, 204]
  /// The maximum number of names to try.
  static let mostNames = 100

  static var noName: Problem {
    Problem(.conflict, code: "gallery-names", "there are too many crops beside this photo")
  }

  /// Whether equal tags mean equal bytes (RFC 9110, 8.8.1).
  static func isStrong(_ tag: String?) -> Bool { tag?.hasPrefix("\"") == true }

  static func address(_ path: [String]) -> String {
    path.map { "/" + $0.percentEncoded }.joined()
  }

  func refusal(_ answer: GalleryResponse, _ what: String) -> Problem {
    client.refusal(answer, right: "the right of \(what)")
  }

  /// A file that must exist.
  func found(_ path: [String]) throws(Problem) -> Found {
    guard let found = try look(path) else { throw .galleryMissing(client.title) }
    return found
  }

  /// A file; nil if there is none.
  func look(_ path: [String]) throws(Problem) -> Found? {
    let answer = try client.send(GalleryRequest(method: "HEAD", path: Self.address(path)))
    if answer.status == 404 { return nil }
    guard answer.status == 200 else { throw refusal(answer, "reading this file") }
    return Found(
      tag: answer.fields["etag"], modified: answer.fields["last-modified"].flatMap(Self.seconds),
      count: answer.fields["content-length"].flatMap { Int($0) })
  }

  /// Checks that an uploaded crop is there: on a server that ignores conditions, another program may
  /// have written to the same name at the same moment.
  func arrived(
    _ result: GalleryResult, at path: [String], _ answer: GalleryResponse
  ) throws(Problem) -> Found {
    guard let found = try look(path) else {
      throw Problem(
        .badGateway, code: "gallery-broken",
        "\(client.title) accepted the crop but did not store it; try again")
    }
    let (sent, now) = (answer.fields["etag"], found.tag)
    var isSame = found.count == nil || found.count == result.source.byteCount
    if isSame, let sent, let now, sent != now {
      // Some servers change the tag once the file is stored.
      isSame = (try? compare(path, with: result.source)) == .equal
    }
    guard isSame else {
      throw Problem(
        .conflict, code: "gallery-conflict",
        "another program wrote to \(path.last ?? "") in \(client.title) at the same moment; "
          + "check that file, then save again")
    }
    return found
  }

  func put(
    _ path: [String], _ result: GalleryResult, _ condition: String, of original: Found
  ) -> GalleryRequest {
    GalleryRequest(
      method: "PUT", path: Self.address(path),
      fields: ["Content-Type: \(result.format.mediaType)", condition] + Self.times(original),
      body: [.file(result.file, count: result.source.byteCount)])
  }

  /// A copy that overwrites nothing.
  static func copy(
    _ path: [String], to place: [String], on server: GalleryAddress
  ) -> GalleryRequest {
    GalleryRequest(
      method: "COPY", path: address(path),
      fields: ["Destination: \(server.text)\(address(place))", "Overwrite: F", "Depth: 0"])
  }

  /// The field for the photo's time, for servers that support it (ownCloud, Nextcloud).
  private static func times(_ found: Found) -> [String] {
    found.modified.map { ["X-OC-Mtime: \($0)"] } ?? []
  }

  /// Seconds since 1970 for an HTTP date, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110,
  /// 5.6.7).
  static func seconds(_ text: String) -> Int? {
    let words = text.split(whereSeparator: { $0 == " " || $0 == ":" })
    guard words.count == 8, words[7] == "GMT", let month = months.firstIndex(of: String(words[2])),
      let day = Int32(words[1]), let year = Int32(words[3]), let hour = Int32(words[4]),
      let minute = Int32(words[5]), let second = Int32(words[6]), (1970..<10_000).contains(year)
    else { return nil }
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1900, Int32(month), day)
    (time.tm_hour, time.tm_min, time.tm_sec) = (hour, minute, second)
    return timegm(&time)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Whether a file's name has the ending of a format.
  static func isSameFormat(_ name: String, _ format: ImageFormat) -> Bool {
    ImageFormat(fileExtension: String(name.split(separator: ".").last ?? "")) == format
  }

  enum Comparison: Equatable {
    case equal, other, missing
    /// The existing file contains only the start of the other; its tag if it is strong.
    case start(String?)
  }

  /// Compares a file with the bytes that it should have.
  func compare(_ path: [String], with wanted: ImageSource) throws -> Comparison {
    let there: ImageSource?
    let answer: GalleryResponse
    do {
      (there, answer) = try client.download(
        Self.address(path), most: wanted.byteCount, limits: engine.limits,
        name: path.last ?? "", until: nil)
    } catch let problem as Problem where problem.code == "limit-bytes" {
      return .other
    }
    if answer.status == 404 { return .missing }
    guard let there else { throw refusal(answer, "reading this file") }
    guard try Self.starts(wanted, with: there) else { return .other }
    if there.byteCount == wanted.byteCount { return .equal }
    let tag = answer.fields["etag"]
    return .start(Self.isStrong(tag) ? tag : nil)
  }

  /// Removes a file that contains only the start of another, as a failed write leaves it.
  func removeCut(_ path: [String], of whole: ImageSource) throws {
    if case .start(let tag) = try compare(path, with: whole) { try remove(path, tag) }
  }

  /// Removes a file, if possible.
  ///
  /// - Parameter tag: the tag that it must still have; nil for any.
  func remove(_ path: [String], _ tag: String? = nil) throws(Problem) {
    let fields = tag.map { ["If-Match: \($0)"] } ?? []
    _ = try client.send(
      GalleryRequest(method: "DELETE", path: Self.address(path), fields: fields))
  }

  /// Fetches a file for a comparison.
  func fetched(_ path: [String]) throws -> ImageSource {
    let limits = engine.limits
    let (source, answer) = try client.download(
      Self.address(path), most: limits.bytes, limits: limits, name: path.last ?? "", until: nil)
    guard let source else { throw refusal(answer, "reading this file") }
    return source
  }

  /// Whether a file starts with the bytes of another.
  private static func starts(_ whole: ImageSource, with start: ImageSource) throws -> Bool {
    guard start.byteCount <= whole.byteCount else { return false }
    let size = 1 << 18
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size * 2, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while offset < start.byteCount {
      let count = min(size, start.byteCount - offset)
      let (one, other) = (
        UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]),
        UnsafeMutableRawBufferPointer(rebasing: buffer[size..<size + count])
      )
      guard try start.read(into: one, at: offset) == count,
        try whole.read(into: other, at: offset) == count, one.elementsEqual(other)
      else { return false }
      offset += count
    }
    return true
  }
}

/// Names for a file next to another: `photo-cropped.jpg`, `photo-cropped-2.jpg` and so on.
struct Names {
  private let stem: String
  private let ending: String

  init(_ name: String, format: ImageFormat, suffix: String) {
    stem = "\(ResultName.stem(of: name))-\(suffix)"
    ending = ".\(format.fileExtension)"
  }

  init(_ name: String, suffix: String) {
    stem = "\(ResultName.stem(of: name))-\(suffix)"
    ending = name.lastIndex(of: ".").map { String(name[$0...]) } ?? ""
  }

  subscript(number: Int) -> String { stem + (number == 1 ? "" : "-\(number)") + ending }
}
