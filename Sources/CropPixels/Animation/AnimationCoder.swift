import CropImaging
import FoundationEssentials

/// Puts the frames of an animation together, one after the other.
protocol AnimationCoder {
  /// The next frame, and how long it shows.
  mutating func add(_ frame: FrameRaster) throws
  /// Whether every pixel is coded as it was given.
  var isExact: Bool { get }
  /// The bytes so far, of which the file will consist.
  var byteCount: Int { get }
  /// The file.
  mutating func finish() throws -> Data
}

/// Why a way to code an animation does not serve; another one does.
struct TooManyColours: Error {}
