import CropCore
import CropMetadata
import Glibc

/// What a gain map says of itself, as it is written in its own file: kept word for word.
struct GainMapNumbers {
  /// Its XMP, as far as it speaks of the map.
  var xmp = XMPProperties([])
  /// The content of its segment of ISO 21496-1, exactly as long as its numbers are.
  var iso: [UInt8]?
  /// The pieces of its ICC profile, which some programs give it.
  var profile: [[UInt8]] = []

  /// What ISO's segments begin with.
  static let isoMark = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)

  /// The ways in which the numbers are written.
  var kinds: [GainMapInfo.Kind] {
    var kinds: [GainMapInfo.Kind] = []
    if hasAdobe { kinds.append(.ultraHDR) }
    if iso != nil { kinds.append(.iso) }
    if hasApple { kinds.append(.apple) }
    return kinds
  }

  /// A map of Ultra HDR says how bright it gets; what it does not say has a usual value.
  private var hasAdobe: Bool {
    !xmp.values(.adobe, "Version").isEmpty && !xmp.numbers(.adobe, "GainMapMax").isEmpty
  }

  private var hasApple: Bool {
    xmp.values(.apple, "AuxiliaryImageType").contains { $0.hasSuffix(":hdrgainmap") }
      || !xmp.values(.apple, "HDRGainMapVersion").isEmpty
  }

  /// How much brighter than white the brightest part can be, in stops; nil where only the maker note says it.
  var headroom: Double? {
    if let iso, let stops = Self.headroom(ofISO: iso) { return stops }
    if let stops = xmp.numbers(.adobe, "HDRCapacityMax").first { return stops }
    if hasAdobe { return xmp.numbers(.adobe, "GainMapMax").max() }
    guard let ratio = xmp.numbers(.apple, "HDRGainMapHeadroom").first, ratio >= 1 else {
      return nil
    }
    return log2(ratio)
  }
}

extension GainMapNumbers {
  /// The exact content of a segment of ISO 21496-1 (annex C.2) that holds a map's numbers; nil where it is too
  /// short for what its flags announce, or a number is divided by 0.
  ///
  /// Behind the mark: two versions of 16 bits; flags; two headrooms and, for one or three channels, least and
  /// greatest gain, gamma and two offsets: fractions of 32 bits each, or numerators with one denominator.
  static func numbers(ofISO content: [UInt8]) -> [UInt8]? {
    let start = isoMark.count + 5
    guard content.starts(with: isoMark), content.count > start else { return nil }
    let flags = content[start - 1]
    let channels = flags & 0x80 != 0 ? 3 : 1
    let isCommon = flags & 0x08 != 0
    let length = isCommon ? 12 + 20 * channels : 16 + 40 * channels
    guard content.count >= start + length else { return nil }
    let places = isCommon ? [0] : Array(stride(from: 4, to: length, by: 8))
    guard places.allSatisfy({ (content.number(start + $0, size: 4, order: .big) ?? 0) > 0 }) else {
      return nil
    }
    return Array(content[..<(start + length)])
  }

  private static func headroom(ofISO content: [UInt8]) -> Double? {
    let start = isoMark.count + 5
    let isCommon = content[start - 1] & 0x08 != 0
    guard let over = content.number(start + 8, size: 4, order: .big),
      let under = content.number(start + (isCommon ? 0 : 12), size: 4, order: .big), under > 0
    else { return nil }
    return Double(over) / Double(under)
  }
}
