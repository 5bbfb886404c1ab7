import CropImaging
import FoundationEssentials
import Glibc

/// The sizes of thumbnails that lists use.
public enum ThumbnailSize: String, Sendable, CaseIterable {
  /// At most 256 pixels wide and high.
  case large
  /// At most 512 pixels wide and high.
  case extraLarge = "x-large"

  /// The maximum width and height in pixels.
  public var side: Int { self == .large ? 256 : 512 }
}

/// The shared thumbnails of this user's programs, as defined by the freedesktop specification
/// (0.9).
struct ThumbnailStore: Sendable {
  /// The folder; by default `~/.cache/thumbnails`.
  let folder: String

  /// The file properties that a thumbnail contains.
  struct Subject: Sendable {
    let address: String
    let stamp: FileStamp

    init(_ path: PathBytes, stamp: FileStamp) {
      address = FileAddress.of(path)
      self.stamp = stamp
    }

    var name: String { Digests.md5(of: address.utf8) + ".png" }
    /// Whole seconds since 1970.
    var time: String { String(stamp.modified / 1_000_000_000) }
  }

  /// The thumbnail of this version of the file; nil if there is none.
  func thumbnail(of subject: Subject, _ size: ThumbnailSize) -> Data? {
    guard let bytes = read("\(folder)/\(size.rawValue)/\(subject.name)"),
      isCurrent(PNGText.read(bytes), subject)
    else { return nil }
    return bytes
  }

  /// Why an earlier attempt failed for this version of the file; nil if there was none.
  func failure(of subject: Subject) -> PhotoProblem? {
    guard let bytes = read("\(folder)/\(Self.failures)/\(subject.name)") else { return nil }
    let text = PNGText.read(bytes)
    guard isCurrent(text, subject), let code = text[Self.problem] else { return nil }
    return PhotoProblem(code: code, message: text["Description"] ?? code)
  }

  /// Stores a thumbnail (a PNG). If that fails, it is made again next time.
  ///
  /// - Returns: the thumbnail with the metadata that the specification requires.
  func keep(_ png: Data, of subject: Subject, _ size: ThumbnailSize) -> Data {
    let bytes = PNGText.written(text(of: subject), into: png)
    write(bytes, folder: size.rawValue, subject)
    return bytes
  }

  /// Records that no thumbnail can be made of this version of the file.
  func keep(_ failure: PhotoProblem, of subject: Subject) {
    let text =
      text(of: subject) + [
        (Self.problem, failure.code),
        ("Description", failure.message.filter { $0.isASCII && !$0.isNewline }),
      ]
    write(
      PNGText.written(text, into: PNGText.onePixel), folder: Self.failures, subject)
  }

  private static let failures = "fail/cropkit"
  private static let problem = "CropKit::Problem"

  private func isCurrent(_ text: [String: String], _ subject: Subject) -> Bool {
    text["Thumb::URI"] == subject.address && text["Thumb::MTime"] == subject.time
      && (text["Thumb::Size"] ?? "\(subject.stamp.size)") == "\(subject.stamp.size)"
  }

  private func text(of subject: Subject) -> [(String, String)] {
    [
      ("Thumb::URI", subject.address), ("Thumb::MTime", subject.time),
      ("Thumb::Size", "\(subject.stamp.size)"), ("Software", "CropKit"),
    ]
  }

  private func read(_ path: String) -> Data? {
    guard let bytes = FileManager.default.contents(atPath: path), bytes.count < 8 << 20 else {
      return nil
    }
    return bytes
  }

  /// Writes a temporary file and renames it, since another program may read it at any time. It is
  /// not flushed: a thumbnail that is lost in a power failure is made again.
  private func write(_ bytes: Data, folder name: String, _ subject: Subject) {
    var path = folder
    for part in name.split(separator: "/") {
      if mkdir(path, 0o700) != 0, errno == ENOENT {
        try? FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      }
      path += "/\(part)"
      mkdir(path, 0o700)
    }
    let temporary = "\(path)/.cropkit-\(UInt64.random(in: 0 ... .max))"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    let isWritten = bytes.withUnsafeBytes { all in
      var rest = all[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.write(file, part.baseAddress, part.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
    close(file)
    if !isWritten || rename(temporary, "\(path)/\(subject.name)") != 0 { unlink(temporary) }
  }
}

/// The text chunks (tEXt) of a PNG.
enum PNGText {
  /// The texts before the pixels by keyword; the first one of a keyword counts.
  static func read(_ png: Data) -> [String: String] {
    var text: [String: String] = [:]
    var at = png.startIndex + 8
    while at + 12 <= png.endIndex {
      let length = png[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= png.endIndex - at - 12 else { break }
      let name = String(decoding: png[at + 4..<at + 8], as: UTF8.self)
      let body = png[at + 8..<at + 8 + length]
      if name == "IDAT" { break }
      if name == "tEXt", let end = body.firstIndex(of: 0) {
        let key = String(decoding: body[..<end], as: UTF8.self)
        if text[key] == nil { text[key] = String(decoding: body[(end + 1)...], as: UTF8.self) }
      }
      at += 12 + length
    }
    return text
  }

  /// The PNG with texts inserted after its header; the words must be ASCII.
  static func written(_ text: [(String, String)], into png: Data) -> Data {
    // The signature, and the header chunk: 13 bytes and the 12 of every chunk.
    let end = png.startIndex + 8 + 25
    guard png.count > 33 else { return png }
    var result = Data(png[..<end])
    for (key, value) in text {
      result.append(contentsOf: PNGChunk.encoded("tEXt", Array("\(key)\0\(value)".utf8)))
    }
    result.append(png[end...])
    return result
  }

  /// A PNG with one black pixel.
  static var onePixel: Data {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let header: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]
    let pixel: [UInt8] = [0x78, 1, 1, 2, 0, 0xFD, 0xFF, 0, 0, 0, 2, 0, 1]
    return Data(
      signature + PNGChunk.encoded("IHDR", header) + PNGChunk.encoded("IDAT", pixel)
        + PNGChunk.encoded("IEND", []))
  }
}
