import CropCore
import CropJPEG
import FoundationEssentials

/// Puts a JPEG and its gain map into one file: the picture, and behind it the map as a JPEG of its own.
///
/// The first one's header leads to the map in every way that readers know: a table of pictures (CIPA DC-007),
/// Google's directory in XMP (Ultra HDR 1.1) and a segment of ISO 21496-1. All lengths and places are those of the
/// file that is written.
package struct GainMapContainer {
  /// The map's file without its numbers, and what is written of them.
  private let map: Data
  private let kinds: [GainMapInfo.Kind]
  /// Apple's numbers, for a file whose EXIF has none.
  private let apple: AppleHeadroom?

  /// The file of a cut map, with the numbers of the whole one, which stay word for word.
  ///
  /// - Parameters:
  ///   - map: the JPEG of the map that was cut.
  ///   - whole: the JPEG of the map before.
  ///   - exif: the EXIF of the source, where Apple's numbers are.
  /// - Returns: nil where the numbers say nothing without others that are not there.
  package init?(_ map: Data, numbersOf whole: Data, exif: [UInt8]?) {
    let numbers = GainMapNumbers(inFile: whole)
    kinds = numbers.kinds
    apple = kinds.contains(.apple) ? exif.flatMap(AppleHeadroom.init(inEXIF:)) : nil
    guard !kinds.isEmpty, kinds != [.apple] || apple != nil || numbers.headroom != nil else {
      return nil
    }
    let start = JPEGStart(map)
    var head = start
    head.segments.removeAll { $0.marker == 0xE1 || $0.marker == 0xE2 }
    head.insert(numbers.segments)
    self.map = head.bytes + map.dropFirst(start.byteCount)
  }

  /// How many bytes the map's file has.
  package var mapByteCount: Int { map.count }

  /// What the file begins with that holds `base`, and how many bytes of `base` that replaces; the rest of `base`
  /// and ``tail`` follow.
  ///
  /// - Parameters:
  ///   - base: the picture's JPEG, or as much of it as holds its application segments.
  ///   - byteCount: how many bytes all of it has.
  package func head(of base: Data, byteCount: Int) -> (bytes: Data, replaced: Int) {
    let start = JPEGStart(base)
    var head = start
    let xmp = head.remove(0xE1, JPEGSegments.xmpMark)
    head.segments.removeAll {
      $0.marker == 0xE2
        && ($0.content.starts(with: Array("MPF\0".utf8))
          || $0.content.starts(with: GainMapNumbers.isoMark))
    }
    keepApple(&head)
    var added: [(marker: UInt8, content: [UInt8])] = []
    if let packet = kinds.contains(.ultraHDR) ? described(xmp) : xmp {
      added.append((0xE1, JPEGSegments.xmpMark + packet))
    }
    // The versions that a reader must know and that the writer knew: both 0 (ISO 21496-1, annex C.2.2).
    if kinds.contains(.iso) { added.append((0xE2, GainMapNumbers.isoMark + [0, 0, 0, 0])) }
    // A first pass with any numbers gives the table's place.
    added.append((0xE2, Self.table(first: 0, second: 0, place: 0)))
    let table = head.insert(added)
    let whole = head.byteCount + byteCount - start.byteCount
    // Places count from the TIFF header behind the mark.
    let header = head.offset(of: table) + 4
    head.segments[table].content = Self.table(
      first: whole, second: map.count, place: whole - header)
    return (head.bytes, start.byteCount)
  }

  /// What follows the picture.
  package var tail: Data { map }

  /// Sees to it that Apple's numbers are in the file.
  private func keepApple(_ head: inout JPEGStart) {
    guard let apple else { return }
    let mark = Array("Exif\0\0".utf8)
    let place = head.segments.firstIndex { $0.marker == 0xE1 && $0.content.starts(with: mark) }
    let old = place.map { Array(head.segments[$0].content.dropFirst(mark.count)) }
    // A block that tells more than the orientation keeps what it has.
    if let old, AppleHeadroom(inEXIF: old) != nil || old.count > 64 { return }
    let orientation = old.flatMap { EXIFBlock.orientation(of: $0) } ?? .up
    if let place { head.segments.remove(at: place) }
    head.insert([(0xE1, mark + apple.exif(orientation))])
  }

  /// The packet with a directory of the two pictures; nil where no segment has room for it.
  private func described(_ xmp: [UInt8]?) -> [UInt8] {
    func description(_ declaration: String) -> String {
      """
      <rdf:Description \(declaration)rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" \
      xmlns:Container="http://ns.google.com/photos/1.0/container/" \
      xmlns:Item="http://ns.google.com/photos/1.0/container/item/" hdrgm:Version="1.0">\
      <Container:Directory><rdf:Seq>\
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" \
      Item:Mime="image/jpeg"/></rdf:li>\
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" \
      Item:Mime="image/jpeg" Item:Length="\(map.count)"/></rdf:li>\
      </rdf:Seq></Container:Directory></rdf:Description>
      """
    }
    if let xmp, let all = XMPText.added(description("\(XMPText.rdf) "), to: xmp),
      all.count <= JPEGSegments.mostXMP
    {
      return all
    }
    return XMPText.packet(description(""))
  }

  /// The table of a file of two pictures (CIPA DC-007, 5.2): their number, lengths and places.
  private static func table(first: Int, second: Int, place: Int) -> [UInt8] {
    func big(_ number: Int, _ size: Int) -> [UInt8] { ByteOrder.big.bytes(number, size) }
    let fields =
      big(0xB000, 2) + big(7, 2) + big(4, 4) + Array("0100".utf8)
      + big(0xB001, 2) + big(4, 2) + big(1, 4) + big(2, 4)
      + big(0xB002, 2) + big(7, 2) + big(32, 4) + big(50, 4) + big(0, 4)
    // A baseline primary picture, and one of a kind that has no number.
    let entries =
      big(0x03_0000, 4) + big(first, 4) + big(0, 8) + big(0, 4) + big(second, 4) + big(place, 4)
      + big(0, 4)
    return Array("MPF\0MM\0*".utf8) + big(8, 4) + big(3, 2) + fields + entries
  }
}

extension GainMapNumbers {
  /// The segments that a map's file says them with.
  fileprivate var segments: [(marker: UInt8, content: [UInt8])] {
    var segments: [(marker: UInt8, content: [UInt8])] = []
    if let packet { segments.append((0xE1, JPEGSegments.xmpMark + packet)) }
    if let iso { segments.append((0xE2, iso)) }
    for piece in profile { segments.append((0xE2, piece)) }
    return segments
  }

  /// The packet of XMP; nil where there is nothing to say.
  private var packet: [UInt8]? {
    let prefixes: [(XMPProperties.Family, String, String, (String) -> Bool)] = [
      (.adobe, "hdrgm", "http://ns.adobe.com/hdr-gain-map/1.0/", { _ in true }),
      (
        .apple, "HDRGainMap", "http://ns.apple.com/HDRGainMap/1.0/",
        { $0.hasPrefix("HDRGainMap") }
      ),
      (
        .apple, "apdi", "http://ns.apple.com/pixeldatainfo/1.0/", { !$0.hasPrefix("HDRGainMap") }
      ),
    ]
    var (spaces, attributes, elements) = ("", "", "")
    for (family, prefix, space, isIn) in prefixes {
      let own = xmp.all.filter { $0.family == family && isIn($0.name) && !$0.values.isEmpty }
      if !own.isEmpty { spaces += " xmlns:\(prefix)=\"\(space)\"" }
      for property in own {
        let name = "\(prefix):\(property.name)"
        if property.isAttribute {
          attributes += " \(name)=\"\(property.values[0])\""
        } else if property.values.count == 1 {
          elements += "<\(name)>\(property.values[0])</\(name)>"
        } else {
          let items = property.values.map { "<rdf:li>\($0)</rdf:li>" }.joined()
          elements += "<\(name)><rdf:Seq>\(items)</rdf:Seq></\(name)>"
        }
      }
    }
    guard !spaces.isEmpty else { return nil }
    return XMPText.packet(
      "<rdf:Description rdf:about=\"\"\(spaces)\(attributes)>\(elements)</rdf:Description>")
  }
}

/// The application segments that a JPEG begins with.
private struct JPEGStart {
  var segments: [(marker: UInt8, content: [UInt8])]
  /// How many bytes the start marker and these segments have in a file.
  var byteCount: Int { segments.reduce(2) { $0 + 4 + $1.content.count } }

  init(_ file: Data) { segments = JPEGSegments.applications(in: file) }

  var bytes: Data {
    var all = Data([0xFF, 0xD8])
    for (marker, content) in segments {
      all.append(contentsOf: JPEGSegments.segment(marker, content))
    }
    return all
  }

  /// Takes out the segments that begin so, and returns what the first holds behind.
  mutating func remove(_ marker: UInt8, _ mark: [UInt8]) -> [UInt8]? {
    let found = segments.first { $0.marker == marker && $0.content.starts(with: mark) }
    segments.removeAll { $0.marker == marker && $0.content.starts(with: mark) }
    return found.map { Array($0.content.dropFirst(mark.count)) }
  }

  /// Puts segments behind JFIF and EXIF; returns the place of the last one.
  @discardableResult
  mutating func insert(_ added: [(marker: UInt8, content: [UInt8])]) -> Int {
    let place = segments.firstIndex { $0.marker > 0xE1 } ?? segments.endIndex
    segments.insert(contentsOf: added, at: place)
    return place + added.count - 1
  }

  /// Where the content of a segment begins in the file.
  func offset(of index: Int) -> Int {
    segments[..<index].reduce(2) { $0 + 4 + $1.content.count } + 4
  }
}
