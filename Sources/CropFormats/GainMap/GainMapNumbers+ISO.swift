import CropJPEG
import CropMetadata

/// The parameters of ISO 21496-1 (annex C.2) as numbers.
struct ISOGainMapNumbers {
  /// The parameters of a channel.
  struct Channel: Equatable {
    var least: Double
    var most: Double
    var gamma: Double
    var baseOffset: Double
    var alternateOffset: Double
  }

  /// How much brighter than white the image itself and the image with its map are, in stops.
  let base, alternate: Double
  /// The parameters of all channels or, if there are three entries, of each one.
  let channels: [Channel]
  /// Whether the map applies to colors of the image's own color space.
  let usesBaseColors: Bool

  /// Reads the content of a segment that `GainMapNumbers.numbers(ofISO:)` returned.
  init?(_ content: [UInt8]) {
    let flags = content.number(GainMapNumbers.isoStart.count + 4, size: 1, order: .big)
    guard let flags else { return nil }
    let isCommon = flags & 0x08 != 0
    var place = GainMapNumbers.isoStart.count + 5
    func next() -> Int? {
      defer { place += 4 }
      return content.number(place, size: 4, order: .big)
    }
    let common = isCommon ? next() : nil
    var isComplete = true
    func fraction(isSigned: Bool) -> Double {
      guard let over = next(), let under = common ?? next(), under > 0 else {
        isComplete = false
        return 0
      }
      let number = isSigned ? Int(Int32(truncatingIfNeeded: over)) : over
      return Double(number) / Double(under)
    }
    base = fraction(isSigned: false)
    alternate = fraction(isSigned: false)
    channels = (0..<(flags & 0x80 != 0 ? 3 : 1)).map { _ in
      Channel(
        least: fraction(isSigned: true), most: fraction(isSigned: true),
        gamma: fraction(isSigned: false), baseOffset: fraction(isSigned: true),
        alternateOffset: fraction(isSigned: true))
    }
    usesBaseColors = flags & 0x40 != 0
    guard isComplete else { return nil }
  }
}

extension GainMapNumbers {
  /// The same in the forms that readers of JPEGs know: Ultra HDR and ISO 21496-1, in addition to
  /// Apple's; nil if the numbers don't say how bright the map is, or can't be expressed.
  ///
  /// Ultra HDR has no numbers for an image that is itself the brighter one, and none for a map of
  /// three channels in another color space than the image's; then only those of ISO 21496-1 are
  /// written, or none.
  package func inJPEG(exif: [UInt8]?) -> Self? {
    guard let iso else { return convertedFromApple(exif: exif) }
    guard let found = ISOGainMapNumbers(iso) else { return nil }
    if !found.usesBaseColors, found.channels.count > 1 { return nil }
    guard !hasUltraHDR, found.base < found.alternate else { return self }
    var numbers = self
    let channels = found.channels
    numbers.addUltraHDR([
      ("GainMapMin", channels.map(\.least)), ("GainMapMax", channels.map(\.most)),
      ("Gamma", channels.map(\.gamma)), ("OffsetSDR", channels.map(\.baseOffset)),
      ("OffsetHDR", channels.map(\.alternateOffset)), ("HDRCapacityMin", [found.base]),
      ("HDRCapacityMax", [found.alternate]),
    ])
    return numbers
  }
  /// Adds the properties of Ultra HDR: each number with its name, one for all channels or one for
  /// each.
  mutating func addUltraHDR(_ properties: [(StaticString, [Double])]) {
    xmp.add(.adobe, "Version", [Array("1.0".utf8)])
    for (name, numbers) in properties {
      let isOne = Set(numbers).count == 1
      xmp.add(
        .adobe, name,
        (isOne ? Array(numbers.prefix(1)) : numbers).map { Array(Self.decimal($0).utf8) })
    }
    xmp.add(.adobe, "BaseRenditionIsHDR", [Array("False".utf8)])
  }

  /// A number with six decimals.
  private static func decimal(_ number: Double) -> String {
    let millionths = millionths(abs(number))
    let rest = String(millionths % 1_000_000)
    return (number < 0 ? "-" : "") + "\(millionths / 1_000_000)."
      + String(repeating: "0", count: 6 - rest.count) + rest
  }

  static func millionths(_ number: Double) -> Int { Int((number * 1e6).rounded()) }
}
