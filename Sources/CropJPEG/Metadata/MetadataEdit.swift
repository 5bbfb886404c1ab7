import CropCore

/// Which metadata of the source a result keeps. What could show the part that was cut away is never
/// kept.
public enum MetadataPolicy: String, Sendable, CaseIterable {
  /// All that is harmless.
  case keep
  /// All but where the picture was taken.
  case stripLocation = "location"
  /// Only what is needed to show the picture right (its ICC profile).
  case stripAll = "all"
}

/// What a crop changes in the metadata of a picture.
package struct MetadataEdit: Sendable {
  /// The stored width of the result, in pixels.
  package var width: Int
  /// The stored height of the result, in pixels.
  package var height: Int
  /// Whether what tells the place goes.
  package var dropsLocation: Bool
  /// Whether the colours are now sRGB.
  package var isSRGB: Bool
  /// How the pixels of the result are to be laid down.
  package var orientation: Orientation

  /// An edit; unless said otherwise colours stay as they are and pixels are upright.
  package init(
    width: Int, height: Int, dropsLocation: Bool, isSRGB: Bool = false,
    orientation: Orientation = .up
  ) {
    self.width = width
    self.height = height
    self.dropsLocation = dropsLocation
    self.isSRGB = isSRGB
    self.orientation = orientation
  }
}

/// EXIF, XMP and IPTC of one picture, whatever the format that holds them.
package struct MetadataBlocks: Sendable {
  /// The EXIF block, with or without its leading `Exif`; once edited from `II` or `MM` on.
  package var exif: [UInt8]?
  /// The XMP packet.
  package var xmp: [UInt8]?
  /// The IPTC-IIM records, without Photoshop's wrapping.
  package var iptc: [UInt8]?

  /// Nothing unless given.
  package init(exif: [UInt8]? = nil, xmp: [UInt8]? = nil, iptc: [UInt8]? = nil) {
    self.exif = exif
    self.xmp = xmp
    self.iptc = iptc
  }

  /// What stays after `edit`; what can't be edited is gone.
  package func edited(_ edit: MetadataEdit) -> Self {
    var kept = Self()
    if let exif { kept.exif = EXIFBlock(exif, edit: edit)?.bytes }
    if let xmp { kept.xmp = XMPPacket(xmp, edit: edit)?.bytes }
    if let iptc { kept.iptc = IPTCRecords.kept(iptc, dropsLocation: edit.dropsLocation) }
    return kept
  }

  /// Drops what no segment of a JPEG has room for.
  package mutating func dropWhatNoSegmentHolds() {
    if let exif, exif.count > JPEGSegment.mostContent - 6 { self.exif = nil }
    if let xmp, xmp.count > JPEGSegment.mostContent - 29 { self.xmp = nil }
    if let iptc, iptc.count > JPEGSegment.mostContent - 32 { self.iptc = nil }
  }

  /// Sees to it that an orientation other than upright is told.
  package mutating func tell(_ orientation: Orientation) {
    if exif == nil, orientation != .up { exif = EXIFBlock.telling(orientation) }
  }
}
