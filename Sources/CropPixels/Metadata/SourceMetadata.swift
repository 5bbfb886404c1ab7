import CropImaging

/// The metadata of a source as its decoder found it.
struct SourceMetadata {
  /// The EXIF block, with or without its leading `Exif`.
  let exif: [UInt8]?
  /// The XMP packet.
  let xmp: [UInt8]?
  /// The IPTC-IIM records, without Photoshop's wrapping.
  let iptc: [UInt8]?

  /// What `picture`, just opened, brings along.
  init(_ picture: Picture) {
    exif = picture.bytes(Field.exif)
    xmp = picture.bytes(Field.xmp)
    iptc = picture.bytes(Field.iptc).flatMap(IPTCRecords.unwrapped)
  }
}
