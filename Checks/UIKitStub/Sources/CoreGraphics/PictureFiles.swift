import Foundation

/// Not Apple's: the contents of files, which tests set by the files' bytes. The stand-ins decode
/// nothing.
public struct PictureFileContents: Sendable {
  /// The stored pixels.
  public var image: CGImage
  /// EXIF's orientation, 1 to 8.
  public var orientation: UInt32
  /// The type's identifier.
  public var type: String
  /// ImageIO's text properties.
  public var properties: [String: String]
  /// The kinds of auxiliary data.
  public var auxiliary: Set<String>
  /// Whether the system can apply the file's gain maps.
  public var appliesGainMaps = true
  /// ImageIO's information about auxiliary data, by kind.
  nonisolated(unsafe) public var auxiliaryInfo: [String: [String: Any]] = [:]

  /// The contents of a file.
  public init(
    _ image: CGImage, orientation: UInt32 = 1, type: String = "public.heic",
    properties: [String: String] = [:], auxiliary: Set<String> = []
  ) {
    (self.image, self.orientation, self.type) = (image, orientation, type)
    (self.properties, self.auxiliary) = (properties, auxiliary)
  }

  private static let lock = NSLock()
  nonisolated(unsafe) private static var known: [Data: PictureFileContents] = [:]

  /// Sets the contents of a file with these bytes.
  public static func register(_ contents: PictureFileContents, as data: Data) {
    lock.withLock { known[data] = contents }
  }

  /// The contents for these bytes.
  public static func of(_ data: Data) -> PictureFileContents? { lock.withLock { known[data] } }
}
