import CropCore
import CropJPEG
import FoundationEssentials

/// The origin of a saved crop, as its XMP states it.
public struct Provenance: Sendable, Equatable, Codable {
  /// The recipe, for the source.
  public var recipe: CropRecipe
  /// The canvas around the crop; nil if the result has none.
  public var canvas: FilledCanvas?
  /// The file name of the source, without the folder.
  public var sourceName: String
  /// The size of the source file, in bytes.
  public var sourceBytes: Int
  /// The SHA-256 of the source file, in lower-case hexadecimal digits.
  public var checksum: String

  /// The origin of a crop of the given source.
  public init(
    recipe: CropRecipe, canvas: FilledCanvas? = nil, sourceName: String, sourceBytes: Int,
    checksum: String
  ) {
    self.recipe = recipe
    self.canvas = canvas
    self.sourceName = sourceName
    self.sourceBytes = sourceBytes
    self.checksum = checksum
  }
}

extension Provenance {
  private static var namespace: String { "urn:cropkit:provenance:1" }

  /// The XMP packet with this added; a new packet if there is none, if its end is not found, or if
  /// it would be longer than `maxBytes`.
  package func added(to xmp: [UInt8]?, maxBytes: Int = .max) -> [UInt8] {
    if let xmp, let all = XMPText.added(description("\(XMPText.rdf) "), to: xmp),
      all.count <= maxBytes
    {
      return all
    }
    return XMPText.packet(description())
  }

  /// Makes the description.
  ///
  /// - Parameter declaration: the declaration of the RDF namespace, for a packet that may use
  ///   another prefix.
  private func description(_ declaration: String = "") -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // All numbers are finite in a recipe that was applied, so it can be encoded.
    let recipe = (try? encoder.encode(recipe)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    let canvas = canvas.flatMap { try? encoder.encode($0) }
      .map { " cropkit:canvas=\"\(XMPText.escaped(String(decoding: $0, as: UTF8.self)))\"" }
    return """
      <rdf:Description \(declaration)rdf:about="" xmlns:cropkit="\(Self.namespace)" \
      cropkit:recipe="\(XMPText.escaped(recipe))" cropkit:sourceName="\(XMPText.escaped(sourceName))" \
      cropkit:sourceBytes="\(sourceBytes)" cropkit:sourceSHA256="\(XMPText.escaped(checksum))"\(canvas ?? "")/>
      """
  }
}

extension Provenance {
  /// Reads the origin of a saved crop from its XMP; nil if there is none.
  ///
  /// Only the packet is read, where the format stores it, however large the file is.
  public init?(in source: ImageSource) {
    let metadata = ImageMetadata(source)
    // A GIF that already had a packet got another one.
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
    // A canvas from a later version that can't be decoded does not invalidate the other values.
    let canvas = found[4].flatMap {
      try? JSONDecoder().decode(FilledCanvas.self, from: Data($0.utf8))
    }
    self.init(
      recipe: decoded, canvas: canvas, sourceName: name, sourceBytes: bytes, checksum: checksum)
  }

  /// The values of recipe, name, length, checksum and canvas in the packet, the last one of each,
  /// as attributes (as CropKit writes them) or as elements (as other programs rewrite them).
  private static func properties(in text: [UInt8]) -> [ArraySlice<UInt8>?] {
    var values = [ArraySlice<UInt8>?](repeating: nil, count: 5)
    let names: StaticString =
      """
      cropkit:recipe
      cropkit:sourceName
      cropkit:sourceBytes
      cropkit:sourceSHA256
      cropkit:canvas

      """
    guard text.count <= XMPPacket.maxBytes else { return values }
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
  /// The GIF with an XMP packet inserted before its end ("XMP Data", Adobe's XMP specification,
  /// part 3).
  package func added(toGIF file: Data) -> Data {
    guard file.last == 0x3B else { return file }
    var result = Data(file.dropLast())
    result.append(contentsOf: [0x21, 0xFF, 0x0B])
    result.append(contentsOf: Array("XMP DataXMP".utf8) + added(to: nil))
    // Bytes that lead readers that parse the packet as sub-blocks to its end, wherever they start.
    result.append(contentsOf: [1] + (0...255).reversed().map { UInt8($0) } + [0, 0x3B])
    return result
  }
}
