extension XMPPacket {
  /// A packet with this description.
  package static func packet(_ description: [UInt8]) -> [UInt8] {
    var packet: [UInt8] = []
    packet.append(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>\
      <x:xmpmeta xmlns:x="adobe:ns:meta/">\
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      """)
    packet.append(description, from: 0, to: description.count)
    packet.append("</rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>")
    return packet
  }

  /// The packet with this description after its last one; nil if its end is not found.
  package static func added(_ description: [UInt8], to packet: [UInt8]) -> [UInt8]? {
    guard let end = endOfDescriptions(in: packet) else { return nil }
    var all = packet.part(from: 0, to: end)
    all.append(description, from: 0, to: description.count)
    all.append(packet, from: end, to: packet.count)
    return all
  }

  private static func endOfDescriptions(in packet: [UInt8]) -> Int? {
    var scanner = XMPScanner(packet)
    var end: Int?
    while let token = scanner.next() {
      let isRDF = token == .endTag && scanner.line(of: scanner.tagName, in: "rdf:RDF\n") != nil
      if isRDF { end = scanner.start }
    }
    return end
  }
}
