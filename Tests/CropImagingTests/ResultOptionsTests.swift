import CropCore
import CropImaging
import Foundation
import TestMaterial
import Testing

@Suite struct `Result options in JSON` {
  private func read(_ json: String) throws -> ResultOptions {
    try JSONDecoder().decode(ResultOptions.self, from: Data(json.utf8))
  }

  @Test func `keys and values are those of the command's options`() throws {
    let options = try read(
      """
      {"format": "webp", "quality": 70, "maxBytes": 200000, "subsampling": "444", "progressive": true, "strip": "all",
       "lossless": "snap", "maxSide": 512, "size": "300x200", "bake": true, "bleed": "3mm", "enlarge": true, "dpi": 600, "sheet": "10x15cm",
       "srgb": true, "linear": true, "hdr": "drop", "background": "#102030", "canvas": "4:5",
       "margin": "2.5%", "place": "northwest", "fill": "blur", "page": 2, "lenient": true}
      """)
    #expect(
      options
        == ResultOptions(
          format: .webp, quality: 70, maxBytes: 200_000, subsampling: .s444, lossless: .snap,
          maxSide: 512, size: .pixels(FrameSize(width: 300, height: 200)),
          bleed: PrintLength(text: "3mm"), enlarges: true, dpi: 600,
          sheet: PaperSize(text: "10x15cm"),
          isBaked: true,
          isProgressive: true, metadata: .stripAll,
          convertsToSRGB: true, isLinear: true, hdr: .drop,
          background: Background(red: 16, green: 32, blue: 48),
          canvas: .ratio(try #require(AspectRatio(4, 5))), margin: .percent(2.5),
          place: .northwest, fill: .blur, page: .only(2), isLenient: true))
  }

  @Test(arguments: [
    "{}", #"{"format": null, "quality": null, "page": null}"#,
    #"{"subsampling": "keep", "lossless": "exact", "strip": "none", "background": "white"}"#,
  ])
  func `missing values and null are the default`(json: String) throws {
    #expect(try read(json) == ResultOptions())
  }

  @Test func `what was written is read as it was`() throws {
    var random = Seeded(seed: 0xC20B_0013)
    for _ in 0..<500 {
      let options = ResultOptions(
        format: random.chance(0.3) ? nil : random.element(ImageFormat.allCases),
        quality: random.chance(0.2) ? .lossless : .level(random.int(1...100)),
        depth: random.element([nil] + ResultDepth.allCases),
        maxBytes: random.chance(0.5) ? nil : random.int(1...1 << 40),
        subsampling: random.element([nil, .s444, .s422, .s420, .s440, .s411]),
        lossless: random.element(LosslessMode.allCases),
        maxSide: random.element([nil, random.int(1...9999)]),
        size: random.element([
          nil, .pixels(FrameSize(width: random.int(1...99), height: 7)),
          PrintSize(text: "35x45mm").map { .print($0) },
          PrintSize(text: "8.5x11in").map { .print($0) },
        ]),
        bleed: random.element([nil, PrintLength(text: "0.125in")]), enlarges: random.chance(0.5),
        dpi: random.element([nil, 300]), sheet: random.element([nil, PaperSize(text: "a4")]),
        isBaked: random.chance(0.5),
        isProgressive: random.chance(0.5), metadata: random.element(MetadataPolicy.allCases),
        convertsToSRGB: random.chance(0.5), isLinear: random.chance(0.5),
        hdr: random.element(HDRMode.allCases),
        background: Background(
          red: UInt8(random.int(0...255)), green: UInt8(random.int(0...255)),
          blue: UInt8(random.int(0...255))),
        canvas: random.element([
          nil, .ratio(.square), .size(FrameSize(width: random.int(1...99), height: 7)),
        ]),
        margin: random.element([nil, .pixels(Double(random.int(0...99))), .percent(12.25)]),
        place: random.element(Gravity.allCases),
        fill: random.element([nil, .blur, .edge, .transparent, .color(.black)]),
        page: random.element([.automatic, .all, .only(random.int(1...900))]),
        isLenient: random.chance(0.5))
      let json = try JSONEncoder().encode(options)
      let back = try JSONDecoder().decode(ResultOptions.self, from: json)
      try #require(back == options, "\(random.comment)")
    }
  }

  @Test func `an unknown key is named`() {
    let error = #expect(throws: DecodingError.self) { try read(#"{"qualty": 9}"#) }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(
      context.debugDescription
        == "\"qualty\" is not known; expected one of format, quality, depth, maxBytes, subsampling, "
        + "lossless, maxSide, size, bleed, enlarge, dpi, sheet, bake, progressive, strip, srgb, "
        + "linear, hdr, background, canvas, margin, place, fill, page, lenient"
    )
  }

  @Test(arguments: [
    #"{"maxBytes": 0}"#, #"{"quality": 0}"#, #"{"quality": 101}"#, #"{"quality": "best"}"#,
    #"{"format": "bmp"}"#,
    #"{"page": 0}"#, #"{"strip": "some"}"#, #"{"strip": "keep"}"#, "[]",
    ##"{"background": "#12345"}"##, #"{"subsampling": "421"}"#, #"{"subsampling": "other"}"#,
    #"{"canvas": "0x5"}"#, #"{"canvas": 5}"#, #"{"margin": "wide"}"#, #"{"place": "top"}"#,
    #"{"fill": "mauve"}"#, #"{"lenient": 1}"#, #"{"provenance": {}}"#,
  ])
  func `an odd value is refused`(json: String) {
    #expect(throws: DecodingError.self) { try read(json) }
  }

  @Test func `corners of radius 0 need no transparency`() {
    for (radius, format) in [(0.0, ImageFormat?.none), (4, .png)] {
      let recipe = CropRecipe(shape: .roundedRectangle(radius: radius))
      #expect(ResultOptions().keepingShape(of: recipe, from: .jpeg).format == format)
    }
  }
}
