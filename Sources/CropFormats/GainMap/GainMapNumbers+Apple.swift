import CropJPEG
import CropMetadata
import Glibc

extension GainMapNumbers {
  /// The same with the numbers of Ultra HDR and ISO 21496-1 in addition to Apple's, which few
  /// programs read; nil if the image's headroom is unknown.
  ///
  /// Apple multiplies the light of a pixel by 1 + (H − 1) · f(g): g is the sample of the map, 0 to 1, f the inverse
  /// of the transfer function of BT.709, H the headroom ("Applying Apple HDR effect to your photos",
  /// developer.apple.com). ISO 21496-1 multiplies it by 2 to the power of min + (max − min) · g ^ (1/γ). Without
  /// offsets, with min = 0 and max = log2 H, both are equal for g = 0 and g = 1 (as Skia takes it,
  /// `SkXmp::getGainmapInfoApple`); γ makes them equal for g = 1/2 too. Elsewhere they differ by at most 0.06
  /// stops up to a headroom of 2.3 stops, and 0.13 stops at 3.
  package func convertedFromApple(exif: [UInt8]?) -> Self? {
    guard
      let stops = appleRatio.map({ log2($0) }) ?? exif.flatMap(AppleHeadroom.init(inEXIF:))?.stops,
      (0...Self.mostStops).contains(stops)
    else { return nil }
    let middle = log2(1 + (exp2(stops) - 1) * Self.light(0.5))
    // Without headroom, every gamma has the same effect.
    let gamma = stops > 0.001 ? -1 / log2(middle / stops) : 1
    var numbers = self
    numbers.addUltraHDR([
      ("GainMapMin", [0]), ("GainMapMax", [stops]), ("Gamma", [gamma]), ("OffsetSDR", [0]),
      ("OffsetHDR", [0]), ("HDRCapacityMin", [0]), ("HDRCapacityMax", [stops]),
    ])
    // One channel, in the image's colors; each number with its denominator.
    let fractions = [0, stops, 0, stops, gamma, 0, 0].map(Self.millionths)
    numbers.iso =
      Self.isoStart + [0, 0, 0, 0, 0x40]
      + fractions.flatMap { ByteOrder.big.bytes($0, 4) + ByteOrder.big.bytes(1_000_000, 4) }
    return numbers
  }

  /// A headroom that no screen reaches.
  private static var mostStops: Double { 16 }

  /// The identifier at the start of ISO segments.
  static var isoStart: [UInt8] {
    var start: [UInt8] = []
    start.append(isoMark)
    return start
  }

  /// The linear light of a sample (ITU-R BT.709, 3.2, inverted).
  private static func light(_ sample: Double) -> Double {
    sample < 0.081 ? sample / 4.5 : pow((sample + 0.099) / 1.099, 1 / 0.45)
  }
}
