import Foundation
import Testing

@testable import CropCore
@testable import CropFormats
@testable import CropImaging
@testable import CropJPEG
@testable import CropMetadata
@testable import CropSystem

@Suite struct `JPEG XL headers` {
  /// Not all defaults; extra fields: orientation 6, no other size, no preview, `animation`.
  private func extras(animation: Int = 0) -> [(Int, Int)] {
    [(0, 1), (1, 1), (5, 3), (0, 1), (0, 1), (animation, 1)]
  }

  @Test func `the plainest picture is sRGB of 8 bits`() throws {
    let info = try inspect(HandMade.codestream())
    #expect(info.format == .jxl)
    #expect(info.stored == BitmapSize(width: 200, height: 120))
    #expect(info.orientation == .up && info.bitDepth == 8 && !info.hasAlpha)
    #expect(info.color == .rgb && info.colorCoding == .sRGB)
  }

  @Test func `small sizes and ratios are read`() throws {
    // 8 times (five bits plus 1); the fourth ratio is 3:2.
    let small = HandMade.bits([(0x0AFF, 16), (1, 1), (1, 5), (0, 3), (2, 5), (1, 1)])
    #expect(try inspect(small).stored == BitmapSize(width: 24, height: 16))
    let ratio = HandMade.bits([(0x0AFF, 16), (1, 1), (1, 5), (4, 3), (1, 1)])
    #expect(try inspect(ratio).stored == BitmapSize(width: 24, height: 16))
  }

  @Test func `orientation, depth, alpha and code points are read`() throws {
    let picture = HandMade.codestream(
      extras() + [
        (0, 1), (1, 2),  // 10 bits
        (1, 1), (1, 2), (1, 1),  // one extra channel, plain alpha
        (0, 1),  // not XYB
        (0, 1), (0, 1), (0, 2),  // colors: not the defaults, no profile, RGB
        (1, 2), (2, 2), (9, 4), (0, 1), (2, 2), (14, 4), (0, 2),  // D65, P3, no gamma, PQ
        (1, 1),
      ])
    let info = try inspect(picture)
    #expect(info.orientation == .right)
    #expect(info.shown == ImageSize(width: 120, height: 200))
    #expect(info.bitDepth == 10 && info.hasAlpha)
    #expect(
      info.colorCoding
        == .codePoints(ColorCodePoints(primaries: 12, transfer: 16, matrix: 0, isFullRange: true)))
    #expect(Inspection.isCodedExactly(ImageSource(bytes: Data(picture), name: "picture")))
  }

  @Test func `gray with a gamma is read`() throws {
    let info = try inspect(
      HandMade.codestream([
        (0, 1), (0, 1), (0, 1), (0, 2), (1, 1), (0, 2), (1, 1), (0, 1), (0, 1), (1, 2),
        (1, 2), (1, 1), (5_000_000, 24), (1, 2),
      ]))
    #expect(info.color == .gray)
    let coding = ColorCoding.measured(MeasuredColor(gamma: 0.5, primaries: .sRGB))
    #expect(info.colorCoding == coding)
  }

  @Test(
    arguments: [
      ([(0, 1), (1, 1), (0, 3), (0, 1), (0, 1), (1, 1)], "a JPEG XL animation"),
      ([(0, 1), (0, 1), (1, 1), (0, 2), (7, 4), (1, 1), (0, 2)], "with floating-point samples"),
      ([(0, 1), (0, 1), (0, 1), (3, 2), (31, 6), (1, 1), (0, 2)], "with more than 16 bits"),
      (
        [
          (0, 1), (0, 1), (0, 1), (0, 2), (1, 1), (1, 2), (0, 1), (2, 2), (2, 4), (0, 1), (0, 2),
          (0, 2), (0, 2),
        ], "in CMYK"
      ),
      (
        [
          (0, 1), (0, 1), (0, 1), (0, 2), (1, 1), (1, 2), (0, 1), (0, 2), (0, 1), (0, 2), (0, 2),
          (0, 2), (1, 1),
        ], "with premultiplied alpha"
      ),
    ] as [([(Int, Int)], String)])
  func `files that libvips shows wrong are rejected`(metadata: [(Int, Int)], words: String) {
    let error = inspectionFailure(HandMade.codestream(metadata + [(0, 8)]))
    #expect(error?.code == "unsupported-feature")
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "none")")
  }

  @Test func `boxes have metadata, also compressed, and EXIF turns nothing`() throws {
    let exif = HandMade.exif(6)
    let plain = HandMade.boxes(
      HandMade.box("Exif", [0, 0, 0, 0] + exif), HandMade.box("xml ", HandMade.text("<x/>")),
      HandMade.box("jumb", [1]), HandMade.box("jxlc", HandMade.codestream()))
    let info = try inspect(plain)
    #expect(info.orientation == .up)
    #expect(info.metadata == [.exif, .xmp, .credentials])
    let packed = HandMade.boxes(
      HandMade.box("brob", HandMade.text("Exif") + HandMade.stored([0, 0, 0, 0] + exif)),
      HandMade.box("brob", HandMade.text("xml ") + HandMade.stored(HandMade.text("<x/>"))),
      HandMade.box("jxlc", HandMade.codestream()))
    #expect(try inspect(packed).metadata == [.exif, .xmp])
    for file in [plain, packed] {
      let found = ImageMetadata(ImageSource(bytes: Data(file), name: "picture")).blocks
      #expect(found.exif == exif && found.xmp == HandMade.text("<x/>"))
    }
  }

  @Test func `boxes of an unknown kind and a JPEG's data are listed`() throws {
    let stream = HandMade.box("jxlc", HandMade.codestream())
    for (box, kinds) in [
      (HandMade.box("uuid", Array(repeating: 7, count: 20)), [MetadataKind.applicationData]),
      (HandMade.box("abcd", [1]), [.applicationData]),
      (HandMade.box("brob", HandMade.text("abcd") + HandMade.stored([1])), [.applicationData]),
      (HandMade.box("jbrd", [1]), [.originalJPEG]),
      (HandMade.box("jxll", [10]) + HandMade.box("free", [0]), []),
    ] {
      let info = try inspect(HandMade.boxes(box, stream))
      #expect(info.metadata == kinds)
      #expect(info.neverKept(under: .keep) == kinds && info.neverKept(under: .stripAll).isEmpty)
    }
  }

  @Test func `unreadable compressed EXIF may contain a location`() throws {
    let file = HandMade.boxes(
      HandMade.box("brob", HandMade.text("Exif") + [0xFF, 0xFF, 0xFF]),
      HandMade.box("jxlc", HandMade.codestream()))
    #expect(try inspect(file).metadata == [.exif, .location])
  }

  @Test func `a picture in parts is one, and lacks something without its last part`() throws {
    let all = HandMade.codestream()
    let parts = [Array(all.prefix(3)), Array(all.dropFirst(3))]
    let first = HandMade.box("jxlp", [0, 0, 0, 0] + parts[0])
    let last = HandMade.box("jxlp", [0x80, 0, 0, 1] + parts[1])
    #expect(try inspect(HandMade.boxes(first, last)).stored.width == 200)
    let middle = HandMade.box("jxlp", [0, 0, 0, 1] + parts[1])
    #expect(inspectionFailure(HandMade.boxes(first, middle))?.code == "truncated")
  }

  @Test func `every truncated file is an error`() {
    let bare = HandMade.codestream(extras() + [(0, 1), (0, 2), (1, 1), (0, 2), (1, 1), (1, 1)])
    for file in [bare, HandMade.boxes(HandMade.box("jxlc", bare))] {
      #expect(inspectionFailure(file) == nil)
      for count in 0..<file.count {
        #expect(inspectionFailure(Array(file[..<count])) != nil, "\(count) bytes")
      }
    }
  }

  @Test func `metadata is put into boxes before the picture and taken out of them`() throws {
    let exif = HandMade.exif(1)
    var metadata = ImageMetadata()
    metadata.blocks.exif = exif
    let info = try inspect(HandMade.codestream())
    let kept = EditedMetadata(
      metadata, edit: MetadataEdit(width: 200, height: 120, policy: .keep), info: info, format: .jxl
    )
    let bare = Data(HandMade.codestream())
    let boxed = try #require(FileEditor(kept).edited(bare, .jxl))
    #expect(try inspect(Array(boxed)).metadata == [.exif])
    let private_ = Data(
      HandMade.boxes(
        HandMade.box("brob", HandMade.text("Exif") + [1]), HandMade.box("jbrd", [1]),
        HandMade.box("abcd", [1]), HandMade.box("jxlc", HandMade.codestream())))
    let bareAgain = FileEditor(EditedMetadata(), dropsOthers: true).edited(private_, .jxl)
    #expect(
      bareAgain == Data(HandMade.boxes(HandMade.box("jxlc", HandMade.codestream()))))
    #expect(FileEditor(EditedMetadata()).edited(bare, .jxl) == bare)
  }
}
