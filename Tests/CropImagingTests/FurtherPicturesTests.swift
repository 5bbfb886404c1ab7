import CropCore
import CropImaging
import Foundation
import Testing

@Suite struct `Gain maps, depth maps and further pictures` {
  private func xmp(_ words: String) -> [UInt8] {
    HandMade.segment(0xE1, HandMade.text("http://ns.adobe.com/xap/1.0/\0<x \(words)/>"))
  }

  /// A JPEG with a table of two images; the second, after its end, has the given segment and
  /// attributes.
  private func pair(
    _ segment: [UInt8], isLittle: Bool = true, at wrong: Int = 0, attributes: Int = 0
  ) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      let bytes = size == 2 ? HandMade.little16(value) : HandMade.little32(value)
      return isLittle ? bytes : bytes.reversed()
    }
    func file(second: Int) -> [UInt8] {
      let order: [UInt8] = isLittle ? [0x49, 0x49] : [0x4D, 0x4D]
      let head = order + number(42, 2) + number(8, 4) + number(1, 2)
      let field = number(0xB002, 2) + number(7, 2) + number(32, 4) + number(26, 4) + number(0, 4)
      let entries = [0x2003_0000, 100, 0, 0, attributes, 50, second, 0].flatMap { number($0, 4) }
      let table = HandMade.text("MPF\0") + head + field + entries
      return HandMade.jpeg(HandMade.segment(0xE2, table))
    }
    // Positions are relative to the structure after the mark: 2 + 4 + 4 bytes.
    let place = file(second: 0).count - 10
    return file(second: place + wrong) + HandMade.jpeg(segment)
  }

  @Test(arguments: [
    (#"hdrgm:Version="1.0""#, MetadataKind.gainMap), ("><Item:Semantic>GainMap<", .gainMap),
    (#"HDRGainMap:HDRGainMapVersion="1""#, .gainMap), (#"GDepth:Format="RangeInverse""#, .depthMap),
    (#"Item:Semantic="Depth""#, .depthMap),
  ])
  func `XMP of a JPEG names what follows`(words: String, kind: MetadataKind) throws {
    #expect(try inspect(HandMade.jpeg(xmp(words))).metadata == [.xmp, kind])
  }

  @Test(arguments: [true, false])
  func `the second image of a JPEG declares its type`(isLittle: Bool) throws {
    let gain = xmp(#"apdi:AuxiliaryImageType="urn:com:apple:photo:2020:aux:hdrgainmap""#)
    let standard = HandMade.segment(0xE2, HandMade.text("urn:iso:std:iso:ts:21496:-1\0"))
    let depth = xmp(#"depthData:DepthDataVersion="1""#)
    for (segment, kinds) in [
      (gain, [MetadataKind.gainMap]),
      (standard, [.gainMap]),
      (depth, [.multiPicture, .depthMap]), ([], [.multiPicture]),
    ] {
      #expect(try inspect(pair(segment, isLittle: isLittle)).metadata == kinds)
    }
  }

  @Test(arguments: [true, false])
  func `a large thumbnail is a preview, unlike other further pictures`(isLittle: Bool) throws {
    func kinds(_ attributes: Int, _ segment: [UInt8] = []) throws -> [MetadataKind] {
      try inspect(pair(segment, isLittle: isLittle, attributes: attributes)).metadata
    }
    // Types of CIPA DC-007, table 4, some with the flags of a dependent child.
    for type in [0x01_0001, 0x01_0002, 0x4001_0002, 0x0101_0001] {
      #expect(try kinds(type) == [.preview])
    }
    // Undefined, panorama, disparity, multi-angle, primary, original.
    for type in [0, 0x02_0001, 0x02_0002, 0x4002_0003, 0x03_0000, 0x04_0000, 0x05_0000] {
      #expect(try kinds(type) == [.multiPicture])
    }
    let gain = HandMade.segment(0xE2, HandMade.text("urn:iso:std:iso:ts:21496:-1\0"))
    #expect(try kinds(0x01_0002, gain) == [.preview, .gainMap])
  }

  @Test func `a table of one picture names no further one`() throws {
    var file = pair([], attributes: 0x01_0002)
    // The table's only field has 32 bytes, at 26; 16 are one entry.
    let length = try #require(file.firstRange(of: [0x02, 0xB0, 7, 0, 32, 0, 0, 0])).lowerBound + 4
    file[length] = 16
    #expect(try inspect(file).metadata == [.trailer])
  }

  @Test func `a table that leads elsewhere is ignored and ends`() throws {
    let gain = HandMade.segment(0xE2, HandMade.text("urn:iso:std:iso:ts:21496:-1\0"))
    for wrong in [-1, 1, 1 << 20, 0xFFFF_0000] {
      #expect(try inspect(pair(gain, at: wrong)).metadata == [.multiPicture, .trailer])
    }
    let endless = HandMade.text("MPF\0II") + [42, 0] + HandMade.little32(8)
    #expect(
      try inspect(HandMade.jpeg(HandMade.segment(0xE2, endless))).metadata == [.multiPicture])
  }

  @Test func `data after the end are named`() throws {
    func box(_ brand: String) -> [UInt8] {
      [0, 0, 0, 16] + HandMade.text("ftyp\(brand)") + [0, 0, 0, 0]
    }
    let jpeg = HandMade.jpeg()
    #expect(try inspect(jpeg + box("mp42")).metadata == [.video])
    #expect(
      try inspect(jpeg + [UInt8](repeating: 7, count: 65_530) + box("qt  ")).metadata == [.video])
    #expect(try inspect(jpeg + box("heic")).metadata == [.trailer])
    #expect(try inspect(jpeg + HandMade.text("ftypmp42ftyp")).metadata == [.trailer])
    let samsung = HandMade.text("SEFH") + [0, 0, 0, 0] + HandMade.text("SEFT")
    #expect(try inspect(jpeg + samsung).metadata == [.samsungTrailer])
    #expect(try inspect(jpeg + box("mp42") + samsung).metadata == [.video, .samsungTrailer])
  }

  @Test(arguments: 0...15)
  func `an application segment of an unknown maker is reported`(number: UInt8) throws {
    let segment = HandMade.segment(0xE0 + number, HandMade.text("Maker\0of something"))
    #expect(try inspect(HandMade.jpeg(segment)).metadata == [.applicationData])
  }

  @Test(arguments: [MetadataPolicy.keep, .stripLocation, .stripAll])
  func `a lost map is always reported`(policy: MetadataPolicy) throws {
    let standard = HandMade.segment(0xE2, HandMade.text("urn:iso:std:iso:ts:21496:-1\0"))
    let backend = RecordingBackend(answer: HandMade.png(2, 1))
    let engine = CropEngine(backend: backend)
    let result = try engine.crop(
      ImageSource(bytes: Data(HandMade.jpeg(standard)), name: "picture"),
      recipe: CropRecipe(rect: FrameRect(x: 0, y: 0, width: 2, height: 1)),
      options: ResultOptions(format: .png, metadata: policy))
    #expect(result.warnings == [.hdrDropped("PNG files made here can't hold it")])
  }
}
