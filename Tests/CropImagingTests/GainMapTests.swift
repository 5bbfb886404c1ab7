import Foundation
import Testing

@testable import CropCore
@testable import CropFormats
@testable import CropImaging
@testable import CropJPEG
@testable import CropMetadata
@testable import CropSystem

/// Reading and writing gain maps' parameters, with numbers worked out by hand; `Tests/Peers` has
/// complete files.
@Suite struct `Gain maps in files` {
  private static let iso = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)

  /// A map's file: an image of 16 × 8 with these segments before it.
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

  /// ISO's parameters of a channel: headrooms 0 and 5/2.
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
    let properties = GainMapXMP(packet)
    #expect(properties.values(.adobe, "Version") == [Array("1.0".utf8)])
    #expect(properties.numbers(.adobe, "GainMapMin") == [-0.5])
    #expect(properties.numbers(.adobe, "GainMapMax") == [1, 2.5])
    #expect(properties.numbers(.adobe, "Gamma") == [1.5])
    #expect(properties.values(.adobe, "OffsetSDR").isEmpty)
  }

  @Test(arguments: [
    String(repeating: "1", count: 65), "1&quot;", "a b", "日", "1\u{1}",
  ])
  func `only values that are plain words are copied`(value: String) {
    let properties = GainMapXMP(xmp("hdrgm:GainMapMax=\"\(value)\" hdrgm:Version=\"1\""))
    #expect(properties.values(.adobe, "GainMapMax").isEmpty)
    #expect(properties.values(.adobe, "Version") == [Array("1".utf8)])
  }

  @Test func `an unreadable packet is ignored`() {
    let sound = xmp(#"hdrgm:Version="1.0""#)
    #expect(!GainMapXMP(sound).all.isEmpty)
    #expect(GainMapXMP(Array(sound.dropLast(4))).all.isEmpty)
    #expect(GainMapXMP(HandMade.text("<!DOCTYPE x [<!ENTITY a \"b\">]>") + sound).all.isEmpty)
    let bomb = xmp("", inside: String(repeating: "<hdrgm:Gamma>", count: 100_000))
    #expect(GainMapXMP(bomb).all.isEmpty)
  }

  @Test func `numbers of ISO are cut to their length and never divided by 0`() throws {
    for (flags, channels, length) in [(0, 1, 28 + 5 + 56), (0x80, 3, 28 + 5 + 136)] {
      let sound = numbers(flags: UInt8(flags), channels: channels)
      #expect(sound.count == length)
      #expect(GainMapNumbers.numbers(ofISO: sound + [1, 2, 3]) == sound)
      #expect(GainMapNumbers.numbers(ofISO: Array(sound.dropLast())) == nil)
    }
    // Three channels need more bytes.
    #expect(GainMapNumbers.numbers(ofISO: numbers(flags: 0x80)) == nil)
    var zero = numbers()
    zero.replaceSubrange(28 + 5 + 12..<28 + 5 + 16, with: [0, 0, 0, 0])
    #expect(GainMapNumbers.numbers(ofISO: zero) == nil)
    // A common denominator: itself, two headrooms, five numerators.
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
      #expect(abs(try #require(found.stops) - stops) < 1e-12)
      // Writing it and reading it again gives the same.
      #expect(AppleHeadroom(inEXIF: found.exif(.right)) == found)
      #expect(EXIFBlock.orientation(of: found.exif(.right)) == .right)
      for end in 0..<exif.count { _ = AppleHeadroom(inEXIF: Array(exif[..<end])) }
    }
  }

  @Test func `a note with one of Apple's fields has no stops, and keeps its field`() throws {
    var exif = Self.exif(5, 10)
    // The field after the headroom becomes another one.
    let note = try #require(Data(exif).range(of: Data([0, 48, 0, 10]))).lowerBound
    exif[note + 1] = 49
    let found = try #require(AppleHeadroom(inEXIF: exif))
    #expect(found.headroom?.over == 5 && found.gain == nil && found.stops == nil)
    #expect(AppleHeadroom(inEXIF: found.exif(.right)) == found)
    exif[note - 12 + 1] = 47
    #expect(AppleHeadroom(inEXIF: exif) == nil)
  }

  @Test func `only known properties of a map are written, each once`() throws {
    let hidden = (0..<40).map { "hdrgm:Part\($0)=\"\(String(repeating: "A", count: 60))\"" }
      .joined(separator: " ")
    let list = String(repeating: "<rdf:li>1</rdf:li>", count: 40)
    let says = xmpSegment(
      xmp(
        #"hdrgm:Version="1.0" hdrgm:GainMapMax="3" hdrgm:Gamma="1" "# + hidden,
        inside: "<hdrgm:OffsetSDR><rdf:Seq>\(list)</rdf:Seq></hdrgm:OffsetSDR>"
          + "<hdrgm:Gamma>\(String(repeating: "B", count: 60))</hdrgm:Gamma>"))
    let numbers = GainMapNumbers(inFile: map(says))
    let packet = String(decoding: try #require(numbers.packet), as: UTF8.self)
    #expect(packet.contains("hdrgm:GainMapMax=\"3\"") && packet.contains("hdrgm:Gamma=\"1\""))
    #expect(!packet.contains("Part") && !packet.contains("BBBB"))
    #expect(packet.components(separatedBy: "<rdf:li>").count == 4)
  }

  @Test func `a comment before the numbers of a map hides nothing`() throws {
    let says = xmpSegment(xmp(#"hdrgm:Version="1.0" hdrgm:GainMapMax="3""#))
    let numbers = GainMapNumbers(
      inFile: map(HandMade.segment(0xFE, HandMade.text("a comment")) + says))
    #expect(numbers.kinds == [.ultraHDR])
  }

  @Test func `ISO's numbers become those of Ultra HDR where it has such`() throws {
    var map = GainMapNumbers()
    map.iso = GainMapNumbers.numbers(ofISO: numbers(flags: 0x40))
    let made = try #require(map.inJPEG(exif: nil))
    #expect(made.kinds == [.ultraHDR, .iso] && made.iso == map.iso)
    #expect(made.xmp.numbers(.adobe, "HDRCapacityMax") == [2.5])
    // Three channels, in the colors of the image and in others.
    for (flags, kinds) in [(0xC0, [GainMapInfo.Kind.ultraHDR, .iso]), (0x80, nil)] {
      map.iso = GainMapNumbers.numbers(ofISO: numbers(flags: UInt8(flags), channels: 3))
      #expect(map.inJPEG(exif: nil)?.kinds == kinds)
    }
    // An image that is itself the brighter one has no numbers of Ultra HDR.
    let common =
      Self.iso + [0, 0, 0, 0, 0x48] + [10, 26, 0, -30, 10, 10, -1, 1].flatMap(HandMade.big32)
    map.iso = GainMapNumbers.numbers(ofISO: common)
    #expect(map.inJPEG(exif: nil)?.kinds == [.iso])
    let found = try #require(ISOGainMapNumbers(common))
    #expect(found.base == 2.6 && found.alternate == 0)
    #expect(
      found.channels == [
        .init(least: -3, most: 1, gamma: 1, baseOffset: -0.1, alternateOffset: 0.1)
      ])
  }

  /// EXIF with a note of Apple whose numbers are in tenths.
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

  /// The file of an image and its map.
  private func joined(
    _ base: [UInt8], _ container: GainMapContainer
  ) throws -> (file: [UInt8], head: GainMapContainer.Head) {
    let head = try base.withUnsafeBytes {
      try container.head(of: JPEGInput($0), byteCount: base.count)
    }
    return (head.bytes + base.dropFirst(head.replaced) + container.tail, head)
  }

  @Test func `the file that is written leads to its map in every way`() throws {
    let numbers = xmpSegment(xmp(#"hdrgm:Version="1.0" hdrgm:GainMapMax="3""#))
    let whole = map(numbers + HandMade.segment(0xE2, self.numbers()))
    let container = try #require(
      GainMapContainer(HandMade.jpeg(), GainMapNumbers(inFile: whole), exif: nil))
    let base = HandMade.jpeg(frame: HandMade.frame(64, 32))
    let (file, _) = try joined(base, container)
    let info = try inspect(file)
    let map = try #require(info.gainMap)
    #expect(map.kinds == [.ultraHDR, .iso] && map.fault == nil && map.headroom == 2.5)
    #expect(map.size?.width == 16 && map.size?.height == 8 && map.scale == 4)
    #expect(map.place?.offset == file.count - container.tail.count)
    #expect(info.metadata == [.xmp, .gainMap])
  }

  @Test func `a map keeps a profile, but nothing that only claims to be one`() throws {
    func chunk(_ content: [UInt8]) -> [UInt8] {
      HandMade.segment(0xE2, HandMade.text("ICC_PROFILE\0") + [1, 1] + content)
    }
    let profile =
      HandMade.big32(128) + [UInt8](repeating: 7, count: 32) + HandMade.text("acsp")
      + [UInt8](repeating: 8, count: 88)
    let says = xmpSegment(xmp(#"hdrgm:Version="1.0" hdrgm:GainMapMax="3""#))
    for (content, kept) in [
      (profile + HandMade.text("hidden"), profile), (HandMade.text("hidden") + profile, nil),
    ] {
      let numbers = GainMapNumbers(inFile: map(says + chunk(content)))
      let container = try #require(GainMapContainer(HandMade.jpeg(), numbers, exif: nil))
      let tail = Data(container.tail)
      #expect(tail.range(of: Data("hidden".utf8)) == nil)
      let found = kept.map { tail.range(of: Data(chunk($0))) }
      #expect(kept == nil ? tail.range(of: Data("ICC_PROFILE".utf8)) == nil : found != .some(nil))
    }
  }

  @Test(arguments: [true, false])
  func `XMP that leaves no space is only removed if nothing else leads to the map`(hasISO: Bool)
    throws
  {
    let says = xmpSegment(xmp(#"hdrgm:Version="1.0" hdrgm:GainMapMax="3""#))
    let whole = map(says + (hasISO ? HandMade.segment(0xE2, numbers()) : []))
    let container = try #require(
      GainMapContainer(HandMade.jpeg(), GainMapNumbers(inFile: whole), exif: nil))
    let long = String(repeating: "x", count: 65_000)
    let packet = xmp("", inside: "<a:b xmlns:a=\"urn:a\">\(long)</a:b>")
    let base = HandMade.jpeg(xmpSegment(packet), frame: HandMade.frame(64, 32))
    let (file, head) = try joined(base, container)
    #expect(head.dropsXMP == !hasISO)
    #expect(try inspect(file).gainMap?.kinds == (hasISO ? [.ultraHDR, .iso] : [.ultraHDR]))
    #expect((Data(head.bytes).range(of: Data("xxxx".utf8)) != nil) == hasISO)
  }

  @Test func `Apple's numbers become those of ISO 21496-1`() throws {
    let apple = GainMapNumbers(
      inFile: HandMade.jpeg(
        xmpSegment(
          HandMade.text(
            "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
              + "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description "
              + "xmlns:HDRGainMap=\"http://ns.apple.com/HDRGainMap/1.0/\" "
              + "HDRGainMap:HDRGainMapVersion=\"131072\" HDRGainMap:HDRGainMapHeadroom=\"4\"/>"
              + "</rdf:RDF></x:xmpmeta>"))))
    let made = try #require(apple.convertedFromApple(exif: nil))
    #expect(made.kinds == [.ultraHDR, .iso, .apple] && made.headroom == 2)
    #expect(made.xmp.values(.adobe, "GainMapMax") == [Array("2.000000".utf8)])
    // 1 + 3 · ((0.5 + 0.099) / 1.099) ^ (1 / 0.45) = 1.7788; γ follows from its logarithm.
    let gamma = try #require(made.xmp.numbers(.adobe, "Gamma").first)
    #expect(abs(2 * pow(0.5, 1 / gamma) - log2(1.7788)) < 1e-3)
    #expect(GainMapNumbers.numbers(ofISO: try #require(made.iso)) == made.iso)
    #expect(GainMapNumbers().convertedFromApple(exif: nil) == nil)
    // Without a headroom in XMP, the maker note determines it: 0.5 and 0.001 are 1.78 stops.
    let note = GainMapNumbers().convertedFromApple(exif: Self.exif(5, 0))
    #expect(note?.xmp.values(.adobe, "HDRCapacityMax") == [Array("1.800000".utf8)])
  }

  @Test func `an invalid map is listed with the reason`() throws {
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
