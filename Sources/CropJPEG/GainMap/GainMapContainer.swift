import CropCore

/// Combines a JPEG and its gain map in one file: the image, followed by the map as a separate JPEG.
///
/// The image's header refers to the map in every way that readers use: a table of images (CIPA
/// DC-007), Google's directory in XMP (Ultra HDR 1.1) and a segment of ISO 21496-1. All lengths and
/// positions are those of the written file.
package struct GainMapContainer {
  /// The bytes after the image: the map's file with its parameters.
  package let tail: [UInt8]
  private let numbers: GainMapNumbers
  /// Apple's parameters, for a file whose EXIF has none.
  private let apple: AppleHeadroom?

  /// The start of a file that contains an image and a map.
  package struct Head {
    /// The start of the file.
    package let bytes: [UInt8]
    /// The number of bytes of the image's own file that it replaces; the rest of that file and the
    /// tail follow.
    package let replaced: Int
    /// Whether the XMP of the image was dropped, because it does not fit in a segment together with
    /// the directory.
    package let dropsXMP: Bool
  }

  /// The file of a cut map, with the numbers of the complete map, copied verbatim.
  ///
  /// - Parameters:
  ///   - map: the JPEG of the cut map.
  ///   - numbers: the numbers in the file of the complete map.
  ///   - exif: the EXIF of the source, which contains Apple's numbers.
  /// - Returns: nil if the numbers are not those of a map, or `map` is not a JPEG.
  package init?(_ map: [UInt8], _ numbers: GainMapNumbers, exif: [UInt8]?) {
    let start = map.withUnsafeBytes { try? JPEGStart(JPEGInput($0)) }
    guard numbers.isGainMap, var head = start else { return nil }
    apple = numbers.hasApple ? exif.flatMap { AppleHeadroom(inEXIF: $0) } : nil
    let replaced = head.byteCount
    head.segments.removeAll { $0.marker == 0xE1 || $0.marker == 0xE2 }
    head.insert(numbers.segments)
    var tail = head.bytes
    tail += map[replaced...]
    self.tail = tail
    self.numbers = numbers
  }

  /// The start of the file that contains `base` and the map.
  ///
  /// - Parameters:
  ///   - base: the image's JPEG, or at least its application segments.
  ///   - byteCount: its total number of bytes.
  package func head(of base: JPEGInput, byteCount: Int) throws(JPEGError) -> Head {
    var head = try JPEGStart(base)
    let replaced = head.byteCount
    let xmp = head.remove(0xE1, JPEGStart.xmpMark).map {
      $0.part(from: JPEGStart.xmpMarkCount, to: $0.count)
    }
    head.segments.removeAll {
      $0.marker == 0xE2 && ($0.content.has("MPF\0") || $0.content.has(GainMapNumbers.isoMark))
    }
    keepApple(&head)
    var added: [JPEGStart.Segment] = []
    var (packet, dropsXMP) = (xmp, false)
    if numbers.hasUltraHDR { (packet, dropsXMP) = directory(in: xmp) }
    if let packet { added.append(JPEGStart.xmp(packet)) }
    if numbers.iso != nil {
      // The minimum version for readers and the writer's version, both 0 (ISO 21496-1, annex C.2.2).
      var versions: [UInt8] = []
      versions.append(GainMapNumbers.isoMark)
      versions += [0, 0, 0, 0]
      added.append((0xE2, versions))
    }
    // The first pass, with placeholder numbers, determines the table's position.
    added.append((0xE2, Self.table(first: 0, second: 0, place: 0)))
    let table = head.insert(added)
    let whole = head.byteCount + byteCount - replaced
    // Positions count from the TIFF header after the mark.
    let header = head.offset(of: table) + 4
    head.segments[table].content = Self.table(
      first: whole, second: tail.count, place: whole - header)
    return Head(bytes: head.bytes, replaced: replaced, dropsXMP: dropsXMP)
  }

  /// Makes sure that Apple's parameters are in the file.
  private func keepApple(_ head: inout JPEGStart) {
    guard let apple else { return }
    let place = head.segments.firstIndex { $0.marker == 0xE1 && $0.content.has("Exif\0\0") }
    var orientation = Orientation.up
    if let place {
      let content = head.segments[place].content
      let old = content.part(from: 6, to: content.count)
      // A block that contains more than the orientation is kept.
      if AppleHeadroom(inEXIF: old) != nil || old.count > 64 { return }
      orientation = EXIFBlock.orientation(of: old) ?? .up
      head.segments.remove(at: place)
    }
    var content: [UInt8] = []
    content.append("Exif\0\0")
    content += apple.exif(orientation)
    head.insert([(0xE1, content)])
  }

  /// The packet with a directory of the two images.
  ///
  /// If there is not enough space for the directory, the packet stays unchanged if another format
  /// also refers to the map; otherwise it is removed.
  private func directory(in xmp: [UInt8]?) -> (packet: [UInt8]?, dropsXMP: Bool) {
    guard let xmp else { return (XMPPacket.packet(description(declaresRDF: false)), false) }
    if let all = XMPPacket.added(description(declaresRDF: true), to: xmp),
      all.count <= JPEGStart.mostXMP
    {
      return (all, false)
    }
    if numbers.iso != nil { return (xmp, false) }
    return (XMPPacket.packet(description(declaresRDF: false)), true)
  }

  private func description(declaresRDF: Bool) -> [UInt8] {
    var text: [UInt8] = []
    text.append("<rdf:Description ")
    if declaresRDF {
      text.append("xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" ")
    }
    text.append(
      """
      rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" \
      xmlns:Container="http://ns.google.com/photos/1.0/container/" \
      xmlns:Item="http://ns.google.com/photos/1.0/container/item/" hdrgm:Version="1.0">\
      <Container:Directory><rdf:Seq>\
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" \
      Item:Mime="image/jpeg"/></rdf:li>\
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" \
      Item:Mime="image/jpeg" Item:Length="
      """)
    text.append(decimal: Double(tail.count))
    text.append(
      """
      "/></rdf:li>\
      </rdf:Seq></Container:Directory></rdf:Description>
      """)
    return text
  }

  /// The table of a file of two images (CIPA DC-007, 5.2): their number, lengths and positions.
  private static func table(first: Int, second: Int, place: Int) -> [UInt8] {
    var table: [UInt8] = []
    func big(_ number: Int, _ size: Int) { table += ByteOrder.big.bytes(number, size) }
    func field(_ tag: Int, _ type: Int, _ count: Int) {
      big(tag, 2)
      big(type, 2)
      big(count, 4)
    }
    table.append("MPF\0MM\0*")
    big(8, 4)
    big(3, 2)
    field(0xB000, 7, 4)
    table.append("0100")
    field(0xB001, 4, 1)
    big(2, 4)
    field(0xB002, 7, 32)
    big(50, 4)
    big(0, 4)
    // The primary image, and a second one of undefined type.
    for number in [0x03_0000, first, 0, 0, 0, second, place, 0] { big(number, 4) }
    return table
  }
}
