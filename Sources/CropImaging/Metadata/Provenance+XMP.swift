import CropCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Provenance {
  private static var namespace: String { "urn:cropkit:provenance:1" }

  /// The XMP packet with this in it; a new packet where there is none, or where its end is not found or
  /// it would be longer than `mostBytes`.
  func added(to xmp: [UInt8]?, mostBytes: Int = .max) -> [UInt8] {
    let description = Array(description.utf8)
    if let xmp, let end = xmp.lastPosition(of: Array("</rdf:RDF>".utf8)),
      xmp.count + description.count <= mostBytes
    {
      return Array(xmp[..<end]) + description + Array(xmp[end...])
    }
    let head = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>\
      <x:xmpmeta xmlns:x="adobe:ns:meta/">\
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      """
    let tail = "</rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>"
    return Array(head.utf8) + description + Array(tail.utf8)
  }

  private var description: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // Whole and finite numbers: a recipe that was carried out can always be encoded.
    let recipe = (try? encoder.encode(recipe)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    return """
      <rdf:Description rdf:about="" xmlns:cropkit="\(Self.namespace)" \
      cropkit:recipe="\(Self.escaped(recipe))" cropkit:sourceName="\(Self.escaped(sourceName))" \
      cropkit:sourceBytes="\(sourceBytes)" cropkit:sourceSHA256="\(Self.escaped(checksum))"/>
      """
  }

  /// The characters of an attribute; those that XML can't hold are shown as a replacement character.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): result += "\u{FFFD}"
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
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
    guard let start = text.lastPosition(of: Array("\"\(Self.namespace)\"".utf8)),
      let end = text[start...].firstIndex(of: UInt8(ascii: ">"))
    else { return nil }
    let element = String(decoding: text[start..<end], as: UTF8.self)
    func value(_ name: String) -> String? {
      let mark = " cropkit:\(name)=\""
      guard let range = element.firstRange(of: mark) else { return nil }
      return Self.plain(element[range.upperBound...].prefix { $0 != "\"" })
    }
    guard let recipe = value("recipe"), let name = value("sourceName"), name.utf8.count <= 1024,
      let bytes = value("sourceBytes").flatMap({ Int($0) }), bytes > 0,
      let checksum = value("sourceSHA256"), checksum.utf8.count == 64,
      let decoded = try? JSONDecoder().decode(CropRecipe.self, from: Data(recipe.utf8))
    else { return nil }
    self.init(recipe: decoded, sourceName: name, sourceBytes: bytes, checksum: checksum)
  }

  private static func plain(_ text: Substring) -> String {
    var result = String(text)
    for (entity, character) in [
      ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&apos;", "'"), ("&amp;", "&"),
    ] { result = result.replacing(entity, with: character) }
    return result
  }
}

extension Provenance {
  /// A GIF with an XMP packet before its end ("XMP Data", Adobe's XMP specification, part 3).
  func added(toGIF file: Data) -> Data {
    guard file.last == 0x3B else { return file }
    var result = Data(file.dropLast())
    result.append(contentsOf: [0x21, 0xFF, 0x0B])
    result.append(contentsOf: Array("XMP DataXMP".utf8) + added(to: nil))
    // Readers that take the packet for blocks are led to the end of it from wherever they land.
    result.append(contentsOf: [1] + (0...255).reversed().map { UInt8($0) } + [0, 0x3B])
    return result
  }
}

extension [UInt8] {
  /// Where `part` begins last.
  fileprivate func lastPosition(of part: [UInt8]) -> Int? {
    var at = count - part.count
    while at >= 0 {
      if self[at...].starts(with: part) { return at }
      at -= 1
    }
    return nil
  }
}
