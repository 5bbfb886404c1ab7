import CropCore

/// A picture of a HEIC or AVIF turned by its properties alone (`irot` and `imir`, ISO/IEC 23008-12, 6.5.10
/// and 6.5.12): nothing that is coded changes.
extension HEIFItems {
  /// The picture `main` and all that is turned as it is: auxiliary pictures (alpha, depth, gain map),
  /// thumbnails, what these have themselves, and the tone-mapped picture that is derived from it (`tmap`).
  ///
  /// nil where one of them is also a part of something else, which would be turned along.
  func family(of main: Int) -> Set<Int>? {
    var companions: [Int: [Int]] = [:]
    for reference in references where isCompanion(reference) {
      // What is derived is first made of the picture itself, then of its gain map.
      let pictures = reference.type == "dimg" ? reference.to.prefix(1) : reference.to[...]
      for item in pictures { companions[item, default: []].append(reference.from) }
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

  /// What shows the other of `pictures`, and nothing of `family`; nil where one can't be told from the other.
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
    // It has the turns of the picture that it is made of.
    case "dimg": items[reference.from]?.type == "tmap"
    default: false
    }
  }

  /// Turns some items further, and returns the properties that this adds behind those of the file.
  ///
  /// nil where properties can't say it: a picture that is cut (`clap`) after it is turned.
  mutating func turn(
    _ family: Set<Int>, by orientation: Orientation, _ inspection: inout Inspection
  ) throws(CropError) -> [[UInt8]]? {
    var added: [[UInt8]] = []
    for item in family.sorted() {
      let old = items[item]?.properties ?? []
      var whole = Orientation.up
      var isTurned = false
      for property in properties(of: item) {
        if property.type == "clap", isTurned { return nil }
        guard let turn = try inspection.turn(property) else { continue }
        whole = whole.followed(by: turn)
        isTurned = true
      }
      var links = old.filter { index in
        guard properties.indices.contains(index - 1) else { return true }
        return !["irot", "imir"].contains(properties[index - 1].type)
      }
      for property in Self.turning(whole.followed(by: orientation)) {
        let place = added.firstIndex(of: property) ?? added.count
        if place == added.count { added.append(property) }
        let index = properties.count + 1 + place
        guard index <= Self.largestIndex else { return nil }
        links.append(index)
        items[item]?.essential.insert(index)
      }
      guard links.count <= UInt8.max else { return nil }
      items[item]?.properties = links
    }
    return added
  }

  /// The largest number of a property that an item can be linked with.
  private static var largestIndex: Int { 0x7FFF }

  /// The properties that lay a picture down so: a turn, then a mirror (ISO/IEC 23000-22, 7.3.6.7).
  private static func turning(_ orientation: Orientation) -> [[UInt8]] {
    // `irot` counts counterclockwise. A turn before a mirror is the opposite one after it.
    let turns = orientation.isMirrored ? orientation.quarterTurns : -orientation.quarterTurns
    var boxes: [[UInt8]] = []
    if turns & 3 != 0 { boxes.append(HEIFWork.box("irot", [UInt8(turns & 3)])) }
    if orientation.isMirrored { boxes.append(HEIFWork.box("imir", [1])) }
    return boxes
  }
}

extension Inspection {
  /// How a property turns its picture; nil for one that does not.
  mutating func turn(_ property: HEIFBox) throws(CropError) -> Orientation? {
    switch property.type {
    case "irot":
      let turns = try need(reader.byte(property.start), "its rotation") & 3
      return Orientation(isMirrored: false, quarterTurns: -turns)
    case "imir":
      // 0 exchanges top and bottom, 1 left and right.
      let isSideways = try need(reader.byte(property.start), "its mirroring") & 1 == 1
      return isSideways ? .upMirrored : .downMirrored
    default: return nil
    }
  }
}
