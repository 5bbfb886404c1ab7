import FoundationEssentials

extension HEIFWork {
  /// The complete file with these items: boxes keep their order, and new data are in a box at the
  /// end.
  ///
  /// - Parameters:
  ///   - zeroing: boxes of which only the data of kept items are copied.
  ///   - keeps: whether a box stays.
  mutating func file(
    zeroing: [HEIFBox] = [], keeps: (HEIFBox) -> Bool = { _ in true }
  ) -> Data? {
    let top = heif.top
    // The boxes before and after `meta` that are kept, with their headers.
    var starts: [Int] = [0]
    for box in top { starts.append(box.end) }
    let kept = top.indices.filter { keeps(top[$0]) }
    // The positions of all items depend on the size of the box that lists them, but not the
    // reverse: every position is an 8-byte number.
    let draft = meta { $0 }
    let brands = brand.map { Array($0.utf8) } ?? []
    var moved: [(from: Range<Int>, to: Int)] = []
    var at = 0
    for index in kept {
      let range = starts[index]..<top[index].end
      moved.append((range, at))
      switch top[index].type {
      case "meta": at += draft.count
      case "ftyp": at += range.count + brands.count
      default: at += range.count
      }
    }
    base = at + 8
    let final = meta { offset in
      guard let hit = moved.first(where: { $0.from.contains(offset) }) else { return 0 }
      return hit.to + offset - hit.from.lowerBound
    }
    guard final.count == draft.count else { return nil }
    var clean = bytes.data
    for range in dead + spare(in: zeroing) where range.upperBound <= bytes.count {
      clean.replaceSubrange(
        clean.startIndex + range.lowerBound..<clean.startIndex + range.upperBound,
        with: Data(count: range.count))
    }
    let cleaned = FileBytes(data: clean)
    var result = Data(capacity: bytes.count + final.count + data.count)
    for index in kept {
      switch top[index].type {
      case "meta": result.append(contentsOf: final)
      case "ftyp" where !brands.isEmpty:
        let old = Array(cleaned[top[index].start..<top[index].end])
        result.append(contentsOf: Self.box("ftyp", old + brands))
      default: result.append(cleaned[starts[index]..<top[index].end])
      }
    }
    if !data.isEmpty { result.append(contentsOf: Self.box("mdat", data)) }
    return result
  }
}
