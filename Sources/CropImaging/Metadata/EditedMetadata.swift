import CropCore

/// The metadata that a result keeps, edited for it, whatever its format and whoever writes it.
package struct EditedMetadata: Sendable {
  /// The EXIF block, from `II` or `MM` on.
  package private(set) var exif: [UInt8]?
  /// The XMP packet.
  package private(set) var xmp: [UInt8]?
  /// The IPTC-IIM records, without Photoshop's wrapping.
  package private(set) var iptc: [UInt8]?
  /// What the source has and the result has not, though it was to be kept.
  package private(set) var dropped: [MetadataKind] = []

  /// Metadata as a source holds it.
  package struct Found: Sendable {
    /// The EXIF block, with or without its leading `Exif`.
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
  }

  /// Nothing.
  package init() {}

  /// What of `found` stays in a result of the given format whose stored pixels are `size`, laid down
  /// by `orientation`.
  package init(
    _ found: Found, policy: MetadataPolicy, info: ImageInfo, format: PictureFormat,
    size: (width: Int, height: Int), isSRGB: Bool = false, orientation: Orientation = .up
  ) {
    if policy != .stripAll {
      let edit = EXIFBlock.Edit(
        width: size.width, height: size.height, dropsLocation: policy == .stripLocation,
        isSRGB: isSRGB, orientation: orientation)
      dropped = info.metadata.filter {
        [.gainMap, .multiPicture, .credentials, .trailer].contains($0)
      }
      exif = found.exif.flatMap { EXIFBlock($0, edit: edit)?.bytes }
      xmp = found.xmp.flatMap { XMPPacket($0, edit: edit)?.bytes }
      iptc = found.iptc.flatMap {
        IPTCRecords.kept($0, dropsLocation: policy == .stripLocation)
      }
      keepWhatFits(format)
      if info.metadata.contains(.exif), exif == nil { dropped.append(.exif) }
      if found.xmp != nil, xmp == nil { dropped.append(.xmp) }
      if found.iptc != nil, iptc == nil { dropped.append(.photoshop) }
    }
    if exif == nil, orientation != .up { exif = EXIFBlock.telling(orientation) }
  }

  private mutating func keepWhatFits(_ format: PictureFormat) {
    switch format {
    case .jpeg:
      if let exif, exif.count > JPEGSegments.largest - 6 { self.exif = nil }
      if let xmp, xmp.count > JPEGSegments.largest - 29 { self.xmp = nil }
      if let iptc, iptc.count > JPEGSegments.largest - 32 { self.iptc = nil }
    case .png, .webp, .heic, .avif: iptc = nil
    case .tiff: break
    case .gif: (exif, xmp, iptc) = (nil, nil, nil)
    }
  }
}
