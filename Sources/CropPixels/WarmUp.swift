import CVips
import CropCore
import CropImaging
import Foundation
import Glibc

/// One small picture through every format, so that whatever libraries load at their first use is loaded.
enum WarmUp {
  /// Codes a picture in each format and crops, tilts, scales and converts it.
  ///
  /// What fails here (an encoder that is not there) fails again, with its reason, when it is asked for.
  static func run() {
    // One heap for all threads: decoders work one at a time, and giving memory of further heaps back
    // makes the C library look into /proc.
    mallopt(M_ARENA_MAX, 1)
    let side = 24
    let values = (0..<side * side * 3).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    guard let square = try? Picture(samples: values, width: side * 3, height: side),
      let colour = try? square.joined(with: square).joined(with: square)
    else { return }
    for format in PictureFormat.allCases {
      let encoding = Encoding(
        format: format, quality: 50, subsampling: .s420, isProgressive: false)
      guard let picture = try? colour.relabelled(as: VIPS_INTERPRETATION_sRGB),
        let file = try? encoding.file(of: picture)
      else { continue }
      crop(file, format: format, size: BitmapSize(width: side * 3, height: side))
    }
    convertInks(square)
    // Without alpha and linear light libvips scales by code it makes at run time; the room for that
    // is set up here.
    if let scaled = try? colour.resized(to: FrameSize(width: 7, height: 5)) {
      _ = try? scaled.samples()
    }
  }

  private static func crop(_ file: Data, format: PictureFormat, size: BitmapSize) {
    let info = ImageInfo(format: format, byteCount: file.count, stored: size)
    let recipe = CropRecipe(
      quarterTurns: 1, tilt: Angle(degrees: 3), shape: .ellipse,
      output: .exact(width: 4, height: 12))
    guard let crop = try? recipe.resolved(for: info.shown) else { return }
    // Converting is alike for all, and takes the longest to prepare.
    let options = ResultOptions(
      isProgressive: true, convertsToSRGB: format == .jpeg, isLinear: true)
    var work = CropWork(
      PictureSource(bytes: file, name: "warm-up"), info: info, crop: crop, options: options,
      limits: Limits())
    _ = try? work.run()
  }

  /// Loads the profiles that stand in where a picture has none, and the colour tables.
  private static func convertInks(_ square: Picture) {
    guard let inks = try? square.joined(with: square).joined(with: square).joined(with: square),
      let cmyk = try? inks.relabelled(as: VIPS_INTERPRETATION_CMYK),
      let converted = try? cmyk.inSRGB()
    else { return }
    _ = try? converted.samples()
  }
}
