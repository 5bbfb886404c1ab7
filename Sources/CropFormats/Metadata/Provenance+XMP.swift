import CropCore
import CropJPEG
import FoundationEssentials

extension Provenance {
  private static var namespace: String { "urn:cropkit:provenance:1" }

  /// The XMP packet with this in it; a new packet where there is none, or where its end is not found or
  /// it would be longer than `mostBytes`.
  package func added(to xmp: [UInt8]?, mostBytes: Int = .max) -> [UInt8] {
    if let xmp, let all = XMPText.added(description("\(XMPText.rdf) "), to: xmp),
      all.count <= mostBytes
    {
      return all
    }
    return XMPText.packet(description())
  }

  /// - Parameter declaration: of the namespace of RDF, whose prefix another packet may call otherwise.
  private func description(_ declaration: String = "") -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // Whole and finite numbers: a recipe that was carried out can always be encoded.
    let recipe = (try? encoder.encode(recipe)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    return """
      <rdf:Description \(declaration)rdf:about="" xmlns:cropkit="\(Self.namespace)" \
      cropkit:recipe="\(XMPText.escaped(recipe))" cropkit:sourceName="\(XMPText.escaped(sourceName))" \
      cropkit:sourceBytes="\(sourceBytes)" cropkit:sourceSHA256="\(XMPText.escaped(checksum))"/>
      """
  }
}

extension Provenance {
  /// What a saved crop says of itself, found in its XMP; nil for a picture that says nothing.
  ///
  /// The packet is read where the format keeps it, however much stands before or behind it.
  public init?(in source: PictureSource) {
    let metadata = PictureMetadata(source)
    // To a GIF that has a packet another one was added.
    guard let xmp = metadata.laterXMP ?? metadata.blocks.xmp, let found = Self(inText: xmp) else {
      return nil
    }
    self = found
  }

  private init?(inText text: [UInt8]) {
    let found = Self.properties(in: text).map { $0.map { XMPText.plain($0) } }
    guard let recipe = found[0], let name = found[1], name.utf8.count <= 1024,
      let bytes = found[2].flatMap({ Int($0) }), bytes > 0,
      let checksum = found[3], checksum.utf8.count == 64,
      let decoded = try? JSONDecoder().decode(CropRecipe.self, from: Data(recipe.utf8))
    else { return nil }
    self.init(recipe: decoded, sourceName: name, sourceBytes: bytes, checksum: checksum)
  }

  /// The values of recipe, name, length and checksum as they stand in the packet, of several the last:
  /// attributes as they are written here, or elements as other programs write them anew.
  private static func properties(in text: [UInt8]) -> [ArraySlice<UInt8>?] {
    var values = [ArraySlice<UInt8>?](repeating: nil, count: 4)
    let names: StaticString =
      "cropkit:recipe\ncropkit:sourceName\ncropkit:sourceBytes\ncropkit:sourceSHA256\n"
    guard text.count <= XMPPacket.mostBytes else { return values }
    var scanner = XMPScanner(text)
    var element: Int?
    while let token = scanner.next() {
      switch token {
      case .startTag, .emptyTag:
        var at = scanner.nameEnd
        while let attribute = scanner.attribute(from: at) {
          if let index = scanner.line(of: scanner.name(of: attribute), in: names) {
            values[index] = text[attribute.value..<attribute.valueEnd]
          }
          at = attribute.valueEnd + 1
        }
        element = token == .emptyTag ? nil : scanner.line(of: scanner.tagName, in: names)
      case .text: if let element { values[element] = text[scanner.start..<scanner.at] }
      case .endTag: element = nil
      case .instruction, .comment: break
      }
    }
    return values
  }
}

extension Provenance {
  /// A GIF with an XMP packet before its end ("XMP Data", Adobe's XMP specification, part 3).
  package func added(toGIF file: Data) -> Data {
    guard file.last == 0x3B else { return file }
    var result = Data(file.dropLast())
    result.append(contentsOf: [0x21, 0xFF, 0x0B])
    result.append(contentsOf: Array("XMP DataXMP".utf8) + added(to: nil))
    // Readers that take the packet for blocks are led to the end of it from wherever they land.
    result.append(contentsOf: [1] + (0...255).reversed().map { UInt8($0) } + [0, 0x3B])
    return result
  }
}
