import CropJPEG
import Glibc

extension GainMapNumbers {
  /// How the parameters are stored.
  var kinds: [GainMapInfo.Kind] {
    var kinds: [GainMapInfo.Kind] = []
    if hasUltraHDR { kinds.append(.ultraHDR) }
    if iso != nil { kinds.append(.iso) }
    if hasApple { kinds.append(.apple) }
    return kinds
  }

  /// How much brighter than white the brightest part can be, in stops; nil if only the maker note
  /// states it.
  var headroom: Double? {
    if let iso, let stops = Self.headroom(ofISO: iso) { return stops }
    if let stops = xmp.numbers(.adobe, "HDRCapacityMax").first { return stops }
    if hasUltraHDR { return xmp.numbers(.adobe, "GainMapMax").max() }
    return appleRatio.map { log2($0) }
  }
}
