import CropCore
import CropFormats
import CropImaging
import Foundation
import Testing

@testable import CropFormats

/// What is read and written of gain maps, with numbers worked out by hand; whole files are in `Tests/Peers`.
@Suite struct `Gain maps in files` {
  private static let iso = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)

  /// A map's file: a picture of 16 × 8 with these segments before it.
  private func map(_ segments: [UInt8]) -> [UInt8] { HandMade.jpeg(segments) }

  private func xmp(_ words: String, inside: String = "") -> [UInt8] {
    let space = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    return HandMade.text(
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(space)\"><rdf:Description "
        + "rdf:about=\"\" xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\" \(words)>"
        + "\(inside)</rdf:Description></rdf:RDF></x:xmpmeta>")
  }

  private func xmpSegment(_ packet: [UInt8]) -> [UInt8] {
    HandMade.segment(0xE1, HandMade.text("http://ns.adobe.com/xap/1.0/\0") + packet)
  }

  /// ISO's numbers of a channel: headrooms 0 and 5/2.
  private func numbers(flags: UInt8 = 0, channels: Int = 1) -> [UInt8] {
    let fractions =
      [0, 1, 5, 2]
      + Array(repeating: [0, 1, 3, 1, 1, 1, 1, 64, 1, 64], count: channels)
      .joined()
    return Self.iso + [0, 0, 0, 0, flags] + fractions.flatMap { HandMade.big32($0) }
  }

  @Test func `properties are attributes, elements and lists`() {
    let packet = xmp(
      #"hdrgm:Version="1.0" hdrgm:GainMapMin=" -0.5 ""#,
      inside: "<hdrgm:GainMapMax><rdf:Seq><rdf:li>1</rdf:li><rdf:li>2.5</rdf:li></rdf:Seq>"
        + "</hdrgm:GainMapMax><hdrgm:Gamma>1.5</hdrgm:Gamma>")
    let properties = XMPProperties(packet)
    #expect(properties.values(.adobe, "Version") == ["1.0"])
    #expect(properties.numbers(.adobe, "GainMapMin") == [-0.5])
    #expect(properties.numbers(.adobe, "GainMapMax") == [1, 2.5])
    #expect(properties.numbers(.adobe, "Gamma") == [1.5])
    #expect(properties.values(.adobe, "OffsetSDR").isEmpty)
  }

  @Test(arguments: [
    String(repeating: "1", count: 65), "1&quot;", "a b", "日", "1\u{1}",
  ])
  func `no value is taken over that is more than a plain word`(value: String) {
    let properties = XMPProperties(xmp("hdrgm:GainMapMax=\"\(value)\" hdrgm:Version=\"1\""))
    #expect(properties.values(.adobe, "GainMapMax").isEmpty)
    #expect(properties.values(.adobe, "Version") == ["1"])
  }

  @Test func `a packet that is not understood says nothing`() {
    let sound = xmp(#"hdrgm:Version="1.0""#)
    #expect(!XMPProperties(sound).all.isEmpty)
    #expect(XMPProperties(Array(sound.dropLast(4))).all.isEmpty)
    #expect(XMPProperties(HandMade.text("<!DOCTYPE x [<!ENTITY a \"b\">]>") + sound).all.isEmpty)
    let bomb = xmp("", inside: String(repeating: "<hdrgm:Gamma>", count: 100_000))
    #expect(XMPProperties(bomb).all.isEmpty)
  }

  @Test func `numbers of ISO are cut to their length and never divided by 0`() throws {
    for (flags, channels, length) in [(0, 1, 28 + 5 + 56), (0x80, 3, 28 + 5 + 136)] {
      let sound = numbers(flags: UInt8(flags), channels: channels)
      #expect(sound.count == length)
      #expect(GainMapNumbers.numbers(ofISO: sound + [1, 2, 3]) == sound)
      #expect(GainMapNumbers.numbers(ofISO: Array(sound.dropLast())) == nil)
    }
    // Three channels need more.
    #expect(GainMapNumbers.numbers(ofISO: numbers(flags: 0x80)) == nil)
    var zero = numbers()
    zero.replaceSubrange(28 + 5 + 12..<28 + 5 + 16, with: [0, 0, 0, 0])
    #expect(GainMapNumbers.numbers(ofISO: zero) == nil)
    // One denominator for all: itself, two headrooms, five numerators.
    let common = Self.iso + [0, 0, 0, 0, 8] + [10, 0, 26, 0, 30, 10, 1, 1].flatMap(HandMade.big32)
    #expect(GainMapNumbers.numbers(ofISO: common) == common)
    var map = GainMapNumbers()
    map.iso = common
    #expect(map.headroom == 2.6)
    map.iso = numbers()
    #expect(map.headroom == 2.5)
  }

  @Test func `Apple's formula gives the stops of its examples`() throws {
    // Headroom 1.5, gain 0 is 3 stops; 0.5 and 0.005 is 1.8 - 20 × 0.005.
    for (first, second, stops) in [
      (15, 0, 3.0), (15, 1, 2.303 - 0.303 * 0.1), (5, 0, 1.8), (5, 10, 1.601 - 0.101),
    ] {
      let exif = Self.exif(first, second)
      let found = try #require(AppleHeadroom(inEXIF: exif))
      #expect(abs(found.stops - stops) < 1e-12)
      // What is written of it is read as the same.
      #expect(AppleHeadroom(inEXIF: found.exif(.right)) == found)
      #expect(EXIFBlock.orientation(of: found.exif(.right)) == .right)
      for end in 0..<exif.count { _ = AppleHeadroom(inEXIF: Array(exif[..<end])) }
    }
  }

  /// EXIF with a note of Apple's whose numbers are tenths.
  private static func exif(_ headroom: Int, _ gain: Int) -> [UInt8] {
    func field(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      HandMade.big16(tag) + HandMade.big16(type) + HandMade.big32(count) + HandMade.big32(value)
    }
    let note =
      HandMade.text("Apple iOS\0\u{0}\u{1}MM") + HandMade.big16(3)
      + field(1, 9, 1, 15) + field(33, 10, 1, 56) + field(48, 10, 1, 64) + HandMade.big32(0)
      + [headroom, 10, gain, 10].flatMap(HandMade.big32)
    return HandMade.text("MM\0*") + HandMade.big32(8) + HandMade.big16(1)
      + field(0x8769, 4, 1, 26) + HandMade.big32(0) + HandMade.big16(1)
      + field(0x927C, 7, note.count, 44) + HandMade.big32(0) + note
  }

  @Test func `the file that is written leads to its map in every way`() throws {
    let numbers = xmpSegment(xmp(#"hdrgm:Version="1.0" hdrgm:GainMapMax="3""#))
    let whole = map(numbers + HandMade.segment(0xE2, self.numbers()))
    let container = try #require(
      GainMapContainer(Data(HandMade.jpeg()), numbersOf: Data(whole), exif: nil))
    let base = Data(HandMade.jpeg(frame: HandMade.frame(64, 32)))
    let (head, replaced) = container.head(of: base, byteCount: base.count)
    let file = Array(head + base.dropFirst(replaced) + container.tail)
    let info = try inspect(file)
    let map = try #require(info.gainMap)
    #expect(map.kinds == [.ultraHDR, .iso] && map.fault == nil && map.headroom == 2.5)
    #expect(map.size?.width == 16 && map.size?.height == 8 && map.scale == 4)
    #expect(map.place?.offset == file.count - container.mapByteCount)
    #expect(info.metadata == [.xmp, .gainMap])
  }

  @Test func `a map that can't be is named with the reason`() throws {
    let says = xmpSegment(xmp(#"hdrgm:Version="1.0" hdrgm:GainMapMax="3""#))
    let base = HandMade.jpeg(says, frame: HandMade.frame(16, 8))
    let sound = map(says)
    #expect(try inspect(base + sound).gainMap?.fault == nil)
    for (behind, reason) in [
      ([], "not in the file"), (Array(sound.dropLast(2)), "damaged"),
      (HandMade.jpeg(says, frame: HandMade.frame(17, 8)), "larger"),
      (HandMade.jpeg(says, frame: HandMade.frame(30_000, 30_000)), "larger"),
      (HandMade.jpeg(), "not in the file"),
    ] {
      let map = try #require(try inspect(base + behind).gainMap)
      #expect(map.fault?.contains(reason) == true, "\(map)")
      #expect(map.usableSize == nil)
    }
  }
}
