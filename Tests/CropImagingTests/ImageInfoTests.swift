import CropImaging
import Foundation
import Testing

@Suite struct `What a header tells of colors and time` {
  private func coding(_ chunks: [UInt8]...) throws -> ColorCoding? {
    try inspect(HandMade.png(before: Array(chunks.joined()))).colorCoding
  }

  private let gamma = HandMade.chunk("gAMA", HandMade.big32(45_455))
  private let places = HandMade.chunk(
    "cHRM",
    [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000].flatMap(HandMade.big32))
  private let standard = HandMade.chunk("sRGB", [0])
  private let points = HandMade.chunk("cICP", [12, 13, 0, 1])

  @Test func `PNG has the coding of colors, the best description first`() throws {
    let displayP3 = ColorCoding.codePoints(
      ColorCodePoints(primaries: 12, transfer: 13, matrix: 0, isFullRange: true))
    #expect(try coding() == nil)
    #expect(try coding(gamma) == .measured(MeasuredColor(gamma: 0.45455)))
    #expect(
      try coding(places, gamma) == .measured(MeasuredColor(gamma: 0.45455, primaries: .sRGB)))
    #expect(try coding(gamma, standard, places) == .sRGB)
    #expect(try coding(points, standard, gamma) == displayP3)
    #expect(try coding(standard, points) == displayP3)
    #expect(displayP3.displayName == "Display P3")
    #expect(ColorCoding.measured(MeasuredColor(gamma: 0.45455)).displayName == "gamma 2.20")
  }

  @Test func `color chunks that are too short are ignored`() throws {
    for name in ["gAMA", "cHRM", "cICP"] {
      #expect(try coding(HandMade.chunk(name, [1])) == nil, "\(name)")
    }
    #expect(try coding(HandMade.chunk("gAMA", HandMade.big32(0))) == nil)
  }

  @Test func `HEIF has code points`() throws {
    let numbers = [12, 13, 6].flatMap(HandMade.big16)
    let colors = HandMade.box("colr", HandMade.text("nclx") + numbers + [0x80])
    let info = try inspect(HandMade.heif(properties: [HandMade.extents(30, 20), colors]))
    #expect(
      info.colorCoding
        == .codePoints(
          ColorCodePoints(primaries: 12, transfer: 13, matrix: 6, isFullRange: true)))
  }

  @Test func `an animation has the duration of each frame and the repetitions`() throws {
    func control(_ hundredths: Int) -> [UInt8] {
      [0x21, 0xF9, 4, 0] + HandMade.little16(hundredths) + [0, 0]
    }
    let loop = [0x21, 0xFF, 11] + HandMade.text("NETSCAPE2.0") + [3, 1, 4, 0, 0]
    let frame = HandMade.gifFrame(0, 0, 4, 4)
    let moving = try inspect(
      HandMade.gif(4, 4, [loop, control(7) + frame, control(150) + frame, frame]))
    #expect(moving.frameDurations == [70, 1500, 0])
    #expect(moving.playCount == 5)
    let still = try inspect(HandMade.gif(4, 4, [loop, control(7) + frame]))
    #expect(still.frameDurations.isEmpty && still.playCount == nil)
    let once = try inspect(HandMade.gif(4, 4, [frame, frame]))
    #expect(once.playCount == 1)
  }

  @Test func `frames of an animated PNG last fractions of a second`() throws {
    func control(_ number: Int, _ part: Int, _ whole: Int) -> [UInt8] {
      let numbers = [number, 4, 3, 0, 0].flatMap(HandMade.big32)
      return HandMade.chunk(
        "fcTL", numbers + HandMade.big16(part) + HandMade.big16(whole) + [0, 0])
    }
    let all = HandMade.chunk("acTL", HandMade.big32(3) + HandMade.big32(3))
    let frames = control(0, 1, 3) + control(1, 25, 0) + control(2, 1, 24)
    let info = try inspect(HandMade.png(before: all + frames))
    #expect(info.frameDurations == [333, 250, 42])
    #expect(info.playCount == 3)
  }

  @Test func `information survives JSON`() throws {
    var info = try inspect(HandMade.png(before: points))
    info.frameDurations = [1, 2]
    info.playCount = 0
    for coding in [ColorCoding.sRGB, .measured(MeasuredColor(gamma: 1)), info.colorCoding, nil] {
      info.colorCoding = coding
      let text = try JSONEncoder().encode(info)
      if coding == .measured(MeasuredColor(gamma: 1)) {
        #expect(String(decoding: text, as: UTF8.self).contains(#""primaries":null"#))
      }
      #expect(try JSONDecoder().decode(ImageInfo.self, from: text) == info)
    }
  }

  @Test func `small pictures inside a JPEG and content credentials are reported`() throws {
    let jfif = HandMade.segment(
      0xE0, HandMade.text("JFIF\0") + [1, 2, 0, 0, 1, 0, 1, 1, 1] + [9, 9, 9])
    #expect(try inspect(HandMade.jpeg(jfif)).metadata == [.thumbnail])
    let extra = HandMade.segment(0xE0, HandMade.text("JFXX\0") + [0x13, 1, 1, 9, 9, 9])
    #expect(try inspect(HandMade.jpeg(extra)).metadata == [.thumbnail])
    let manifest = HandMade.webpChunk("C2PA", [1, 2])
    #expect(
      try inspect(HandMade.riff(HandMade.lossless(4, 4) + manifest)).metadata == [.credentials])
  }

  @Test func `a position in XMP is reported`() throws {
    for (key, metadata) in [("Gps", [MetadataKind.xmp]), ("GpsLatitude", [.location, .xmp])] {
      let packet = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
         xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
         xmlns:dji="http://www.dji.com/drone-dji/1.0/" dji:\(key)="+48.1"/></rdf:RDF></x:xmpmeta>
        """
      let segment = HandMade.text("http://ns.adobe.com/xap/1.0/\0" + packet)
      #expect(try inspect(HandMade.jpeg(HandMade.segment(0xE1, segment))).metadata == metadata)
      let text = HandMade.text("XML:com.adobe.xmp\0\0\0\0\0" + packet)
      #expect(try inspect(HandMade.png(before: HandMade.chunk("iTXt", text))).metadata == metadata)
      let chunk = HandMade.webpChunk("XMP ", HandMade.text(packet))
      #expect(try inspect(HandMade.riff(HandMade.lossless(4, 4) + chunk)).metadata == metadata)
    }
  }
}
