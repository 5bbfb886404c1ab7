import CSystemCalls
import Glibc

/// A line of text that a save leaves beside a file's bytes, in the extended attribute
/// `user.cropkit`.
///
/// It comes with the file, all at once, and counts only as long as the file is what was saved: a
/// file that was written to since has no note. Where a file system keeps no attributes there are no
/// notes.
public enum FileNote {
  static let attribute = "user.cropkit"
  /// The most bytes of an attribute that every file system takes which takes any.
  private static let mostBytes = 1024

  /// The note of the file at `path`; nil without one, and for anything but a regular file.
  public static func read(at path: PathBytes) -> String? {
    let raw = ckc_system_open(path.terminated, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0)
    guard raw >= 0 else { return nil }
    let file = Descriptor(adopting: raw)
    guard let stamp = file.stamp else { return nil }
    var bytes = [UInt8](repeating: 0, count: mostBytes)
    let count = ckc_system_get_attribute(file.raw, attribute, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    guard text.hasPrefix("\(stamp) ") else { return nil }
    return String(text.dropFirst(stamp.count + 1))
  }

  /// Stores `note` with what was written to `file` so far. If the file system can't store it, the file has no
  /// note, and is treated as one that was never seen.
  static func write(_ note: String, to file: Descriptor) {
    guard let stamp = file.stamp else { return }
    // Short, as file systems have room for about 60 bytes that costs nothing.
    let bytes = Array("\(stamp) \(note)".utf8)
    guard bytes.count <= mostBytes else { return }
    _ = ckc_system_set_attribute(file.raw, attribute, bytes, bytes.count)
  }
}
