import CVips
import CropImaging
import Foundation

/// The metadata that a result keeps, as libvips or this module writes it.
struct KeptMetadata {
  private let edited: EditedMetadata
  private let size: (width: Int, height: Int)

  /// Nothing, for a result of `size` pixels.
  init(size: (width: Int, height: Int)) {
    edited = EditedMetadata()
    self.size = size
  }

  /// What of `source` stays in a result of `size` pixels and the given format.
  init(
    _ source: SourceMetadata, policy: MetadataPolicy, info: ImageInfo, format: PictureFormat,
    size: (width: Int, height: Int), isSRGB: Bool
  ) {
    edited = EditedMetadata(
      source.found, policy: policy, info: info, format: format, size: size, isSRGB: isSRGB)
    self.size = size
  }

  /// What a person should know.
  var warnings: [CropWarning] {
    edited.dropped.isEmpty ? [] : [.metadataDropped(edited.dropped)]
  }

  /// Gives `picture`, whose fields are otherwise bare, what libvips itself writes into `format`.
  func attach(to picture: Picture, format: PictureFormat) throws(VipsFailure) {
    switch format {
    case .tiff:
      if let xmp = edited.xmp { picture.set(Field.xmp, to: xmp) }
      if let iptc = edited.iptc { picture.set(Field.iptc, to: iptc) }
    case .heic, .avif:
      if let xmp = edited.xmp { picture.set(Field.xmp, to: xmp) }
      if let exif = edited.exif { try picture.takeEXIF(exif) }
    case .jpeg, .png, .webp, .gif: break
    }
  }

  /// `file` with the metadata that libvips does not write, or writes in its own way.
  func written(
    into file: Data, format: PictureFormat, palette: Palette?, profile: [UInt8]?
  ) -> Data {
    switch format {
    case .jpeg:
      JPEGSegments.written(into: file, exif: edited.exif, xmp: edited.xmp, iptc: edited.iptc)
    case .png:
      PNGChunks.written(
        into: file, exif: edited.exif, xmp: edited.xmp, palette: palette, profile: profile)
    case .webp: WebPChunks.written(into: file, exif: edited.exif, xmp: edited.xmp, size: size)
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
