import CVips
import CropCore
import CropImaging
import Foundation

@testable import CropPixels

/// Pixels in memory, to make test images and check results.
struct Raster: Equatable {
  var width: Int
  var height: Int
  var bands: Int
  /// 0 to 255, or 0 to 65,535 if `isWide`; row by row, channel by channel.
  var samples: [UInt16]
  var isWide = false

  /// An image whose samples identify their positions.
  static func coordinates(width: Int, height: Int, bands: Int, isWide: Bool = false) -> Raster {
    var raster = Raster(width: width, height: height, bands: bands, samples: [], isWide: isWide)
    let scale: UInt16 = isWide ? 251 : 1
    for y in 0..<height {
      for x in 0..<width {
        let all = [5 * x, 7 * y, 3 * x + 2 * y, 11 + x + 4 * y].map { UInt16($0 & 255) * scale }
        raster.samples += all.prefix(bands)
      }
    }
    return raster
  }

  /// One pixel.
  subscript(x: Int, y: Int) -> [UInt16] {
    let start = (y * width + x) * bands
    return Array(samples[start..<start + bands])
  }

  /// An image of the given size, made pixel by pixel.
  func mapped(width: Int, height: Int, from place: (Int, Int) -> (x: Int, y: Int)) -> Raster {
    var result = Raster(width: width, height: height, bands: bands, samples: [], isWide: isWide)
    for y in 0..<height {
      for x in 0..<width {
        let from = place(x, y)
        result.samples += self[from.x, from.y]
      }
    }
    return result
  }
}

extension Raster {
  /// The decoded contents of the file.
  init(_ file: Data, as format: ImageFormat) throws {
    self = try Runtime.exclusively { () throws(CropError) in
      do {
        let reader = SourceReader(ImageSource(bytes: file, name: "result"))
        let picture = try Picture.opened(try reader.vipsSource(), as: format, LoadOptions())
        let bytes = try picture.samples()
        let isWide = picture.format == VIPS_FORMAT_USHORT
        let samples: [UInt16] =
          isWide
          ? stride(from: 0, to: bytes.count, by: 2).map {
            UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
          } : bytes.map(UInt16.init)
        return Raster(
          width: picture.width, height: picture.height, bands: picture.bands, samples: samples,
          isWide: isWide)
      } catch {
        throw .corrupt(file: "result", detail: "\(error)")
      }
    }
  }

  /// A file of the image; WebP and TIFF are lossless.
  func file(
    _ format: ImageFormat, quality: Int = 90, isInks: Bool = false,
    tile: (width: Int, height: Int)? = nil
  ) throws -> Data {
    try Runtime.exclusively { () throws(CropError) in
      do {
        let planes = try (0..<bands).map { band throws(VipsFailure) in
          try plane(band)
        }
        var picture = try Operation.picture("bandjoin", [("in", .pictures(planes))])
        picture = try picture.relabeled(as: interpretation(isInks: isInks))
        var encoding = Encoding(
          format: format, quality: quality, subsampling: .s444, isProgressive: false)
        encoding.isExact = true
        encoding.tile = tile
        return try encoding.file(of: picture)
      } catch {
        throw .corrupt(file: "test picture", detail: "\(error)")
      }
    }
  }

  private func plane(_ band: Int) throws(VipsFailure) -> Picture {
    let values = stride(from: band, to: samples.count, by: bands).map { samples[$0] }
    let low = try Picture(samples: values.map { UInt8($0 & 255) }, width: width, height: height)
    guard isWide else { return low }
    let high = try Picture(samples: values.map { UInt8($0 >> 8) }, width: width, height: height)
    return try Operation.picture(
      "add", [("left", .picture(high.scaled(by: 256))), ("right", .picture(low))]
    ).rounded(to: VIPS_FORMAT_USHORT)
  }

  private func interpretation(isInks: Bool) -> VipsInterpretation {
    if isInks { return VIPS_INTERPRETATION_CMYK }
    if bands < 3 { return isWide ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W }
    return isWide ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB
  }
}

/// Crops `file`; its header is assumed to match the raster and `orientation`.
func cropped(
  _ raster: Raster, _ format: ImageFormat, _ recipe: CropRecipe,
  orientation: Orientation = .up, isInks: Bool = false, color: ColorModel? = nil,
  options: ResultOptions = ResultOptions()
) throws -> (result: CropResult, raster: Raster) {
  let file = try raster.file(format, isInks: isInks)
  var info = ImageInfo(
    format: format, byteCount: file.count,
    stored: BitmapSize(width: raster.width, height: raster.height), orientation: orientation)
  info.bitDepth = raster.isWide ? 16 : 8
  info.color = color ?? (isInks ? .cmyk : raster.bands < 3 ? .gray : .rgb)
  info.hasAlpha = raster.bands == 2 || (raster.bands == 4 && !isInks)
  let result = try VipsBackend().crop(
    PixelRequest(
      ImageSource(bytes: file, name: "coordinates"), info: info,
      crop: try recipe.resolved(for: info.shown), options: options))
  return (result, try Raster(result.bytes, as: result.format))
}
