import CropImaging

/// What a photo is called in addresses: a number made of its first path, no part of it.
///
/// It stays when the file is renamed or moved inside the library, and comes out the same when the
/// index is built anew (then from the path the file has by now).
public struct LibraryID: Hashable, Sendable {
  /// 1 or more.
  let number: Int64

  init(_ number: Int64) { self.number = number }

  /// The number of a path: the first 63 bits of its SHA-256, never 0. Where two paths have one number,
  /// which takes an effort, the index gives the second one the next that is free.
  init(of path: some Sequence<UInt8>) {
    let hash = Digests.sha256(of: path).prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    number = max(1, Int64(truncatingIfNeeded: hash >> 1))
  }

  /// Reads ``text``; nil for anything else.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count <= 13, text.allSatisfy({ $0.isASCII && !$0.isUppercase && $0 != "+" }),
      let number = Int64(text, radix: 36), number > 0
    else { return nil }
    self.number = number
  }

  /// Letters and digits, at most 13.
  public var text: String { String(number, radix: 36) }
}
