import CropCore

/// What a file's header says about a picture, found without decoding a pixel.
public struct ImageInfo: Sendable, Equatable {
  /// The format, recognized by content.
  public var format: PictureFormat
  /// The size of the file, in bytes.
  public var byteCount: Int
  /// The pixels as stored, of the first or main picture.
  public var stored: BitmapSize
  /// The orientation of the stored pixels; `.up` where the file says nothing valid.
  ///
  /// For HEIC and AVIF this is what their `irot` and `imir` properties say: decoders of these formats
  /// carry it out themselves, and EXIF is not asked.
  public var orientation: Orientation
  /// The size a person sees: orientation (and a HEIF clean aperture) applied.
  public var shown: ImageSize
  /// Bits per channel, 1 to 32.
  public var bitDepth: Int
  /// How colours are stored.
  public var color: ColorModel
  /// Whether some pixels may be transparent.
  public var hasAlpha: Bool
  /// The frames of an animation, 1 for a still picture.
  public var frameCount: Int
  /// The pages of a TIFF or the independent pictures of a HEIF file, 1 elsewhere.
  public var pageCount: Int
  /// Chroma subsampling, where the format has it and the header states it.
  public var subsampling: ChromaSubsampling?
  /// The size of a cell of the grid on which a JPEG can be cut without loss, in stored pixels; nil
  /// elsewhere.
  public var gridCell: BitmapSize?
  /// Whether the picture is stored as coarse first, fine later (progressive JPEG, interlaced PNG or
  /// GIF), so that no part of it can be decoded alone.
  public var isProgressive: Bool
  /// The scans of a JPEG, 0 elsewhere.
  public var scanCount: Int
  /// The description inside the ICC profile (of a PNG the name before it), nil without one.
  public var profileName: String?
  /// What the file says of its colours beside an ICC profile, nil where it says nothing.
  ///
  /// It counts where there is no profile; code points of a PNG count before one.
  public var colorCoding: ColorCoding?
  /// How large the stored pixels are on paper, nil where the file does not say.
  public var density: PixelDensity?
  /// How long each frame of an animation is shown, in milliseconds, 0 or more; empty for a still
  /// picture.
  public var frameDurations: [Int]
  /// How many times an animation plays, 0 for ever; nil for a still picture.
  public var playCount: Int?
  /// The gain map, with which a screen shows more light; nil where the file speaks of none.
  public var gainMap: GainMapInfo?
  /// Which metadata the file holds, in the order of `allCases`.
  public var metadata: [MetadataKind]
  /// What a person should know about the file.
  public var warnings: [CropWarning]

  /// What is known of a picture of the given size; the rest is the plainest there is.
  public init(
    format: PictureFormat, byteCount: Int, stored: BitmapSize, orientation: Orientation = .up,
    shown: ImageSize? = nil, bitDepth: Int = 8, color: ColorModel = .rgb, hasAlpha: Bool = false,
    frameCount: Int = 1, pageCount: Int = 1, subsampling: ChromaSubsampling? = nil,
    gridCell: BitmapSize? = nil, isProgressive: Bool = false, scanCount: Int = 0,
    profileName: String? = nil, colorCoding: ColorCoding? = nil, density: PixelDensity? = nil,
    frameDurations: [Int] = [], playCount: Int? = nil,
    gainMap: GainMapInfo? = nil, metadata: [MetadataKind] = [], warnings: [CropWarning] = []
  ) {
    self.format = format
    self.byteCount = byteCount
    self.stored = stored
    self.orientation = orientation
    self.shown = shown ?? OrientationMap<BitmapSpace, ImageSpace>(orientation, of: stored).target
    self.bitDepth = bitDepth
    self.color = color
    self.hasAlpha = hasAlpha
    self.frameCount = frameCount
    self.pageCount = pageCount
    self.subsampling = subsampling
    self.gridCell = gridCell
    self.isProgressive = isProgressive
    self.scanCount = scanCount
    self.profileName = profileName
    self.colorCoding = colorCoding
    self.density = density
    self.frameDurations = frameDurations
    self.playCount = playCount
    self.gainMap = gainMap
    self.metadata = metadata
    self.warnings = warnings
  }
}

/// How a picture's colours are stored.
public enum ColorModel: String, Sendable, Codable, CaseIterable {
  /// Brightness alone.
  case gray
  /// Red, green and blue, also as luma and chroma.
  case rgb
  /// Indexes into a table of colours.
  case palette
  /// Four inks, also as YCCK.
  case cmyk
  /// CIE L*a*b*.
  case lab
}

/// How coarse the colour channels of a picture are against its brightness.
public enum ChromaSubsampling: String, Sendable, Codable, CaseIterable {
  /// As fine.
  case s444 = "444"
  /// Half the columns.
  case s422 = "422"
  /// Half the columns and half the rows.
  case s420 = "420"
  /// Half the rows.
  case s440 = "440"
  /// A quarter of the columns.
  case s411 = "411"
  /// Anything else.
  case other
}

/// A kind of data in a file that is not the picture itself.
public enum MetadataKind: String, Sendable, Codable, CaseIterable {
  /// EXIF: camera, date, orientation.
  case exif
  /// A place, inside EXIF.
  case location
  /// A small picture of the whole.
  case thumbnail
  /// A larger picture of the whole, as cameras put one behind a JPEG or into their maker notes.
  case preview
  /// XMP.
  case xmp
  /// An ICC profile.
  case icc
  /// Photoshop resources, IPTC among them.
  case photoshop
  /// Further pictures in the same file: a table of them (CIPA DC-007), mattes and their like.
  case multiPicture = "multi-picture"
  /// The frames of a HEIC or AVIF that is a sequence too; only its main picture is read.
  case sequence
  /// A gain map, with which a screen shows more light.
  case gainMap = "gain-map"
  /// A depth map.
  case depthMap = "depth-map"
  /// Content credentials (JUMBF, C2PA).
  case credentials
  /// Comments and text chunks.
  case text
  /// Places in the picture: the subject's area, faces, regions with a name.
  case regions
  /// What a photo program is to do at places of the picture: its crop, spots, masks.
  case edits
  /// The part of XMP that lies apart from the packet.
  case extendedXMP = "extended-xmp"
  /// Where the picture lies on a sphere (GPano), which no crop keeps. Told of as lost; not looked for in a
  /// picture that is only read.
  case panorama
  /// What holds a picture beside its own purpose, as maker notes of cameras do. Told of as lost; not looked for
  /// in a picture that is only read.
  case embeddedPictures = "embedded-pictures"
  /// A video behind the picture, as motion photos have it.
  case video
  /// Samsung's own data behind the picture.
  case samsungTrailer = "samsung-trailer"
  /// Application segments of makers that are not known here.
  case applicationData = "application-data"
  /// Bytes after the picture's end that nothing else here names.
  case trailer
}

extension MetadataKind {
  /// What a person calls it, such as `GPS position`.
  public var displayName: String {
    switch self {
    case .exif: "EXIF"
    case .location: "GPS position"
    case .thumbnail: "thumbnail"
    case .preview: "preview"
    case .xmp: "XMP"
    case .icc: "ICC profile"
    case .photoshop: "IPTC and Photoshop data"
    case .multiPicture: "further pictures"
    case .sequence: "sequence of pictures"
    case .gainMap: "HDR gain map"
    case .depthMap: "depth map"
    case .credentials: "content credentials"
    case .text: "comments"
    case .regions: "places of faces and subjects"
    case .edits: "a photo program's crop, spots and masks"
    case .extendedXMP: "extended XMP"
    case .embeddedPictures: "maker notes and other data with a picture inside"
    case .panorama: "panorama geometry (GPano)"
    case .video: "video (motion photo)"
    case .samsungTrailer: "Samsung's data after the end"
    case .applicationData: "application data of an unknown kind"
    case .trailer: "bytes after the end"
    }
  }
}
