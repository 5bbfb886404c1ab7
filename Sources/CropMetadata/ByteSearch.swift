#if canImport(Glibc)
  import Glibc
#endif

extension [UInt8] {
  /// The first position of `text` at or after `start`; nil if it does not occur.
  package func place(of text: StaticString, from start: Int = 0) -> Int? {
    let length = text.utf8CodeUnitCount
    guard length > 0, start >= 0, count - start >= length else { return nil }
    return withUnsafeBufferPointer { bytes in
      var at = start
      // The last position where all of it fits.
      let last = bytes.count - length
      while at <= last, let found = Self.place(of: text.utf8Start[0], in: bytes, from: at, to: last)
      {
        if has(text, at: found) { return found }
        at = found + 1
      }
      return nil
    }
  }

  /// The first position of `byte` from `start` to `last`, which are inside.
  private static func place(
    of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to last: Int
  ) -> Int? {
    #if canImport(Glibc)
      // Several times as fast as a loop.
      guard let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(byte), last - start + 1)
      else { return nil }
      return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    #else
      for at in start...last where bytes[at] == byte { return at }
      return nil
    #endif
  }
}
