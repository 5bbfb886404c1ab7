import CropCore
import CropImaging

// Several crops of one picture.
extension CropWork {
  /// The picture this crop is made of: its own, or the part of it that crops of one picture share.
  func stored(from reader: SourceReader) throws -> DecodedPicture {
    if let kept = try keptPixels(), kept.picture.holds(crop), kept.page == options.page {
      if hasRoom(beside: kept.picture) { return kept.picture }
      source.pixels?.leave(.refused, for: source)
    }
    return try decoded(from: reader)
  }

  /// Whether the result can be coded while the pixels that are shared stay in memory.
  private func hasRoom(beside kept: DecodedPicture) -> Bool {
    let coding = MemoryEstimate.coding(
      width: crop.output.width, height: crop.output.height, as: format, .s444)
    return kept.byteCount + coding <= limits.memory
  }

  private func decoded(from reader: SourceReader) throws -> DecodedPicture {
    let picture = try DecodedPicture(
      reader, source: source, info: info, options: options, limits: limits)
    deadline.watch(picture.picture)
    return picture
  }

  /// The pixels that crops share, decoded now if this is the first of them; nil where each decodes for
  /// itself.
  private func keptPixels() throws -> KeptPixels? {
    // Damage that is passed over would be reported for one crop only.
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
    // The other half is for the crops themselves.
    try picture.checkMemory(
      info: info, file: source.name, held: rect.width * rect.height, limits: half)
    return KeptPixels(picture: try picture.holding(rect), page: options.page)
  }

  /// Whether decoding all that the crops span costs no more than decoding each.
  private func isWorthKeeping(_ demand: SharedPixels.Demand) -> Bool {
    // Tiles are decoded alone; of anything else, all that comes before.
    guard info.format == .tiff else { return true }
    if let page = source.tiffCoding(page: options.page.first - 1), page.tile == nil {
      return true
    }
    return demand.rect.width * demand.rect.height <= demand.count
  }
}

/// The part of a picture that is in memory. Used by one thread at a time, as all of libvips.
private struct KeptPixels: @unchecked Sendable {
  let picture: DecodedPicture
  /// The choice that it was opened by.
  let page: PageChoice
}
