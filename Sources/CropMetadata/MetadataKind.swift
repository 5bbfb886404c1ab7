/// A kind of data in an image file in addition to the image.
public enum MetadataKind: String, Sendable, CaseIterable {
  /// EXIF: camera, date, orientation.
  case exif
  /// A GPS position in EXIF or XMP, or the position of a map in a TIFF.
  case location
  /// A small version of the complete image.
  case thumbnail
  /// A larger version of the complete image, which cameras append to a JPEG or store in their maker
  /// notes.
  case preview
  /// XMP.
  case xmp
  /// An ICC profile.
  case icc
  /// Photoshop resources, including IPTC.
  case photoshop
  /// Further images in the same file: those in a multi-picture index (CIPA DC-007), mattes and
  /// similar.
  case multiPicture = "multi-picture"
  /// The frames of a HEIC or AVIF that also contains a sequence; only its main image is read.
  case sequence
  /// A gain map, which makes parts of the image brighter on an HDR screen.
  case gainMap = "gain-map"
  /// A depth map.
  case depthMap = "depth-map"
  /// Content credentials (JUMBF, C2PA).
  case credentials
  /// Comments and text chunks.
  case text
  /// Positions in the image: the subject area, faces, named regions.
  case regions
  /// Edits of a photo program that refer to positions in the image: its crop, spots, masks.
  case edits
  /// The part of XMP that is stored outside the main packet.
  case extendedXMP = "extended-xmp"
  /// The position of the image on a sphere (GPano), which no crop keeps. It is only reported as
  /// dropped, not in the information about a file.
  case panorama
  /// Metadata that may contain images, such as the maker notes of cameras. It is only reported as
  /// dropped, not in the information about a file.
  case embeddedPictures = "embedded-pictures"
  /// A video after the image, as in motion photos.
  case video
  /// Samsung's data after the image.
  case samsungTrailer = "samsung-trailer"
  /// Data to restore the JPEG that the image was made from.
  case originalJPEG = "original-jpeg"
  /// Application segments, chunks, fields, extensions and boxes of an unknown type.
  case applicationData = "application-data"
  /// Bytes after the end of the image that belong to no other kind.
  case trailer
}

extension [MetadataKind] {
  /// Those that no result keeps, since they show the cut-off part: embedded images, which are always
  /// reported, and the rest unless metadata were to be removed. Gain maps are not included, since
  /// they are cropped.
  package func neverKept(under policy: MetadataPolicy) -> [MetadataKind] {
    filter { kind in
      switch kind {
      case .preview, .multiPicture, .sequence, .depthMap, .video: true
      case .credentials, .samsungTrailer, .originalJPEG, .applicationData, .trailer:
        policy != .stripAll
      default: false
      }
    }
  }
}

extension MetadataLoss {
  /// The losses as kinds of metadata, for warnings.
  package var kinds: [MetadataKind] {
    var kinds: [MetadataKind] = []
    if contains(.regions) { kinds.append(.regions) }
    if contains(.edits) { kinds.append(.edits) }
    if contains(.extendedXMP) { kinds.append(.extendedXMP) }
    if contains(.comments) { kinds.append(.text) }
    if contains(.pictures) { kinds.append(.embeddedPictures) }
    if contains(.panorama) { kinds.append(.panorama) }
    if contains(.previews) { kinds.append(.preview) }
    return kinds
  }
}
