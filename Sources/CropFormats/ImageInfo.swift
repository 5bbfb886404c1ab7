import CropCore
import CropMetadata

/// The properties of an image file, read without decoding pixels.
public struct ImageInfo: Sendable, Equatable {
  /// The format, detected by content.
  public var format: ImageFormat
  /// The size of the file, in bytes.
  public var byteCount: Int
  /// The stored size of the first or main image, in pixels.
  public var stored: BitmapSize
  /// The orientation of the stored pixels; `.up` if the file does not state a valid one.
  ///
  /// In HEIC and AVIF, the `irot` and `imir` properties determine it, because decoders of these
  /// formats apply them and ignore EXIF.
  public var orientation: Orientation
  /// The displayed size, in pixels: with the orientation (and a HEIF clean aperture) applied.
  public var shown: ImageSize
  /// Bits per channel, 1 to 32.
  public var bitDepth = 8
  /// The kind of channels.
  public var color = ColorModel.rgb
  /// Whether some pixels may be transparent.
  public var hasAlpha = false
  /// The number of frames of an animation; 1 for a still image.
  public var frameCount = 1
  /// The number of pages of a TIFF or of independent images in a HEIF file; 1 for other files.
  public var pageCount = 1
  /// The chroma subsampling; nil if the format has none or the header does not state it.
  public var subsampling: ChromaSubsampling?
  /// The size of a cell of the grid on which a JPEG can be cut losslessly, in stored pixels; nil
  /// for other formats.
  public var gridCell: BitmapSize?
  /// Whether the image is stored from coarse to fine (progressive JPEG, interlaced PNG or GIF), so
  /// that no part of it can be decoded separately.
  public var isProgressive = false
  /// Whether it is a JPEG whose blocks can be copied without libjpeg: sequential, with Huffman codes.
  public var isCuttable = false
  /// The number of scans of a JPEG; 0 for other formats.
  public var scanCount = 0
  /// The description in the ICC profile, or the profile's name in a PNG; nil without a profile.
  public var profileName: String?
  /// The color space that is stated outside an ICC profile; nil if there is none.
  ///
  /// It is used if there is no profile. Code points in a PNG take precedence over a profile.
  public var colorCoding: ColorCoding?
  /// The resolution for printing; nil if the file does not state it.
  public var density: PixelDensity?
  /// The duration of each frame of an animation, in milliseconds, 0 or more; empty for a still
  /// image.
  public var frameDurations: [Int] = []
  /// How many times an animation plays, 0 for endlessly; nil for a still image.
  public var playCount: Int?
  /// The gain map, which makes parts of the image brighter on an HDR screen; nil if the file has
  /// none.
  public var gainMap: GainMapInfo?
  /// The kinds of metadata in the file, in the order of `allCases`.
  public var metadata: [MetadataKind] = []
  /// Warnings about the file.
  public var warnings: [CropWarning] = []

  /// Information about an image of the given size, with defaults for everything else.
  public init(
    format: ImageFormat, byteCount: Int, stored: BitmapSize, orientation: Orientation = .up,
    shown: ImageSize? = nil
  ) {
    self.format = format
    self.byteCount = byteCount
    self.stored = stored
    self.orientation = orientation
    self.shown = shown ?? OrientationMap<BitmapSpace, ImageSpace>(orientation, of: stored).target
  }
}

/// The kind of channels in which colors are stored.
public enum ColorModel: String, Sendable, Codable, CaseIterable {
  /// Grayscale.
  case gray
  /// Red, green and blue, possibly stored as luma and chroma.
  case rgb
  /// Indexes into a color table.
  case palette
  /// Four inks, possibly stored as YCCK.
  case cmyk
  /// CIE L*a*b*.
  case lab
}

/// The resolution of an image's chroma channels, relative to luma.
public enum ChromaSubsampling: String, Sendable, Codable, CaseIterable {
  /// The full resolution.
  case s444 = "444"
  /// Half the columns.
  case s422 = "422"
  /// Half the columns and half the rows.
  case s420 = "420"
  /// Half the rows.
  case s440 = "440"
  /// A quarter of the columns.
  case s411 = "411"
  /// Any other ratio.
  case other
}

extension ImageInfo {
  /// The size of a cell of the grid on which a JPEG can be cut losslessly, in pixels of the upright
  /// image; nil for other formats.
  ///
  /// The grid starts at the corner of the first stored pixel, which is not always the top left.
  public var shownGridCell: ImageSize? {
    gridCell.map { OrientationMap<BitmapSpace, ImageSpace>(orientation, of: $0).target }
  }

  /// The properties of the JPEG that determine whether a crop can be lossless; nil for other
  /// formats.
  public var storedJPEG: StoredJPEG? {
    gridCell.map { cell in
      StoredJPEG(
        grid: JPEGGrid(size: stored, cellWidth: cell.width, cellHeight: cell.height),
        orientation: orientation)
    }
  }
}
