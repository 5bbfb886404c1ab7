import CropCore
import CropJPEG
import FoundationEssentials

extension Inspection {
  /// The gain map after a JPEG of the given size that ends at `end`; nil if the file does not
  /// mention one.
  mutating func gainMap(
    of base: BitmapSize, end: Int, pictures: [Int], xmp: [UInt8]?
  ) throws(CropError) -> GainMapInfo? {
    guard kinds.contains(.gainMap) else { return nil }
    let input = SourceInput(reader.source)
    let found: Result<FoundGainMap, GainMapFault>
    do throws(JPEGError) {
      found = try GainMapSearch(input.jpeg, mostScans: limits.scans).map(
        of: base, end: end, xmp: xmp, pictures: pictures)
    } catch {
      throw input.failure ?? corrupt("its gain map can't be read")
    }
    switch found {
    case .success(let map): return try info(map, of: base)
    case .failure(let fault): return GainMapInfo(fault: fault.words)
    }
  }

  private mutating func info(
    _ found: FoundGainMap, of base: BitmapSize
  ) throws(CropError) -> GainMapInfo {
    var info = GainMapInfo(
      kinds: found.numbers.kinds, size: found.size, channels: found.channels,
      headroom: found.numbers.headroom)
    if info.headroom == nil, let place = places.first(where: { $0.kind == .exif }),
      let exif = try bytes(of: place)
    {
      info.headroom = AppleHeadroom(inEXIF: exif)?.stops
    }
    info.scale = Double(base.width) / Double(found.size.width)
    info.place = GainMapInfo.Place(offset: found.range.lowerBound, count: found.range.count)
    return info
  }
}

extension GainMapNumbers {
  /// Reads the parameters from a map's file, which starts with its start marker.
  package init(inFile file: [UInt8]) {
    self = file.withUnsafeBytes { try? Self(inFile: JPEGInput($0)) } ?? Self()
  }
}
