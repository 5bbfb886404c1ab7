import TestMaterial
import Testing

@testable import CropCore
@testable import CropMetadata

/// EXIF blocks made by hand.
private enum Block {
  /// Little-endian: IFD0 (orientation 6, pointers to Exif and GPS), IFD1 with a JPEG of 12 bytes.
  static func make() -> [UInt8] {
    var bytes: [UInt8] = Array("II".utf8) + [42, 0, 8, 0, 0, 0]
    // IFD0 at 8: three entries, then the link to IFD1 at 110.
    bytes += short(3) + entry(0x0112, 3, 1, 6) + entry(0x8769, 4, 1, 50) + entry(0x8825, 4, 1, 92)
    bytes += long(110)
    // Exif directory at 50: width, height, maker note (12 bytes at 140).
    bytes += short(3) + entry(0xA002, 4, 1, 4000) + entry(0xA003, 3, 1, 3000)
    bytes += entry(0x927C, 7, 12, 140) + long(0)
    // GPS directory at 92: the latitude's reference, N.
    bytes += short(1) + entry(0x0001, 2, 2, 0x4E) + long(0)
    // IFD1 at 110: the thumbnail's position and length.
    bytes += short(2) + entry(0x0201, 4, 1, 152) + entry(0x0202, 4, 1, 12)
    bytes += long(0)
    bytes += Array("MAKER NOTE..".utf8)
    bytes += [0xFF, 0xD8, 0xFF, 0xDB, 1, 2, 3, 4, 5, 6, 0xFF, 0xD9]
    return bytes
  }

  static func short(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

  static func long(_ value: Int) -> [UInt8] { short(value & 0xFFFF) + short(value >> 16) }

  static func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
    short(tag) + short(type) + long(count) + long(value)
  }
}

struct MetadataTests {
  private func edit(_ policy: MetadataPolicy = .keep) -> MetadataEdit {
    MetadataEdit(width: 640, height: 480, policy: policy)
  }

  @Test func `orientation and sizes are corrected in place, the maker note does not move`()
    throws
  {
    let source = Block.make()
    let bytes = try #require(EXIFBlock(source, edit: edit())).bytes
    #expect(Array(bytes[10..<22]) == Block.entry(0x0112, 3, 1, 1))
    #expect(Array(bytes[52..<64]) == Block.entry(0xA002, 4, 1, 640))
    #expect(Array(bytes[64..<76]) == Block.entry(0xA003, 4, 1, 480))
    #expect(Array(bytes[140..<152]) == Array("MAKER NOTE..".utf8))
  }

  @Test(arguments: [false, true])
  func `data that a maker note refers to do not move`(isHidden: Bool) throws {
    // A Nikon note of 40 bytes at 140; the four numbers of its only field are at 220, after the
    // thumbnail.
    var source = Block.make()
    source.replaceSubrange(76..<88, with: Block.entry(0x927C, 7, 40, 140))
    source.removeLast(source.count - 140)
    // Its offsets are relative to its TIFF header at 150.
    source += Array("Nikon\0".utf8) + [2, 0x10, 0, 0] + Array("II".utf8) + [42, 0, 8, 0, 0, 0]
    source += Block.short(1) + Block.entry(0x0E22, 3, 4, isHidden ? 45 : 70)
    source += [UInt8](repeating: 0, count: 180 - source.count)
    source.replaceSubrange(
      112..<136, with: Block.entry(0x0201, 4, 1, 190) + Block.entry(0x0202, 4, 1, 20))
    source += [UInt8](repeating: 5, count: 40) + [9, 8, 7, 6, 5, 4, 3, 2]
    let bytes = try #require(EXIFBlock(source, edit: edit())).bytes
    #expect(bytes[140..<180] == source[140..<180])
    // A value inside the thumbnail does not belong to the note.
    #expect(bytes.count == (isHidden ? 180 : 228))
    if !isHidden {
      #expect(bytes[220..<228] == source[220..<228])
      #expect(bytes[180..<220].allSatisfy { $0 == 0 })
    }
  }

  @Test func `the thumbnail and its directory are gone`() throws {
    let bytes = try #require(EXIFBlock(Block.make(), edit: edit())).bytes
    #expect(Array(bytes[46..<50]) == [0, 0, 0, 0], "the link to the second directory")
    #expect(bytes[110..<140].allSatisfy { $0 == 0 })
    #expect(bytes.count == 152, "the thumbnail was at the end")
  }

  @Test(arguments: [0x830E, 0x8480, 0x8482, 0x85D8, 0x87AF, 0x87B0, 0x87B1])
  func `the position of a map's pixels is removed`(tag: Int) throws {
    var source = Block.make()
    source.replaceSubrange(10..<22, with: Block.entry(tag, 3, 1, 7))
    let bytes = try #require(EXIFBlock(source, edit: edit())).bytes
    #expect(bytes[8] == 2, "two entries are left")
  }

  @Test func `the location is removed on request`() throws {
    let kept = try #require(EXIFBlock(Block.make(), edit: edit())).bytes
    #expect(kept[92..<110].contains(0x4E))
    let dropped = try #require(EXIFBlock(Block.make(), edit: edit(.stripLocation))).bytes
    #expect(dropped[92..<110].allSatisfy { $0 == 0 })
    #expect(dropped[8] == 2, "two entries are left")
  }

  @Test(arguments: [false, true])
  func `places in a Panasonic note are blanked on request`(isLong: Bool) throws {
    // A note at 140: its directory of five fields at 152, then the state and the lens; the landmark
    // is after the note. A long block is not searched for the parts of a note after its end.
    var source = Block.make()
    source.replaceSubrange(76..<88, with: Block.entry(0x927C, 7, 88, 140))
    source.removeLast(source.count - 140)
    source += Array("Panasonic\0\0\0".utf8) + Block.short(5)
    source += Block.entry(0x51, 2, 5, 223) + Block.entry(0x69, 7, 4, 0x4142_4344)
    source += Block.entry(0x6B, 7, 5, 218) + Block.entry(0x6F, 7, 6, 228)
    source += Block.entry(0x80, 7, 9000, 60_000) + Block.long(0)
    source += Array("StateLens.Castle".utf8) + [UInt8](repeating: 7, count: isLong ? 200_000 : 0)
    let kept = try #require(EXIFBlock(source, edit: edit())).bytes
    #expect(Array(kept[140..<228]) == Array(source[140..<228]))
    #expect(kept.count == (isLong ? 228 : 234), "the landmark belongs to the note")
    let bytes = try #require(EXIFBlock(source, edit: edit(.stripLocation))).bytes
    var wanted = Array(source[140..<228])
    // The country is in the slot of its field.
    for range in [34..<38, 78..<83] {
      wanted.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
    }
    #expect(Array(bytes[140...]) == wanted)
  }

  @Test func `the place in a Nikon note is blanked on request`() throws {
    // Offsets are relative to the note's TIFF header at 150.
    var source = Block.make()
    source.replaceSubrange(76..<88, with: Block.entry(0x927C, 7, 54, 140))
    source.removeLast(source.count - 140)
    source += Array("Nikon\0".utf8) + [2, 0x10, 0, 0] + Array("II".utf8) + [42, 0, 8, 0, 0, 0]
    source += Block.short(1) + Block.entry(0x39, 7, 9, 26) + Block.long(0)
    source += [1] + Array("Helsinki".utf8) + [UInt8](repeating: 5, count: 9)
    let bytes = try #require(EXIFBlock(source, edit: edit(.stripLocation))).bytes
    #expect(bytes[140..<176] == source[140..<176])
    #expect(bytes[176..<185].allSatisfy { $0 == 0 })
    #expect(bytes[185...] == source[185...])
  }

  @Test func `a maker note that holds a picture is dropped`() throws {
    var source = Block.make()
    source.replaceSubrange(144..<148, with: [0xFF, 0xD8, 0xFF, 0xE1])
    let block = try #require(EXIFBlock(source, edit: edit()))
    #expect(block.lost == .pictures)
    #expect(EXIFBlock(Block.make(), edit: edit())?.lost == [])
    #expect(!block.bytes.holdsPicture(to: block.bytes.count))
  }

  @Test(arguments: [false, true])
  func `a Nikon note stays without its preview`(isLittle: Bool) throws {
    func short(_ value: Int) -> [UInt8] {
      let bytes = [UInt8(value & 255), UInt8(value >> 8)]
      return isLittle ? bytes : bytes.reversed()
    }
    func long(_ value: Int) -> [UInt8] {
      isLittle ? short(value) + [0, 0] : [0, 0] + short(value)
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      short(tag) + short(type) + long(count) + long(value)
    }
    // A separate TIFF header, to which its offsets are relative; an ISO speed, the preview's
    // directory, a preview of 12 bytes, and a serial number after it.
    let header = Array((isLittle ? "II" : "MM").utf8) + short(42) + long(8)
    let fields =
      short(3) + entry(0x0002, 4, 1, 400) + entry(0x0011, 4, 1, 50) + entry(0x001D, 2, 8, 92)
      + long(0)
    let preview =
      short(2) + entry(0x0201, 4, 1, 80) + entry(0x0202, 4, 1, 12) + long(0)
      + [0xFF, 0xD8, 0xFF, 0xDB, 1, 2, 3, 4, 5, 6, 7, 8]
    let note =
      Array("Nikon\0".utf8) + [2, 0x10, 0, 0] + header + fields + preview
      + Array("2030405\0".utf8)
    var source = Block.make()
    source.replaceSubrange(76..<88, with: Block.entry(0x927C, 7, note.count, 140))
    source = source[..<140] + note
    let block = try #require(EXIFBlock(source, edit: edit()))
    var wanted = note
    // The two values of the directory, and the image.
    for range in [70..<74, 82..<86, 90..<102] {
      wanted.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
    }
    #expect(block.lost == .previews)
    #expect(Array(block.bytes[140...]) == wanted)
    // A second image that nothing refers to is removed together with the note; bytes that only
    // start like one are not.
    for (byte, lost) in [(0xE1, MetadataLoss.pictures), (0x5D, .previews)] {
      source.replaceSubrange(242..<246, with: [0xFF, 0xD8, 0xFF, UInt8(byte)])
      #expect(EXIFBlock(source, edit: edit())?.lost == lost)
    }
  }

  @Test func `no block of bytes makes the editor trap or leaves a picture`() {
    var random = Seeded(seed: Soak.seed(of: "damaged EXIF"))
    func next() -> Int { Int(random.next() >> 33) }
    for _ in 0..<20_000 {
      var bytes = Block.make()
      for _ in 0..<next() % 6 { bytes[8 + next() % (bytes.count - 8)] = UInt8(next() & 255) }
      if next() % 3 == 0 { bytes.removeLast(next() % bytes.count) }
      if let block = EXIFBlock(bytes, edit: edit(.stripLocation)) {
        #expect(block.bytes.count <= bytes.count)
      }
    }
  }

  @Test func `directories in a loop end`() {
    var bytes = Block.make()
    // The Exif directory is IFD0 itself.
    bytes.replaceSubrange(22..<34, with: Block.entry(0x8769, 4, 1, 8))
    #expect(EXIFBlock(bytes, edit: edit()) != nil)
  }

  @Test func `a dropped directory that overlaps the first one removes it too`() {
    var bytes: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 22]
    bytes += [UInt8](repeating: 0, count: 52)
    // The Exif directory, at 11, has three fields without a type, which overlap the first
    // directory, at 22.
    bytes[12] = 3
    bytes.replaceSubrange(22..<36, with: [0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 11])
    for orientation in Orientation.allCases {
      let edit = MetadataEdit(width: 640, height: 480, policy: .keep, orientation: orientation)
      #expect(EXIFBlock(bytes, edit: edit) == nil)
    }
  }

  @Test func `XMP keeps valid properties and loses others`() throws {
    let source = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description tiff:Orientation="6"
       exif:GPSLatitude='1,2N' dc:format="image/jpeg" hdrgm:Version="1.0">
      <exif:PixelXDimension>4000</exif:PixelXDimension>
      <xmp:Thumbnails><rdf:Alt><rdf:li xmpGImg:image="/9j/4AAQ"/></rdf:Alt></xmp:Thumbnails>
      <dc:title>A hill</dc:title></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    let packet = try #require(XMPPacket(Array(source.utf8), edit: edit(.stripLocation)))
    let text = String(decoding: packet.bytes, as: UTF8.self)
    #expect(text.contains("tiff:Orientation=\"1\""))
    #expect(text.contains("<exif:PixelXDimension>640<"))
    #expect(text.contains("A hill"))
    #expect(text.contains("dc:format"))
    for gone in ["Thumbnails", "/9j/", "GPS", "hdrgm"] { #expect(!text.contains(gone)) }
  }

  @Test func `XMP with an unknown picture is dropped`() {
    let hidden = String(repeating: "/9j/4AAQSkZJRgABAQEA", count: 60)
    let source = "<x:xmpmeta><rdf:RDF><my:thing>\(hidden)</my:thing></rdf:RDF></x:xmpmeta>"
    #expect(XMPPacket(Array(source.utf8), edit: edit()) == nil)
  }

  @Test func `IPTC keeps the caption and loses previews and, if asked, the city`() throws {
    let caption: [UInt8] = [0x1C, 2, 120, 0, 2, 0x68, 0x69]
    let city: [UInt8] = [0x1C, 2, 90, 0, 4] + Array("Rome".utf8)
    let preview: [UInt8] = [0x1C, 2, 202, 0, 3, 1, 2, 3]
    let all = caption + city + preview
    var lost: MetadataLoss = []
    #expect(IPTCRecords.kept(all, dropsLocation: false, lost: &lost) == caption + city)
    #expect(IPTCRecords.kept(all, dropsLocation: true, lost: &lost) == caption)
    #expect(lost == [], "a preview is no loss")
    let hidden: [UInt8] = [0x1C, 2, 120, 0, 8, 0xFF, 0xD8, 0xFF, 0xE1, 0, 0, 0, 0]
    #expect(IPTCRecords.kept(city + hidden, dropsLocation: false, lost: &lost) == city)
    #expect(lost == .pictures)
    #expect(IPTCRecords.unwrapped(IPTCRecords.wrapped(all)) == all)
  }
}
