import CNettle
import CropImaging

/// Digests of bytes, in lower-case hexadecimal digits unless noted otherwise.
public enum Digests {
  /// SHA-256 of an image's file, by which a crop identifies its source.
  ///
  /// - Parameter check: called with the number of bytes read, every 256 KiB; an error it throws
  ///   stops the reading.
  /// - Throws: ``CropError/readFailed(file:detail:)``, or what `check` throws.
  static func sha256(
    of source: ImageSource, check: (_ bytes: Int) throws -> Void = { _ in }
  ) throws -> String {
    var hash = sha256_ctx()
    nettle_sha256_init(&hash)
    try read(source) { part in
      try check(part.count)
      nettle_sha256_update(&hash, part.count, part.baseAddress)
    }
    return text(digest(&hash))
  }

  /// The 32 bytes of the SHA-256 of some bytes.
  public static func sha256(of bytes: some Sequence<UInt8>) -> [UInt8] {
    let bytes = Array(bytes)
    var hash = sha256_ctx()
    nettle_sha256_init(&hash)
    nettle_sha256_update(&hash, bytes.count, bytes)
    return digest(&hash)
  }

  private static func digest(_ hash: inout sha256_ctx) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_sha256_digest(&hash, digest.count, &digest)
    return digest
  }

  /// The 20 bytes of the SHA-1 of an image's file, by which Immich identifies files. It is not used
  /// for security. Blocks.
  ///
  /// - Throws: ``CropError/readFailed(file:detail:)``.
  public static func sha1(of source: ImageSource) throws -> [UInt8] {
    var hash = sha1_ctx()
    nettle_sha1_init(&hash)
    try read(source) { nettle_sha1_update(&hash, $0.count, $0.baseAddress) }
    var digest = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_SIZE))
    nettle_sha1_digest(&hash, digest.count, &digest)
    return digest
  }

  /// Reads all bytes of an image's file, 256 KiB at a time.
  private static func read(
    _ source: ImageSource, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while true {
      let count = try source.read(into: buffer, at: offset)
      guard count > 0 else { return }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += count
    }
  }

  /// MD5 of a name's bytes, by which the freedesktop specification names thumbnails. It is not used
  /// for security.
  static func md5(of bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes)
    var hash = md5_ctx()
    nettle_md5_init(&hash)
    nettle_md5_update(&hash, bytes.count, bytes)
    var digest = [UInt8](repeating: 0, count: Int(MD5_DIGEST_SIZE))
    nettle_md5_digest(&hash, digest.count, &digest)
    return text(digest)
  }

  /// Bytes as hexadecimal digits.
  public static func text(_ digest: some Sequence<UInt8>) -> String {
    digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The bytes that hexadecimal digits stand for; nil for another text.
  static func bytes(of text: some StringProtocol) -> [UInt8]? {
    let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count % 2 == 0, !digits.contains(nil) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).compactMap { at in
      guard let high = digits[at], let low = digits[at + 1] else { return nil }
      return UInt8(high << 4 | low)
    }
  }
}
