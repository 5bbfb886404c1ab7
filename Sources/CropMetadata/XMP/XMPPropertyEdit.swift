/// Simple properties to set in an XMP packet; everything else stays the same byte for byte.
package struct XMPPropertyEdit {
  private let names: StaticString
  private var values: [(line: Int, text: [UInt8])] = []

  /// An edit of the properties in `names`, one per line: `crs:HasCrop`.
  package init(names: StaticString) { self.names = names }

  /// Sets a property to a text that needs no entities.
  package mutating func set(_ line: Int, _ text: StaticString) {
    var bytes: [UInt8] = []
    bytes.append(text)
    values.append((line, bytes))
  }

  /// Sets a property to a number.
  package mutating func set(_ line: Int, _ number: Double) {
    var bytes: [UInt8] = []
    bytes.append(decimal: number)
    values.append((line, bytes))
  }

  /// The packet with the properties set; nil for one that can't be parsed.
  ///
  /// An existing property gets its value in place, the others go into a description after the last.
  package func carriedOut(on packet: [UInt8]?) -> [UInt8]? {
    let packet = packet ?? Self.emptyPacket
    guard let found = XMPPhotoProperties(packet, named: names) else { return nil }
    var result: [UInt8] = []
    var at = 0
    for property in found.all {
      guard let value = values.first(where: { $0.line == property.line }) else { continue }
      guard !property.isStructured, property.value >= at else { return nil }
      if property.isEmptyElement {
        // `<a:b/>`: its slash becomes the end of a tag, and a closing tag is added.
        var slash = property.value - 1
        while slash > property.nameEnd, packet[slash] != UInt8(ascii: "/") { slash -= 1 }
        result.append(packet, from: at, to: slash)
        result.append(">")
        result.append(value.text, from: 0, to: value.text.count)
        result.append("</")
        result.append(packet, from: property.name, to: property.nameEnd)
        result.append(">")
      } else {
        result.append(packet, from: at, to: property.value)
        result.append(value.text, from: 0, to: value.text.count)
      }
      at = property.valueEnd
    }
    let isMissing = values.contains { value in !found.all.contains { $0.line == value.line } }
    if isMissing {
      result.append(packet, from: at, to: found.end)
      appendDescription(of: found, to: &result)
      at = found.end
    }
    result.append(packet, from: at, to: packet.count)
    return result
  }

  /// Appends a description with the properties that were not found, about the same subject as the
  /// first one.
  private func appendDescription(of found: XMPPhotoProperties, to result: inout [UInt8]) {
    result.append(
      """
       <rdf:Description xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about=
      """)
    Optional(found).appendAbout(to: &result)
    result.append(
      """

          xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
          xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
      """)
    for value in values where !found.all.contains(where: { $0.line == value.line }) {
      result.append("\n    ")
      appendName(value.line, to: &result)
      result.append("=\"")
      result.append(value.text, from: 0, to: value.text.count)
      result.append("\"")
    }
    result.append("/>\n ")
  }

  private func appendName(_ line: Int, to result: inout [UInt8]) {
    var row = 0
    for index in 0..<names.utf8CodeUnitCount {
      let letter = names.utf8Start[index]
      if letter == UInt8(ascii: "\n") {
        row += 1
      } else if row == line {
        result.append(letter)
      }
    }
  }

  /// An empty packet as stored in an image, with padding for programs that edit it in place.
  package static var packetInPicture: [UInt8] {
    var packet: [UInt8] = []
    packet.append("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n")
    let sidecar = emptyPacket
    var start = 0
    while start < sidecar.count, !sidecar.has("<x:", at: start) { start += 1 }
    packet.append(sidecar, from: start, to: sidecar.count)
    for index in 1...2048 { packet.append(index % 64 == 0 ? 0x0A : 0x20) }
    packet.append("<?xpacket end=\"w\"?>")
    return packet
  }

  /// A sidecar without properties.
  private static var emptyPacket: [UInt8] {
    var packet: [UInt8] = []
    packet.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
       </rdf:RDF>
      </x:xmpmeta>

      """)
    return packet
  }
}

extension XMPPhotoProperties? {
  /// Appends the subject of the packet's first description, in its quotation marks.
  func appendAbout(to result: inout [UInt8]) {
    if let packet = self, let about = packet.about {
      result.append(packet.source, from: about.start - 1, to: about.end + 1)
    } else {
      result.append("\"\"")
    }
  }
}
