/// What one picture may cost; whatever exceeds it is refused, where possible before any pixel is
/// decoded.
public struct Limits: Sendable, Equatable, Codable {
  /// The most pixels of a picture, stored width × height of its largest frame, and of a result.
  public var pixels: Int
  /// The most bytes of a file.
  public var bytes: Int
  /// The most scans of a progressive JPEG.
  public var scans: Int
  /// The most seconds one picture may take, by the wall clock.
  public var seconds: Int
  /// The most bytes of memory for one picture, above what the program itself needs. The result of a
  /// worker process may take as many again, once it is coded.
  public var memory: Int

  /// The limits a person meets unless they say otherwise: 300 megapixels, 512 MiB a file, 100 scans,
  /// 30 seconds, 1 GiB of memory.
  public init(
    pixels: Int = 300_000_000, bytes: Int = 512 << 20, scans: Int = 100, seconds: Int = 30,
    memory: Int = 1 << 30
  ) {
    self.pixels = pixels
    self.bytes = bytes
    self.scans = scans
    self.seconds = seconds
    self.memory = memory
  }
}
