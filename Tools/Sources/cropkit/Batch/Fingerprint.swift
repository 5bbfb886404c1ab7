import Glibc

/// A number that stands for some bytes: FNV-1a of 64 bits, the same in every run. It tells things
/// apart that differ by chance; it is no guard against somebody who wants two to be alike.
struct Fingerprint {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Goes on with `bytes`, and an end that no byte is.
  func adding(_ bytes: some Sequence<UInt8>) -> Self {
    var result = self
    for byte in bytes { result.add(UInt64(byte)) }
    result.add(256)
    return result
  }

  /// Goes on with the UTF-8 of `text`.
  func adding(_ text: String) -> Self { adding(text.utf8) }

  /// Goes on with the identity of a file.
  func adding(_ status: stat) -> Self {
    adding("\(status.st_dev) \(status.st_ino)")
  }

  private mutating func add(_ number: UInt64) {
    value = (value ^ number) &* 0x100_0000_01b3
  }
}
