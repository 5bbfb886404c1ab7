import CropImaging
import Foundation
import Glibc
import Hummingbird
import PhotoLibrary

/// The calls of a WebDAV server (RFC 4918) that CropKit needs: GET, HEAD, PUT and COPY.
struct WebDAV: Sendable {
  let client: GalleryClient
  let engine: CropEngine
  private let keepsVersions: Bool

  init(_ settings: WebDAVSettings, engine: CropEngine) {
    client = GalleryClient(
      title: "WebDAV", address: settings.place,
      credentials: .password(user: settings.user, settings.password))
    self.engine = engine
    keepsVersions = settings.keepsVersions
  }

  /// A file at a path.
  private struct Found {
    let tag: String?
    let modified: Int?
  }

  /// Fetches a file. Blocks.
  func open(_ path: [String], until stop: CropStop?) throws -> GalleryOriginal {
    let name = galleryName(path.last ?? "")
    let limits = engine.limits
    let (source, answer) = try client.download(
      Self.address(path), most: limits.bytes, limits: limits, name: name, until: stop)
    guard let source else { throw refusal(answer, "reading this file") }
    let info = try engine.info(source, isLenient: true)
    let tag = answer.fields["etag"]
    return GalleryOriginal(
      source: source, info: info, name: name, version: tag ?? "",
      // Without a strong tag it is impossible to check that the file is still the same (RFC 9110,
      // 13.1.1).
      ways: tag?.hasPrefix("\"") == true ? [.beside, .replace] : [.beside])
  }

  /// Saves a crop next to a file, under the first name that is free or has the same crop. Blocks.
  func beside(_ path: [String], version: String, _ result: GalleryResult) throws -> GallerySaved {
    let original = try found(path)
    guard version.isEmpty || original.tag == version else {
      throw Problem.galleryChanged(client.title)
    }
    let names = Names(path.last ?? "", format: result.format, suffix: "cropped")
    for number in 1...Self.mostNames {
      let name = names[number]
      let place = path.dropLast() + [name]
      var put = put(Array(place), result, condition: "If-None-Match: *")
      put.fields += Self.times(original)
      let answer = try client.send(put)
      if Self.done.contains(answer.status) { return GallerySaved(name: name, isNew: true) }
      guard answer.status == 412 else { throw refusal(answer, "writing to this folder") }
      switch try compare(Array(place), with: result) {
      case .equal: return GallerySaved(name: name, isNew: false)
      case .other: continue
      case .start(let tag):
        // An interrupted upload of this same crop.
        var again = self.put(Array(place), result, condition: "If-Match: \(tag)")
        again.fields += Self.times(original)
        let answer = try client.send(again)
        guard Self.done.contains(answer.status) else {
          throw refusal(answer, "writing to this folder")
        }
        return GallerySaved(name: name, isNew: true)
      }
    }
    throw Self.noName
  }

  /// Replaces a file with its crop. The original is kept next to it, unless the server keeps
  /// versions. Blocks.
  func replace(_ path: [String], version: String, _ result: GalleryResult) throws -> GallerySaved {
    let original = try found(path)
    guard let tag = original.tag, tag.hasPrefix("\"") else {
      throw Problem(
        .conflict, code: "gallery-untagged",
        "this server does not report whether a file has changed; save the crop beside it")
    }
    guard Self.isSameFormat(path.last ?? "", result.format) else {
      throw Problem(
        .conflict, code: "gallery-format",
        "the crop and the photo have different formats; save the crop beside it")
    }
    var condition = tag
    if tag != version {
      // The connection may have failed after the crop was saved, completely or partly.
      switch try compare(path, with: result) {
      case .equal: return GallerySaved(isNew: false, version: tag)
      case .start(let tag) where !version.isEmpty: condition = tag
      case .start, .other: throw Problem.galleryChanged(client.title)
      }
    }
    let kept = keepsVersions || condition != version ? nil : try keep(path)
    var put = put(path, result, condition: "If-Match: \(condition)")
    put.fields += Self.times(original)
    if let problem = try refusal(of: put) {
      // A server that failed may have replaced the photo anyway, completely or partly. Then the copy
      // is the original.
      let isChanged = problem.code == Problem.galleryChanged
      if let kept, kept.isNew, try isChanged || found(path).tag == condition {
        _ = try client.send(GalleryRequest(method: "DELETE", path: Self.address(kept.path)))
      }
      throw problem
    }
    return GallerySaved(isNew: true, kept: kept?.path.last, version: try found(path).tag)
  }

  /// Uploads a file. Returns the reason if the server refused it or redirected it.
  private func refusal(of put: GalleryRequest) throws(Problem) -> Problem? {
    do throws(Problem) {
      let answer = try client.send(put)
      if answer.status == 412 { return .galleryChanged(client.title) }
      return Self.done.contains(answer.status) ? nil : refusal(answer, "changing this file")
    } catch {
      guard error.code == Problem.galleryRedirect else { throw error }
      return error
    }
  }
}

// The API's requests and responses.
extension WebDAV {
  private static let done = [200, 201, 204]
  private static let mostNames = 100

  private static var noName: Problem {
    Problem(.conflict, code: "gallery-names", "there are too many crops beside this photo")
  }

  private static func address(_ path: [String]) -> String {
    path.map { "/" + ($0.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? "") }.joined()
  }

  private func refusal(_ answer: GalleryResponse, _ what: String) -> Problem {
    client.refusal(answer, right: "the right of \(what)")
  }

  private func found(_ path: [String]) throws -> Found {
    let answer = try client.send(GalleryRequest(method: "HEAD", path: Self.address(path)))
    guard answer.status == 200 else { throw refusal(answer, "reading this file") }
    return Found(
      tag: answer.fields["etag"], modified: answer.fields["last-modified"].flatMap(Self.seconds))
  }

  private func put(
    _ path: [String], _ result: GalleryResult, condition: String
  ) -> GalleryRequest {
    GalleryRequest(
      method: "PUT", path: Self.address(path),
      fields: ["Content-Type: \(result.format.mediaType)", condition],
      body: [.file(result.file, count: result.source.byteCount)])
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

  private static func isSameFormat(_ name: String, _ format: PictureFormat) -> Bool {
    PictureFormat(fileExtension: String(name.split(separator: ".").last ?? "")) == format
  }

  private enum Comparison {
    case equal, other
    /// The existing file contains only the start of the crop; its tag.
    case start(String)
  }

  /// Compares a file with a crop.
  private func compare(_ path: [String], with result: GalleryResult) throws -> Comparison {
    let there: PictureSource?
    let answer: GalleryResponse
    do {
      (there, answer) = try client.download(
        Self.address(path), most: result.source.byteCount, limits: engine.limits,
        name: path.last ?? "", until: nil)
    } catch let problem as Problem where problem.code == "limit-bytes" {
      return .other
    }
    guard let there else { throw refusal(answer, "reading this file") }
    guard try Self.starts(result.source, with: there) else { return .other }
    if there.byteCount == result.source.byteCount { return .equal }
    // Only a file with a strong tag can be replaced safely.
    guard let tag = answer.fields["etag"], tag.hasPrefix("\"") else { return .other }
    return .start(tag)
  }

  /// Whether a file starts with the bytes of another.
  private static func starts(_ whole: PictureSource, with start: PictureSource) throws -> Bool {
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

  /// Copies a file, under the first name that is free or has the same bytes.
  private func keep(_ path: [String]) throws -> (path: [String], isNew: Bool) {
    let names = Names(path.last ?? "", suffix: "original")
    for number in 1...Self.mostNames {
      let place = Array(path.dropLast()) + [names[number]]
      let answer = try client.send(
        GalleryRequest(
          method: "COPY", path: Self.address(path),
          fields: [
            "Destination: \(client.address.text)\(Self.address(place))", "Overwrite: F", "Depth: 0",
          ]))
      if Self.done.contains(answer.status) { return (place, true) }
      guard answer.status == 412 else { throw refusal(answer, "writing to this folder") }
      if try isCopy(place, of: path) { return (place, false) }
    }
    throw Self.noName
  }

  private func isCopy(_ copy: [String], of path: [String]) throws -> Bool {
    let limits = engine.limits
    func fetched(_ path: [String]) throws -> PictureSource {
      let (source, answer) = try client.download(
        Self.address(path), most: limits.bytes, limits: limits, name: path.last ?? "", until: nil)
      guard let source else { throw refusal(answer, "reading this file") }
      return source
    }
    let (one, other) = (try fetched(copy), try fetched(path))
    return try one.byteCount == other.byteCount && Self.starts(one, with: other)
  }
}

/// Names for a file next to another: `photo-cropped.jpg`, `photo-cropped-2.jpg` and so on.
private struct Names {
  private let stem: String
  private let ending: String

  init(_ name: String, format: PictureFormat, suffix: String) {
    stem = "\(ResultName.stem(of: name))-\(suffix)"
    ending = ".\(format.fileExtension)"
  }

  init(_ name: String, suffix: String) {
    stem = "\(ResultName.stem(of: name))-\(suffix)"
    ending = name.lastIndex(of: ".").map { String(name[$0...]) } ?? ""
  }

  subscript(number: Int) -> String { stem + (number == 1 ? "" : "-\(number)") + ending }
}
