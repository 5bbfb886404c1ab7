import CVips
import CropImaging
import Foundation

/// The metadata that a result keeps, edited for it.
struct KeptMetadata {
  private var exif: [UInt8]?
  private var xmp: [UInt8]?
  private var iptc: [UInt8]?
  private(set) var warnings: [CropWarning] = []
  private let size: (width: Int, height: Int)

  /// Nothing, for a result of `size` pixels.
  init(size: (width: Int, height: Int)) { self.size = size }

  /// What of `source` stays in a result of `size` pixels and the given format.
  init(
    _ source: SourceMetadata, policy: MetadataPolicy, info: ImageInfo, format: PictureFormat,
    size: (width: Int, height: Int), isSRGB: Bool
  ) {
    self.size = size
    guard policy != .stripAll else { return }
    let edit = EXIFBlock.Edit(
      width: size.width, height: size.height, dropsLocation: policy == .stripLocation,
      isSRGB: isSRGB)
    var dropped = info.metadata.filter {
      [.gainMap, .multiPicture, .credentials, .trailer].contains($0)
    }
    let block = source.exif.flatMap { EXIFBlock($0, edit: edit) }
    exif = block?.bytes
    xmp = source.xmp.flatMap { XMPPacket($0, edit: edit)?.bytes }
    iptc = source.iptc.flatMap {
      IPTCRecords.kept($0, dropsLocation: policy == .stripLocation)
    }
    keepWhatFits(format)
    if info.metadata.contains(.exif), exif == nil { dropped.append(.exif) }
    if source.xmp != nil, xmp == nil { dropped.append(.xmp) }
    if source.iptc != nil, iptc == nil { dropped.append(.photoshop) }
    if !dropped.isEmpty { warnings.append(.metadataDropped(dropped)) }
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

  /// Gives `picture`, whose fields are otherwise bare, what libvips itself writes into `format`.
  func attach(to picture: Picture, format: PictureFormat) throws(VipsFailure) {
    switch format {
    case .tiff:
      if let xmp { picture.set(Field.xmp, to: xmp) }
      if let iptc { picture.set(Field.iptc, to: iptc) }
    case .heic, .avif:
      if let xmp { picture.set(Field.xmp, to: xmp) }
      if let exif { try picture.takeEXIF(exif) }
    case .jpeg, .png, .webp, .gif: break
    }
  }

  /// `file` with the metadata that libvips does not write, or writes in its own way.
  func written(
    into file: Data, format: PictureFormat, palette: Palette?, profile: [UInt8]?
  ) -> Data {
    switch format {
    case .jpeg: JPEGSegments.written(into: file, exif: exif, xmp: xmp, iptc: iptc)
    case .png:
      PNGChunks.written(into: file, exif: exif, xmp: xmp, palette: palette, profile: profile)
    case .webp: WebPChunks.written(into: file, exif: exif, xmp: xmp, size: size)
    case .tiff: file
    case .gif, .heic, .avif: file
    }
  }
}

extension Picture {
  /// Takes an EXIF block as libvips' savers want it: as fields that its JPEG loader made.
  fileprivate func takeEXIF(_ exif: [UInt8]) throws(VipsFailure) {
    let pixel = try Operation.picture("black", [("width", .int(1)), ("height", .int(1))])
    let plain = try Encoding(format: .jpeg, quality: 50, subsampling: .s444, isProgressive: false)
      .file(of: pixel)
    let carrier = JPEGSegments.written(into: plain, exif: exif, xmp: nil, iptc: nil)
    let reader = SourceReader(PictureSource(bytes: carrier, name: "EXIF"))
    let loaded = try Picture.opened(try reader.vipsSource(), as: .jpeg, Opening())
    for field in loaded.fields where field.hasPrefix("exif-") {
      var value = GValue()
      guard vips_image_get(loaded.image, field, &value) == 0 else { continue }
      vips_image_set(image, field, &value)
      g_value_unset(&value)
    }
  }
}
