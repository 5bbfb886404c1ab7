import CropCore

/// What a file says of the gain map of its picture: a second, smaller picture that says how much brighter
/// each part of the first is on an HDR screen.
public struct GainMapInfo: Sendable, Equatable, Codable {
  /// A way in which the numbers of a gain map are written.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// Ultra HDR 1.x: XMP of the namespace `hdrgm`, with a directory of the pictures in the file.
    case ultraHDR = "ultra-hdr"
    /// ISO 21496-1.
    case iso = "iso-21496-1"
    /// Apple's `HDRGainMap`, with numbers in the camera's maker note.
    case apple
  }

  /// The ways in which its numbers are written; a file may have several that agree.
  public var kinds: [Kind]
  /// The stored size of the map, in samples; nil where it can't be read.
  public var size: PixelSizeFields?
  /// How many channels it has: 1 or 3; 0 where it can't be read.
  public var channels: Int
  /// How many pixels of the picture a sample of the map covers, across.
  public var scale: Double?
  /// How much brighter than white the brightest part can be, in stops (powers of two); nil where the file does
  /// not say.
  public var headroom: Double?
  /// Why it can't be used; nil for one that can.
  public var fault: String?
  /// Where its bytes begin in the file, and how many they are; nil where they are no file of their own.
  package var place: Place?

  /// A run of bytes.
  package struct Place: Sendable, Equatable, Codable {
    package var offset: Int
    package var count: Int
  }

  /// A width and a height.
  public struct PixelSizeFields: Sendable, Equatable, Codable {
    /// Samples from left to right.
    public var width: Int
    /// Samples from top to bottom.
    public var height: Int
  }

  /// A map that can't be used.
  package init(kinds: [Kind] = [], fault: String) {
    self.init(kinds: kinds, size: nil, channels: 0, headroom: nil)
    self.fault = fault
  }

  package init(kinds: [Kind], size: BitmapSize?, channels: Int, headroom: Double?) {
    self.kinds = kinds
    self.size = size.map { PixelSizeFields(width: $0.width, height: $0.height) }
    self.channels = channels
    self.headroom = headroom
  }

  /// The size of the map, if it can be used.
  package var usableSize: BitmapSize? {
    fault == nil ? size.map { BitmapSize(width: $0.width, height: $0.height) } : nil
  }
}
