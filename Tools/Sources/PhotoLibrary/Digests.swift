import CropImaging
import Crypto

/// Digests of bytes, in lower-case hexadecimal digits.
enum Digests {
  /// SHA-256 of a picture's file, by which a crop knows its source again.
  ///
  /// - Throws: ``CropError/readFailed(file:detail:)``.
  static func sha256(of source: PictureSource) throws(CropError) -> String {
    var hash = SHA256()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while true {
      let count = try source.read(into: buffer, at: offset)
      guard count > 0 else { return text(hash.finalize()) }
      hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += count
    }
  }

  /// MD5 of a name's bytes, by which the freedesktop specification names thumbnails. It guards nothing.
  static func md5(of bytes: some Collection<UInt8>) -> String {
    text(Insecure.MD5.hash(data: Array(bytes)))
  }

  private static func text(_ digest: some Sequence<UInt8>) -> String {
    digest.map(hexadecimal).joined()
  }
}

/// Two lower-case hexadecimal digits.
func hexadecimal(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16)
}
