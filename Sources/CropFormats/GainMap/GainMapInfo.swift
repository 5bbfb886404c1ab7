import CropCore

/// The properties of a gain map: a second, smaller image that states how much brighter each part of
/// the main image is on an HDR screen.
public struct GainMapInfo: Sendable, Equatable, Codable {
  /// How the parameters of a gain map are stored.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// Ultra HDR 1.x: XMP of the namespace `hdrgm`, and a directory of the images in the file.
    case ultraHDR = "ultra-hdr"
    /// ISO 21496-1.
    case iso = "iso-21496-1"
    /// Apple's `HDRGainMap`, with parameters in the camera's maker note.
    case apple
    /// A derived image of a HEIC or AVIF (`tmap`) with the parameters of ISO 21496-1.
    case toneMapped = "tmap"
  }

  /// How the map's parameters are stored; a file may store them in several ways that agree.
  public var kinds: [Kind]
  /// The stored size of the map, in samples; nil if the map can't be read.
  public var size: PixelSizeFields?
  /// The number of channels: 1 or 3, or 0 if the map can't be read.
  public var channels: Int
  /// The number of image pixels that a sample of the map covers horizontally.
  public var scale: Double?
  /// How much brighter than white the brightest part can be, in stops (powers of two); nil if the
  /// file does not state it.
  public var headroom: Double?
  /// Why the map can't be used; nil if it can.
  public var fault: String?
  /// The position of the map's bytes in the file; nil if they are not a separate file.
  package var place: Place?
  /// The item of a HEIC that is the map; nil for other formats.
  package var item: Item?

  /// The keys of the JSON form, which does not include the position of the map in the file.
  private enum CodingKeys: String, CodingKey {
    case kinds, size, channels, scale, headroom, fault
  }

  /// An image of a HEIC in addition to the main one.
  package struct Item: Sendable, Equatable {
    /// The item's ID.
    package var number: Int
    /// The orientation of the stored samples, as an EXIF number.
    package var orientation: Int
    /// The displayed size, in samples.
    package var shown: PixelSizeFields
  }

  /// A range of bytes in a file.
  package struct Place: Sendable, Equatable {
    package var offset: Int
    package var count: Int
  }

  /// A width and a height, in samples.
  public struct PixelSizeFields: Sendable, Equatable, Codable {
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int
  }

  /// A map that can't be used, for the reason `fault`.
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

  /// The reason why a map without numbers can't be used.
  package static let unknownBrightness = "the file does not say how bright it is"

  /// The size of the map; nil if the map can't be used.
  package var usableSize: BitmapSize? {
    fault == nil ? size.map { BitmapSize(width: $0.width, height: $0.height) } : nil
  }
}
