import Foundation
import TestMaterial
import Testing

@testable import CropCore
@testable import CropFormats
@testable import CropImaging
@testable import CropJPEG
@testable import CropMetadata
@testable import CropSystem

/// The engine's information about bytes.
func inspect(
  _ bytes: [UInt8], limits: Limits = Limits(), isLenient: Bool = false, page: Int = 1
) throws(CropError) -> ImageInfo {
  try CropEngine(backend: NoBackend(), limits: limits).info(
    ImageSource(bytes: Data(bytes), name: "picture"), isLenient: isLenient, page: page)
}

func inspectionFailure(
  _ bytes: [UInt8], limits: Limits = Limits(), isLenient: Bool = false, page: Int = 1
) -> CropError? {
  failure { () throws(CropError) in
    _ = try inspect(bytes, limits: limits, isLenient: isLenient, page: page)
  }
}

@Suite struct `Telling formats apart` {
  @Test(arguments: [
    ("%PDF-1.7", "a PDF document"), ("<svg xmlns=", "an SVG or XML document"),
    ("hello, world\n", "text"), ("PK\u{3}\u{4}....", "a ZIP archive"), ("P6\n2 2\n255", "a PNM"),
    ("RIFF....WAVEfmt ", "not WebP"), ("\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom", "video"),
    ("2 2\n1 2\n3 4", "text"), ("BM......", "a BMP image"), ("qoif....", "a QOI image"),
    ("#?RADIANCE", "Radiance"),
  ])
  func `other kinds of files are named`(content: String, words: String) {
    let error = inspectionFailure(Array(content.utf8))
    #expect(error?.code == "unsupported-format")
    #expect(error?.exitStatus == 69)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "none")")
    #expect(error?.description.contains("CropKit reads JPEG, PNG, WebP, GIF, TIFF, HEIC") == true)
  }

  @Test func `an empty file is empty`() {
    #expect(inspectionFailure([]) == .empty(file: "picture"))
  }

  @Test func `every truncated image is an error and not a crash`() {
    let files = [
      HandMade.jpeg(HandMade.exifSegment(HandMade.exif(6))), HandMade.png(),
      HandMade.gif(4, 4, [HandMade.gifFrame(0, 0, 4, 4)]), HandMade.tiff(),
      HandMade.riff(HandMade.canvas(4, 4, flags: 0) + HandMade.lossless(4, 4)),
      HandMade.heif(properties: [HandMade.extents(4, 4)]),
    ]
    for file in files {
      #expect(inspectionFailure(file) == nil)
      for count in 0..<file.count {
        // A TIFF may end without the pointer to a further page.
        guard inspectionFailure(Array(file[..<count])) == nil else { continue }
        #expect(file.starts(with: [0x49, 0x49]) && count >= file.count - 4, "\(count) bytes")
      }
    }
  }
}

@Suite struct `Headers of the other formats` {
  @Test func `PNG has depth, colors and frames`() throws {
    let still = try inspect(HandMade.png(kind: 3, before: HandMade.chunk("tRNS", [0])))
    #expect(still.color == .palette && still.hasAlpha && still.frameCount == 1)
    let moving = try inspect(
      HandMade.png(
        depth: 16, kind: 0, interlace: 1,
        before: HandMade.animation(frames: 7)
          + HandMade.chunk("eXIf", HandMade.exif(8))
          + HandMade.chunk("iCCP", Array("A name\0\0".utf8)), after: [0]))
    #expect(moving.bitDepth == 16 && moving.color == .gray && moving.isProgressive)
    #expect(moving.frameCount == 7 && moving.orientation == .left)
    #expect(moving.shown == ImageSize(width: 3, height: 4))
    #expect(moving.profileName == "A name")
    #expect(moving.metadata == [.exif, .icc, .trailer])
  }

  @Test func `an animated PNG with a wrong number of frames is damage`() throws {
    for chunks in [
      HandMade.animation(frames: 2, announced: 3), HandMade.animation(frames: 3, announced: 2),
      HandMade.animation(frames: 0, announced: 4_000_000_000),
      HandMade.animation(frames: 2, width: 5), HandMade.animation(frames: 2, height: 0),
      HandMade.animation(frames: 2) + HandMade.chunk("fdAT", HandMade.big32(7)),
    ] {
      #expect(inspectionFailure(HandMade.png(before: chunks))?.code == "corrupt")
    }
    let less = try inspect(
      HandMade.png(before: HandMade.animation(frames: 2, announced: 3)), isLenient: true)
    #expect(less.frameCount == 2 && less.warnings.map(\.code) == ["truncated"])
    // Without an animation chunk, or if it comes too late, it is a still image.
    let still = try inspect(
      HandMade.png(before: HandMade.chunk("fcTL", [9]) + HandMade.chunk("fdAT", [])))
    #expect(still.frameCount == 1 && still.frameDurations.isEmpty && still.playCount == nil)
  }

  @Test func `an invalid PNG is damaged`() {
    let broken = [
      HandMade.png(0, 3), HandMade.png(1 << 31, 3), HandMade.png(depth: 3), HandMade.png(kind: 5),
      HandMade.png(depth: 16, kind: 3), HandMade.png(interlace: 2),
      HandMade.signature + HandMade.chunk("IDAT"), HandMade.png(before: HandMade.chunk("IE\0D")),
    ]
    for file in broken { #expect(inspectionFailure(file)?.code == "corrupt") }
  }

  @Test func `PNG sizes that overflow are refused`() {
    let largest = Int(Int32.max)
    #expect(inspectionFailure(HandMade.png(largest, largest))?.code == "limit-pixels")
    #expect(inspectionFailure(HandMade.png(65_536, 65_536))?.code == "limit-pixels")
  }

  @Test func `a GIF frame larger than the canvas is detected`() throws {
    let grown = try inspect(HandMade.gif(10, 10, [HandMade.gifFrame(5, 5, 10, 10)]))
    #expect(grown.stored == BitmapSize(width: 15, height: 15))
    let bomb = HandMade.gif(10, 10, [HandMade.gifFrame(0, 0, 60_000, 60_000)])
    #expect(inspectionFailure(bomb)?.code == "limit-pixels")
    let late = HandMade.gif(
      10, 10, [HandMade.gifFrame(0, 0, 10, 10), HandMade.gifFrame(0, 0, 60_000, 60_000)])
    #expect(inspectionFailure(late)?.code == "limit-pixels")
    let two = try inspect(
      HandMade.gif(10, 10, [HandMade.gifFrame(0, 0, 10, 10), HandMade.gifFrame(0, 0, 20, 20)]))
    #expect(two.stored == BitmapSize(width: 10, height: 10))
    #expect(two.frameCount == 2)
  }

  @Test func `TIFF pages are counted and chosen`() throws {
    var file = HandMade.tiff()
    let second = file.count
    file.replaceSubrange(second - 4..<second, with: HandMade.little32(second))
    file += HandMade.tiff([(274, 3, 6)], width: 3, height: 1).dropFirst(12)
    let first = try inspect(file)
    #expect(first.pageCount == 2 && first.stored == BitmapSize(width: 2, height: 2))
    let other = try inspect(file, page: 2)
    #expect(other.shown == ImageSize(width: 1, height: 3))
    #expect(inspectionFailure(file, page: 3)?.exitStatus == 64)
  }

  @Test(arguments: ["IHDR", "tEXt", "eXIf", "prVt", "loNg", "IEND"])
  func `a chunk of a PNG with a wrong checksum is damage`(name: String) throws {
    let chunks = HandMade.chunk("tEXt", HandMade.text("A\0b")) + HandMade.chunk("prVt", [1, 2])
    // Longer than one read.
    let long = HandMade.chunk("loNg", [UInt8](repeating: 7, count: 200_000))
    let sound = HandMade.png(
      before: chunks + HandMade.chunk("eXIf", HandMade.exif(1)) + long, after: [9])
    #expect(try inspect(sound).warnings.isEmpty)
    var file = Data(sound)
    let start = try #require(file.firstRange(of: Data(name.utf8))).lowerBound
    let length = file[start - 4..<start].reduce(0) { $0 << 8 | Int($1) }
    file[start + 4 + length] ^= 1
    let error = inspectionFailure(Array(file))
    #expect(error?.code == "corrupt")
    #expect(error?.description.contains("\(name) has a wrong checksum") == true)
    #expect(try inspect(Array(file), isLenient: true).warnings.map(\.code) == ["damaged"])
  }

  @Test func `a TIFF that ends inside its metadata is reported`() throws {
    var file = HandMade.tiff([(700, 1, 0)])
    // An XMP packet of a hundred bytes, the last of which is missing.
    let field = HandMade.little16(700) + HandMade.little16(1) + HandMade.little32(1)
    let place = try #require(Data(file).firstRange(of: Data(field)))
    file.replaceSubrange(
      place.lowerBound + 4..<place.lowerBound + 12,
      with: HandMade.little32(100) + HandMade.little32(file.count))
    let whole = file + [UInt8](repeating: 32, count: 100)
    #expect(try inspect(whole).metadata == [.xmp])
    #expect(inspectionFailure(whole.dropLast())?.code == "truncated")
    let info = try inspect(whole.dropLast(), isLenient: true)
    #expect(info.warnings.map(\.code) == ["truncated"])
  }

  @Test func `pages of a TIFF that lead back are read once, with a warning`() throws {
    let alone = try inspect(HandMade.tiff(next: 12))
    #expect(alone.pageCount == 1 && alone.stored == BitmapSize(width: 2, height: 2))
    #expect(alone.warnings == [.pagesInCircle(count: 1)])
    #expect(alone.warnings[0].message.hasSuffix("it is read as 1 page"))
    // Of two pages, the second refers back to itself or to the first.
    let first = HandMade.tiff()
    let directory = Array(HandMade.tiff(width: 4, height: 1).dropFirst(12).dropLast(4))
    for back in [12, first.count] {
      let linked = first.dropLast(4) + HandMade.little32(first.count)
      let file = linked + directory + HandMade.little32(back)
      for (page, width) in [(1, 2), (2, 4)] {
        let info = try inspect(Array(file), page: page)
        #expect(info.pageCount == 2 && info.stored.width == width)
        #expect(info.warnings == [.pagesInCircle(count: 2)])
      }
      #expect(inspectionFailure(Array(file), page: 3)?.code == "invalid-recipe")
    }
  }

  @Test func `an invalid TIFF is damaged`() {
    #expect(inspectionFailure(HandMade.tiff(width: 0))?.code == "corrupt")
    #expect(inspectionFailure(HandMade.tiff([(273, 4, 1 << 20)]))?.code == "truncated")
    #expect(inspectionFailure(HandMade.tiff([(279, 4, 0xFFFF_FFFF)]))?.code == "truncated")
    #expect(inspectionFailure(HandMade.tiff(next: 1 << 30))?.code == "truncated")
    #expect(
      inspectionFailure(HandMade.tiff(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF))?.code
        == "limit-pixels")
  }

  @Test(arguments: [
    (258, 12, "12-bit TIFF"), (259, 34_712, "JPEG 2000"), (259, 999, "compression 999"),
    (262, 32_803, "camera raw"), (50_706, 1, "DNG"), (277, 99, "99 channels"),
  ])
  func `TIFF that is not supported is named`(tag: Int, value: Int, words: String) {
    let error = inspectionFailure(HandMade.tiff([(tag, 3, value)]))
    #expect(error?.exitStatus == 69)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "none")")
  }

  @Test func `WebP is as long as it says`() throws {
    let whole = HandMade.riff(HandMade.lossless(300, 200))
    #expect(try inspect(whole).stored == BitmapSize(width: 300, height: 200))
    #expect(try inspect(whole + [1, 2]).metadata == [.trailer])
    #expect(inspectionFailure(Array(whole.dropLast(2)))?.code == "truncated")
    let lying = HandMade.riff(
      HandMade.canvas(10, 10, flags: 0) + HandMade.lossless(300, 200))
    #expect(inspectionFailure(lying)?.code == "corrupt")
    let frame = HandMade.webpChunk(
      "ANMF", [0, 0, 0, 0, 0, 0, 99, 0, 0, 9, 0, 0] + [UInt8](repeating: 0, count: 12))
    let moving = HandMade.riff(HandMade.canvas(10, 10, flags: 2) + frame)
    #expect(inspectionFailure(moving)?.code == "corrupt")
  }

  @Test func `HEIF properties are applied in their order`() throws {
    let turned = try inspect(
      HandMade.heif(properties: [HandMade.extents(300, 200), HandMade.box("irot", [1])]))
    #expect(turned.format == .avif)
    #expect(turned.stored == BitmapSize(width: 300, height: 200))
    #expect(turned.shown == ImageSize(width: 200, height: 300))
    #expect(turned.orientation == .left)
    let aperture = HandMade.box(
      "clap", [100, 1, 50, 1, 0, 1, 0, 1].flatMap { HandMade.big32($0) })
    let cut = try inspect(
      HandMade.heif(
        brand: "heic", type: "hvc1",
        properties: [HandMade.extents(300, 200), aperture, HandMade.box("irot", [3])]))
    #expect(cut.format == .heic)
    #expect(cut.shown == ImageSize(width: 50, height: 100))
  }

  @Test func `each of several EXIF items of a HEIF may have a location`() throws {
    // Items in a table have no order; the first one may have a wrong position.
    let place = [1, 0] + HandMade.little16(1) + [2, 0, 2, 0, 0, 0, 78, 0, 0, 0, 0, 0, 0, 0]
    let head = HandMade.text("II") + [42, 0, 8, 0, 0, 0, 1, 0] + HandMade.little16(0x8825)
    let gps = head + [4, 0, 1, 0, 0, 0] + HandMade.little32(26) + [0, 0, 0, 0] + place
    let file = HandMade.heif(
      properties: [HandMade.extents(30, 20)],
      others: [("Exif", [0, 0, 0, 0] + HandMade.exif(1)), ("Exif", [0, 0, 0, 0] + gps)])
    for _ in 0..<5 { #expect(try inspect(file).metadata == [.exif, .location]) }
  }

  @Test(arguments: [
    33_550, 34_264, 34_737, 37_724, 42_112, 42_113, 50_255, 50_839, 65_000,
  ])
  func `a field of a TIFF that no result keeps is reported`(tag: Int) throws {
    let isPlace = tag == 34_264
    #expect(
      try inspect(HandMade.tiff([(tag, 4, 1)])).metadata
        == (isPlace ? [.location, .applicationData] : [.applicationData]))
  }

  @Test(arguments: [32_997, 33_432, 33_434, 34_855, 36_867, 37_500, 40_091, 41_987, 42_240])
  func `a field of a TIFF that is known is not reported`(tag: Int) throws {
    #expect(try inspect(HandMade.tiff([(tag, 3, 1)])).metadata.isEmpty)
  }

  @Test(arguments: ["prVW", "mkBF", "mkBT", "msOG", "npTc"])
  func `a chunk of a PNG that no result keeps is reported`(name: String) throws {
    let file = HandMade.png(before: HandMade.chunk(name, [1]))
    #expect(try inspect(file).metadata == [.applicationData])
  }

  @Test(arguments: [
    "PLTE", "tIME", "bKGD", "sPLT", "hIST", "sBIT", "pHYs", "oFFs", "pCAL", "sCAL", "gIFg", "gIFx",
    "sTER", "vpAg", "iDOT", "cICP", "mDCV", "cLLI", "fdAT",
  ])
  func `a chunk of the PNG standard is not reported`(name: String) throws {
    #expect(try inspect(HandMade.png(before: HandMade.chunk(name, [1]))).metadata.isEmpty)
  }

  @Test func `a main image of an animated PNG that is not a frame is reported`() throws {
    let frames = HandMade.animation(frames: 2)
    // The chunk that makes it an animation has 20 bytes.
    let (start, others) = (Array(frames[..<20]), Array(frames[20...]))
    let data = HandMade.chunk("IDAT", [1])
    #expect(try inspect(HandMade.png(before: start + others + data)).metadata.isEmpty)
    #expect(try inspect(HandMade.png(before: start + data + others)).metadata == [.multiPicture])
  }

  @Test(arguments: [
    ("ABCDEFGH1.0", [MetadataKind.applicationData]), ("NETSCAPE2.0", []), ("ANIMEXTS1.0", []),
    ("XMP DataXMP", [.xmp]), ("ICCRGBG1012", [.icc]), ("C2PA_GIF\u{1}\0\0", [.credentials]),
  ])
  func `an extension of a GIF that no result keeps is reported`(
    name: String, kinds: [MetadataKind]
  ) throws {
    let block = [0x21, 0xFF, 11] + HandMade.text(name) + [3, 1, 0, 0, 0]
    let file = HandMade.gif(4, 4, [block, HandMade.gifFrame(0, 0, 4, 4)])
    #expect(try inspect(file).metadata == kinds)
  }

  @Test(arguments: [("TEST", true), ("ALPH", false)])
  func `a chunk of a WebP that no result keeps is reported`(name: String, isLost: Bool) throws {
    let file = HandMade.riff(HandMade.lossless(4, 4) + HandMade.webpChunk(name, [1, 2]))
    #expect(try inspect(file).metadata == (isLost ? [.applicationData] : []))
  }

  @Test(arguments: [("uuid", true), ("abcd", true), ("free", false), ("skip", false)])
  func `a box of a HEIF that no result keeps is reported`(name: String, isLost: Bool) throws {
    let file =
      HandMade.heif(properties: [HandMade.extents(30, 20)])
      + HandMade.box(name, [UInt8](repeating: 7, count: 20))
    #expect(try inspect(file).metadata == (isLost ? [.applicationData] : []))
  }

  @Test func `an invalid HEIF is damaged`() {
    let size = HandMade.extents(30, 20)
    #expect(inspectionFailure(HandMade.heif(properties: [size], length: 5))?.code == "truncated")
    #expect(inspectionFailure(HandMade.heif(properties: [HandMade.box("irot", [1])])) != nil)
    let nothing = HandMade.box("clap", [UInt8](repeating: 0, count: 32))
    #expect(inspectionFailure(HandMade.heif(properties: [size, nothing]))?.code == "corrupt")
    let bomb = HandMade.heif(properties: [HandMade.extents(0xFFFF_FFFF, 0xFFFF_FFFF)])
    #expect(inspectionFailure(bomb)?.code == "limit-pixels")
    let large = HandMade.heif(properties: [HandMade.extents(15_000, 15_000)])
    let tight = inspectionFailure(large, limits: Limits(memory: 1 << 30))
    #expect(tight?.code == "limit-memory" && tight?.description.contains("Limits.memory") == true)
  }

  @Test(arguments: ["heix", "msf1", "MiHE", "MiHB", "mif1", "mif2", "miaf"])
  func `a HEIC is known by each brand of its kind, first or further`(brand: String) throws {
    let file = HandMade.heif(brand: brand, type: "hvc1", properties: [HandMade.extents(30, 20)])
    #expect(try inspect(file).format == .heic)
    var later = file
    later.replaceSubrange(8..<12, with: HandMade.text("abcd"))
    #expect(try inspect(later).format == .heic)
  }

  @Test func `HEIF that is not supported is named`() {
    let size = HandMade.extents(30, 20)
    for (brand, type, words) in [
      ("mif1", "jpeg", "coded with JPEG"), ("mif1", "xxxx", "xxxx"),
    ] {
      let error = inspectionFailure(HandMade.heif(brand: brand, type: type, properties: [size]))
      #expect(error?.exitStatus == 69)
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "none")")
    }
  }

  @Test(arguments: [("avis", "av01"), ("hevc", "hvc1"), ("msf1", "hvc1"), ("avif", "av01")])
  func `a HEIF sequence is its main picture, and reported as a sequence`(
    brand: String, type: String
  ) throws {
    let moving = HandMade.box("moov", HandMade.box("mvhd", [1, 2, 3]))
    let size = HandMade.extents(30, 20)
    let file = HandMade.heif(brand: brand, type: type, properties: [size]) + moving
    let info = try inspect(file)
    #expect(info.stored == BitmapSize(width: 30, height: 20) && info.pageCount == 1)
    #expect(info.format == (type == "av01" ? .avif : .heic))
    #expect(info.metadata == [.sequence])
    // Without a primary image, there is nothing to crop.
    let head = HandMade.box("ftyp", HandMade.text(brand) + HandMade.big32(0))
    for meta in [[], HandMade.fullBox("meta", [])] {
      let error = inspectionFailure(head + meta + moving)
      #expect(error?.exitStatus == 69)
      #expect(
        error?.description.contains("HEIF sequence") == true, "\(error?.description ?? "none")")
    }
  }
}
