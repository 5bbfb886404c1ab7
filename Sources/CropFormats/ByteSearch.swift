import Glibc

extension [UInt8] {
  /// The first position of `text` at or after `start`; nil if it does not occur.
  func place(of text: StaticString, from start: Int = 0) -> Int? {
    let length = text.utf8CodeUnitCount
    guard length > 0, start >= 0, count - start >= length else { return nil }
    return withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var at = start
      // The last position where all of it fits.
      let last = bytes.count - length
      while at <= last {
        guard let found = memchr(base + at, Int32(text.utf8Start[0]), last - at + 1) else {
          return nil
        }
        at = UnsafeRawPointer(found) - base
        if memcmp(base + at, text.utf8Start, length) == 0 { return at }
        at += 1
      }
      return nil
    }
  }
}
