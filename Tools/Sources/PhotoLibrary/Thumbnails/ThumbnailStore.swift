import CropImaging
import Foundation
import Glibc

/// The sizes of thumbnails that lists use.
public enum ThumbnailSize: String, Sendable, CaseIterable {
  /// At most 256 pixels a side.
  case large
  /// At most 512 pixels a side.
  case extraLarge = "x-large"

  /// The most pixels a side.
  public var side: Int { self == .large ? 256 : 512 }
}

/// The thumbnails of all programs of this user, as the freedesktop specification (0.9) lays them out.
struct ThumbnailStore: Sendable {
  /// The folder, `~/.cache/thumbnails` unless the environment says otherwise.
  let folder: String

  /// A file as its thumbnail knows it.
  struct Subject: Sendable {
    let address: String
    let stamp: FileStamp

    /// The file at an absolute path.
    init(_ path: PathBytes, stamp: FileStamp) {
      address = FileAddress.of(path)
      self.stamp = stamp
    }

    var name: String { Digests.md5(of: address.utf8) + ".png" }
    /// Whole seconds since 1970.
    var time: String { String(stamp.modified / 1_000_000_000) }
  }

  /// The thumbnail, if there is one of this state of the file.
  func thumbnail(of subject: Subject, _ size: ThumbnailSize) -> Data? {
    guard let bytes = read("\(folder)/\(size.rawValue)/\(subject.name)"),
      isCurrent(PNGText.read(bytes), subject)
    else { return nil }
    return bytes
  }

  /// Why an earlier try to make one failed, if it was of this state of the file.
  func failure(of subject: Subject) -> PhotoProblem? {
    guard let bytes = read("\(folder)/\(Self.failures)/\(subject.name)") else { return nil }
    let text = PNGText.read(bytes)
    guard isCurrent(text, subject), let code = text[Self.problem] else { return nil }
    return PhotoProblem(code: code, message: text["Description"] ?? code)
  }

  /// Keeps a thumbnail (a PNG). What can't be kept is made again next time.
  ///
  /// - Returns: the thumbnail with what the specification wants said in it.
  func keep(_ png: Data, of subject: Subject, _ size: ThumbnailSize) -> Data {
    let bytes = PNGText.written(text(of: subject), into: png)
    write(bytes, folder: size.rawValue, subject)
    return bytes
  }

  /// Remembers that no thumbnail can be made of this state of the file.
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

  /// Writes beside and renames: another program may read at any time. Not flushed: a thumbnail that
  /// is lost with the power is made again.
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
