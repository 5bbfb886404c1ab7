import CropCore

/// Turns an image of a HEIC or AVIF by changing its properties (`irot` and `imir`, ISO/IEC
/// 23008-12, 6.5.10 and 6.5.12); coded data stay the same.
extension HEIFItems {
  /// The image `main` and all items that must be turned with it: auxiliary images (alpha, depth,
  /// gain map), thumbnails, those of the auxiliary images, and the tone-mapped image that is
  /// derived from it (`tmap`).
  ///
  /// Nil if one of them is also part of something else, which would be turned too.
  func family(of main: Int) -> Set<Int>? {
    var companions: [Int: [Int]] = [:]
    for reference in references where isCompanion(reference) {
      // The first source of a derived image is the image itself, the second its gain map.
      let pictures = reference.type == "dimg" ? reference.to.prefix(1) : reference.to[...]
      let members = [reference.from] + reference.to.dropFirst(pictures.count)
      for item in pictures { companions[item, default: []] += members }
    }
    var family: Set = [main]
    var rest = [main]
    while let next = rest.popLast() {
      for item in companions[next] ?? [] where family.insert(item).inserted { rest.append(item) }
    }
    let isShared = references.contains { reference in
      reference.type == "dimg" && !isCompanion(reference)
        && !family.isDisjoint(with: reference.to)
    }
    return isShared ? nil : family
  }

  /// The items that show another image of `pictures`, and none of `family`; nil if they can't be
  /// distinguished.
  func others(than family: Set<Int>, of pictures: [Int]) -> Set<Int>? {
    var others: Set<Int> = []
    for picture in pictures where !family.contains(picture) {
      guard let members = self.family(of: picture) else { return nil }
      others.formUnion(members)
    }
    return withParts(Array(others)).subtracting(withParts(Array(family)))
  }

  private func isCompanion(_ reference: Reference) -> Bool {
    switch reference.type {
    case "auxl", "thmb": true
    // A tone-mapped image is turned with the image that it is derived from.
    case "dimg": items[reference.from]?.type == "tmap"
    default: false
    }
  }
}

extension HEIFContainer {
  /// Turns some items further, and returns the properties to append to those of the file.
  ///
  /// Nil if properties can't express the result, because an image is cropped (`clap`) after it is
  /// turned.
  mutating func turn(
    _ family: Set<Int>, by orientation: Orientation
  ) throws(CropError) -> [[UInt8]]? {
    var added: [[UInt8]] = []
    for item in family.sorted() {
      let old = items.items[item]?.properties ?? []
      var whole = Orientation.up
      var isTurned = false
      for property in items.properties(of: item) {
        if property.type == "clap", isTurned { return nil }
        guard let turn = try turn(property) else { continue }
        whole = whole.followed(by: turn)
        isTurned = true
      }
      var links = old.filter { index in
        guard items.properties.indices.contains(index - 1) else { return true }
        return !["irot", "imir"].contains(items.properties[index - 1].type)
      }
      for property in Self.turning(whole.followed(by: orientation)) {
        let place = added.firstIndex(of: property) ?? added.count
        if place == added.count { added.append(property) }
        let index = items.properties.count + 1 + place
        guard index <= Self.largestIndex else { return nil }
        links.append(index)
        items.items[item]?.essential.insert(index)
      }
      guard links.count <= UInt8.max else { return nil }
      items.items[item]?.properties = links
    }
    return added
  }

  /// The largest index of a property that an item can refer to.
  private static var largestIndex: Int { 0x7FFF }

  /// The properties for an orientation: a turn, then a mirror (ISO/IEC 23000-22, 7.3.6.7).
  private static func turning(_ orientation: Orientation) -> [[UInt8]] {
    // `irot` counts counterclockwise. A turn before a mirror equals the opposite turn after it.
    let turns = orientation.isMirrored ? orientation.quarterTurns : -orientation.quarterTurns
    var boxes: [[UInt8]] = []
    if turns & 3 != 0 { boxes.append(HEIFWork.box("irot", [UInt8(turns & 3)])) }
    if orientation.isMirrored { boxes.append(HEIFWork.box("imir", [1])) }
    return boxes
  }
}
