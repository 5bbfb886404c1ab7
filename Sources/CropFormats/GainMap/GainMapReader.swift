import CropCore
import CropJPEG
import FoundationEssentials

extension JPEGHeaderReader {
  /// The gain map after a JPEG of the given size that ends at `end`; nil if the file does not
  /// mention one.
  mutating func gainMap(
    of base: BitmapSize, end: Int, pictures: [Int], xmp: [UInt8]?
  ) throws(CropError) -> GainMapInfo? {
    guard file.kinds.contains(.gainMap) else { return nil }
    let found: Result<FoundGainMap, GainMapFault>
    do throws(JPEGError) {
      found = try GainMapSearch(input.jpeg, mostScans: file.limits.scans).map(
        of: base, end: end, xmp: xmp, pictures: pictures)
    } catch {
      throw input.failure ?? corrupt("its gain map can't be read")
    }
    switch found {
    case .success(let map): return try gainMapInfo(map, of: base)
    case .failure(let fault): return GainMapInfo(fault: fault.words)
    }
  }

  private mutating func gainMapInfo(
    _ found: FoundGainMap, of base: BitmapSize
  ) throws(CropError) -> GainMapInfo {
    var info = GainMapInfo(
      kinds: found.numbers.kinds, size: found.size, channels: found.channels,
      headroom: found.numbers.headroom)
    if info.headroom == nil { info.headroom = try file.appleHeadroom() }
    info.scale = Double(base.width) / Double(found.size.width)
    info.place = GainMapInfo.Place(offset: found.range.lowerBound, count: found.range.count)
    return info
  }
}

extension Inspection {
  /// The headroom, in stops, that the camera's maker note in the first EXIF states.
  mutating func appleHeadroom() throws(CropError) -> Double? {
    guard let place = places.first(where: { $0.kind == .exif }) else { return nil }
    return try bytes(of: place).flatMap(AppleHeadroom.init(inEXIF:))?.stops
  }
}

extension GainMapNumbers {
  /// Reads the parameters from a map's file, which starts with its start marker.
  package init(inFile file: [UInt8]) {
    self = file.withUnsafeBytes { try? Self(inFile: JPEGInput($0)) } ?? Self()
  }
}
