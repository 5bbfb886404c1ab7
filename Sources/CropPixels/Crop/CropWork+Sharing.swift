import CropCore
import CropImaging

// Several crops of one image.
extension CropWork {
  /// The image to crop: decoded for this crop, or the part that several crops share.
  func stored(from reader: SourceReader) throws -> DecodedPicture {
    if let kept = try keptPixels(), kept.picture.holds(crop), kept.page == options.page {
      if hasRoom(beside: kept.picture) { return kept.picture }
      source.pixels?.leave(.refused, for: source)
    }
    return try decoded(from: reader)
  }

  /// Whether the result can be encoded while the shared pixels stay in memory.
  private func hasRoom(beside kept: DecodedPicture) -> Bool {
    let coding = MemoryEstimate.coding(
      width: size.width, height: size.height, as: format, .s444)
    return kept.byteCount + coding <= limits.memory
  }

  private func decoded(from reader: SourceReader) throws -> DecodedPicture {
    let picture = try DecodedPicture(
      reader, source: source, info: info, options: options, limits: limits)
    deadline.watch(picture.picture)
    return picture
  }

  /// The shared pixels, decoded now if this is the first crop that needs them; nil if each crop
  /// decodes separately.
  private func keptPixels() throws -> KeptPixels? {
    // Ignored damage would be reported for only one of the crops.
    guard let shared = source.pixels, !options.isLenient else { return nil }
    switch shared.state(for: source) {
    case .kept(let pixels): return pixels as? KeptPixels
    case .refused: return nil
    case .none: break
    }
    // An error outside this crop must not make it fail.
    guard isWorthKeeping(shared.demand), let pixels = try? pixels(of: shared.demand.rect) else {
      Messages.clear()
      _ = Messages.takeWarnings()
      shared.leave(.refused, for: source)
      return nil
    }
    shared.leave(.kept(pixels), for: source)
    return pixels
  }

  private func pixels(of rect: ImageRect) throws -> KeptPixels {
    let reader = try SourceReader(source, info: info, page: options.page.first)
    let picture = try decoded(from: reader)
    var half = limits
    half.memory /= 2
    // The other half is for the crops.
    try picture.checkMemory(
      info: info, file: source.name, held: rect.width * rect.height, limits: half)
    return KeptPixels(picture: try picture.holding(rect), page: options.page)
  }

  /// Whether decoding the area of all crops at once costs no more than decoding each separately.
  private func isWorthKeeping(_ demand: SharedPixels.Demand) -> Bool {
    // Tiles can be decoded separately; in other files, everything before the part must be decoded.
    guard info.format == .tiff else { return true }
    if let page = source.tiffCoding(page: options.page.first - 1), page.tile == nil {
      return true
    }
    return demand.rect.width * demand.rect.height <= demand.count
  }
}

/// The part of an image that is in memory. Only one thread uses it at a time, like all of libvips.
private struct KeptPixels: @unchecked Sendable {
  let picture: DecodedPicture
  let page: PageChoice
}
