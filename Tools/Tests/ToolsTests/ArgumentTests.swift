import CropArguments
import CropCore
import CropImaging
import TestMaterial
import Testing

@testable import cropkit

struct ArgumentTests {
  @Test(arguments: [
    [UInt8]("photo.jpg".utf8), Array("a b\n\"🏔️".utf8), [0xff], [0x61, 0xc3], [0xed, 0xa0, 0x80],
    [0xf4, 0x8f, 0xbe, 0x80], [0xf4, 0x8f, 0xbf, 0xbf, 0xff], [0xc0, 0xaf, 0x2f], [],
  ])
  func `any bytes survive being an argument`(bytes: [UInt8]) {
    let text = RawArguments.text(for: bytes)
    #expect(RawArguments.bytes(of: text) == bytes)
  }

  @Test func `random bytes survive being an argument`() {
    var random = Seeded(seed: 19)
    for _ in 0..<2000 {
      let bytes = (0..<12).map { index in
        UInt8.random(in: 0...255, using: &random) | (index % 2 == 0 ? 0x80 : 0)
      }
      #expect(RawArguments.bytes(of: RawArguments.text(for: bytes)) == bytes)
    }
  }

  @Test func `plain text is an argument as it is`() {
    #expect(RawArguments.text(for: Array("--rect".utf8)) == "--rect")
  }

  @Test func `a rectangle takes pixels and percent`() {
    let argument = RectArgument(argument: "1,-2.5,30%,4e1")
    #expect(
      argument?.area
        == .rectangle(x: .pixels(1), y: .pixels(-2.5), width: .percent(30), height: .pixels(40)))
  }

  @Test(arguments: [
    "", "1,2,3", "1,2,3,4,5", "1,2,3,x", "nan,0,1,1", "inf,0,1,1", "0x10,0,1,1", "1 ,2,3,4",
    "1,2,3,4%%", "1,,3,4", "%,0,1,1", "1e999,0,1,1",
  ])
  func `anything else is no rectangle`(text: String) {
    #expect(RectArgument(argument: text) == nil)
  }

  @Test func `a rectangle takes a size and a place, as other programs have it`() {
    #expect(
      RectArgument(argument: "800x60%+10+5")?.area
        == .rectangle(x: .pixels(10), y: .pixels(5), width: .pixels(800), height: .percent(60)))
    #expect(
      RectArgument(argument: "800x60%")?.area
        == .sized(width: .pixels(800), height: .percent(60), .center))
    for text in [
      "800x", "x600", "800x600+", "800x600+1", "x600+1+1", "800x600+1+1+1", "8x6x1+1+1", "8X6+1+1",
    ] {
      #expect(RectArgument(argument: text) == nil, "\(text)")
    }
  }

  @Test func `an inset takes one, two or four lengths`() {
    let (two, three) = (CropLength.pixels(2), CropLength.percent(3))
    #expect(
      InsetArgument(argument: "2")?.area == .inset(left: two, top: two, right: two, bottom: two))
    #expect(
      InsetArgument(argument: "2,3%")?.area
        == .inset(left: two, top: three, right: two, bottom: three))
    #expect(
      InsetArgument(argument: "2,3%,3%,2")?.area
        == .inset(left: two, top: three, right: three, bottom: two))
    for text in ["", "1,2,3", "1,2,3,4,5", "x", "1,", "nan"] {
      #expect(InsetArgument(argument: text) == nil, "\(text)")
    }
  }

  @Test func `a pattern makes names`() throws {
    func name(_ pattern: String, _ input: String, _ format: ImageFormat? = nil) throws -> String? {
      try ResultNames(argument: pattern)?.output(
        of: FileArgument(argument: input), number: 7, format: format,
        in: FileArgument(argument: "out")
      ).name
    }
    #expect(try name("{name}.{ext}", "a/b.c.JPG") == "out/b.c.JPG")
    #expect(try name("{name}-{number}.{ext}", "b.jpeg", .jpeg) == "out/b-7.jpeg")
    #expect(try name("{number}{name}.{ext}", "b.jpeg", .webp) == "out/7b.webp")
    #expect(try name("{name}", ".hidden") == "out/.hidden")
    #expect(try name("{name}.{ext}", "scan", .png) == "out/scan.png")
    #expect(throws: CropError.self) { try name("{name}.{ext}", "scan") }
    for pattern in ["", "{", "{nam}", "a/b", "{name", ".", ".."] {
      #expect(ResultNames(argument: pattern) == nil, "\(pattern)")
    }
  }

  @Test func `a ratio takes whole and decimal terms`() {
    #expect(AspectArgument(argument: "16:9")?.ratio == AspectRatio(16, 9))
    #expect(AspectArgument(argument: "16/9")?.ratio == AspectRatio(16, 9))
    #expect(AspectArgument(argument: "1.91:1")?.ratio == AspectRatio(191, 100))
    #expect(AspectArgument(argument: "1920:1080")?.ratio == AspectRatio(16, 9))
    #expect(AspectArgument(argument: "16x9")?.ratio == AspectRatio(16, 9))
    #expect(AspectArgument(argument: "1.5")?.ratio == AspectRatio(3, 2))
    #expect(AspectArgument(argument: "1")?.ratio == .square)
  }

  @Test(arguments: [
    "", "0", "-1", "x", "1x", "0:1", "1:0", "-1:2", "1:2:3", "1:2/3", "nan:1", "1e9:1", "inf:inf",
  ])
  func `anything else is no ratio`(text: String) {
    #expect(AspectArgument(argument: text) == nil)
  }

  @Test func `an amount scales by a letter`() {
    #expect(Amount(argument: "300M")?.things == 300_000_000)
    #expect(Amount(argument: "512m")?.bytes == 512 << 20)
    #expect(Amount(argument: "1G")?.bytes == 1 << 30)
    #expect(Amount(argument: "7")?.things == 7)
    #expect(Amount(argument: "1.5M")?.things == 1_500_000)
    #expect(Amount(argument: "1.5M")?.bytes == 3 << 19)
  }

  @Test(arguments: [
    "", "0", "-1", "M", "1.5", "1.M", ".5M", "9223372036854775807K", "9999999999999G", "1T", "٣",
  ])
  func `anything else is no amount`(text: String) {
    #expect(Amount(argument: text) == nil)
  }

  @Test func `a shape is named`() {
    #expect(ShapeArgument(argument: "ellipse")?.shape == .ellipse)
    #expect(ShapeArgument(argument: "rounded:24")?.shape == .roundedRectangle(radius: 24))
    #expect(ShapeArgument(argument: "rounded:") == nil)
    #expect(ShapeArgument(argument: "ellipse")?.isCircle == false)
    #expect(ShapeArgument(argument: "circle")?.shape == .ellipse)
    #expect(ShapeArgument(argument: "circle")?.isCircle == true)
    #expect(ShapeArgument(argument: "circles") == nil)
  }

  @Test func `a name's extension is after the last dot of the last part`() {
    #expect(FileArgument(argument: "a.b/c.JPG").fileExtension == "JPG")
    #expect(FileArgument(argument: "a.b/c").fileExtension == nil)
    #expect(FileArgument(argument: ".jpg").fileExtension == nil)
    #expect(FileArgument(argument: "a.tar.gz").fileExtension == "gz")
  }
}
