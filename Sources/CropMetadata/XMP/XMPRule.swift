/// How to edit a property of an XMP packet.
///
/// Rules use the usual prefix of a namespace, whatever prefix the packet uses.
enum XMPRule: Int {
  /// Remove it: thumbnails, gain and depth maps, and lists of images that are no longer in the
  /// file; geometry of panoramas, and a photo program's frame and lens, which are no longer valid.
  case dropped
  /// Remove it if locations are removed.
  case location
  /// Remove and report it: it names positions in the old image.
  case region
  /// Remove and report it: it describes edits at positions of the old image.
  case edit
  /// Remove it; report that if it was active.
  case hasCrop
  /// Remove it together with the segments that it refers to.
  case extendedXMP
  case orientation, width, height, colorSpace
  /// Keep it; its contents are the properties of the packet.
  case description
  /// Remove and report it: the position of the old image on a sphere.
  case panorama
  /// Remove it if the density changes, which the format states.
  case density
}

extension XMPRule {
  /// For each rule, in order, a line of prefixes of names.
  ///
  /// Of Camera Raw's settings, those that depend on the frame or on the lens are removed: crop,
  /// spots, masks, red eyes, perspective; distortion, vignetting and fringes, which increase from
  /// the center of the original image. Tones, colors, sharpening and grain are valid for any part
  /// of it.
  private static var table: StaticString {
    """
    xmp:Thumbnails xmpGImg: hdrgm: GCamera: apdi: photoshop:DocumentA tiff:NativeDigest \
    exif:NativeDigest cropkit: xmlns:cropkit crs:Crop crs:Lens crs:Perspective \
    crs:Upright crs:Vignette crs:Chromatic crs:AutoLateral photomechanic:Crop Camera:
    photoshop:City photoshop:State photoshop:Country Iptc4xmpCore:Location \
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
    tiff:XResolution tiff:YResolution tiff:ResolutionUnit

    """
  }

  /// The rule for a property that `scanner` has found; nil if the property does not change.
  init?(_ name: XMPName, _ scanner: XMPScanner) {
    if let line = scanner.line(of: name, in: Self.table) {
      self.init(rawValue: line)
    } else if scanner.hasLocalPart(name, "gps") || scanner.isCoordinate(name) {
      // Any namespace: makers of drones have their own.
      self = .location
    } else {
      return nil
    }
  }
}
