/// What becomes of a property of an XMP packet.
///
/// Rules name a property by the prefix that its namespace usually has, whatever the packet calls it.
enum XMPRule: Int {
  /// It goes: thumbnails, gain and depth maps, lists of pictures that no longer follow in the file; a
  /// panorama's geometry and a photo program's frame and lens, which no longer hold.
  case dropped
  /// It goes where the place is to go.
  case location
  /// It goes, and that is told: places in the old picture.
  case region
  /// It goes, and that is told: what was to be done at places of the old picture.
  case edit
  /// It goes; that is told if it was in force.
  case hasCrop
  /// It goes, and so does what it leads to, in other segments.
  case extendedXMP
  case orientation, width, height, colorSpace
  /// It stays, and what is in it is what the packet says.
  case description
  /// It goes, and that is told: where the old picture lay on a sphere.
  case panorama
}

extension XMPRule {
  /// For each rule in turn a line of beginnings of names.
  ///
  /// Of Camera Raw's settings go those that speak of the frame or of the lens that drew it: crop,
  /// spots, masks, red eyes, perspective; distortion, vignetting and fringes, which grow from the
  /// centre of the old picture. Tones, colours, sharpening and grain hold for any part of it.
  private static var table: StaticString {
    """
    xmp:Thumbnails xmpGImg: hdrgm: GCamera: apdi: photoshop:DocumentA tiff:NativeDigest \
    exif:NativeDigest cropkit: xmlns:cropkit crs:Crop crs:Lens crs:Perspective \
    crs:Upright crs:Vignette crs:Chromatic crs:AutoLateral photomechanic:Crop Camera:
    exif:GPS photoshop:City photoshop:State photoshop:Country Iptc4xmpCore:Location \
    Iptc4xmpCore:CountryCode Iptc4xmpExt:Location
    mwg-rs: MP: acdsee-rs: Iptc4xmpExt:ImageRegion exif:SubjectArea \
    exif:SubjectLocation
    crs:Retouch crs:RedEye crs:Paint crs:Gradient crs:CircularGradient \
    crs:MaskGroup crs:RangeMask crs:DepthMap
    crs:HasCrop
    xmpNote:HasExt
    tiff:Orientation
    tiff:ImageWidth exif:PixelXDimension
    tiff:ImageLength exif:PixelYDimension
    exif:ColorSpace
    rdf:RDF
    GPano:

    """
  }

  /// The rule for a property that `scanner` has found; nil for one that stays as it is.
  init?(_ name: XMPName, _ scanner: XMPScanner) {
    guard let line = scanner.line(of: name, in: Self.table) else { return nil }
    self.init(rawValue: line)
  }
}
