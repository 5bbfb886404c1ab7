import TestMaterial
import Testing

@testable import CropCore
@testable import CropFormats
@testable import CropImaging
@testable import CropJPEG
@testable import CropMetadata
@testable import CropSystem

@Suite struct `JPEG headers` {
  @Test func `a whole picture is read`() throws {
    let info = try inspect(HandMade.jpeg())
    #expect(info.format == .jpeg)
    #expect(info.stored == BitmapSize(width: 16, height: 8))
    #expect(info.subsampling == .s420)
    #expect(info.scanCount == 1)
    #expect(info.metadata.isEmpty)
  }

  @Test(arguments: 1...8) func `an orientation is applied`(number: Int) throws {
    for isLittle in [true, false] {
      let exif = HandMade.exifSegment(HandMade.exif(number, isLittle: isLittle))
      let info = try inspect(HandMade.jpeg(exif))
      #expect(info.orientation.rawValue == number)
      #expect(info.shown == ImageSize(width: number < 5 ? 16 : 8, height: number < 5 ? 8 : 16))
    }
  }

  @Test func `an invalid orientation is ignored`() throws {
    let wrong = [
      HandMade.exif(0), HandMade.exif(9), HandMade.exif(65_535), HandMade.exif(0x1_0006, type: 4),
      HandMade.exif(6, count: 0), HandMade.exif(6, count: 3), HandMade.exif(6, count: 1 << 30),
      HandMade.exif(6, type: 99), HandMade.exif(6, type: 11), Array(HandMade.exif(6).dropLast(12)),
      [0x49, 0x49], [],
    ]
    for exif in wrong {
      #expect(try inspect(HandMade.jpeg(HandMade.exifSegment(exif))).orientation == .up)
      #expect(EXIFBlock.orientation(of: exif) == nil)
    }
  }

  @Test(arguments: [1, 3, 4, 6, 8, 9])
  func `an orientation of any integer type is applied by all readers`(
    type: Int
  ) throws {
    for isLittle in [true, false] {
      // Two 4-byte numbers don't fit into the entry: it then has their position, 8.
      for count in [4, 9].contains(type) ? [1] : [1, 2] {
        let exif = HandMade.exif(6, type: type, count: count, isLittle: isLittle)
        #expect(try inspect(HandMade.jpeg(HandMade.exifSegment(exif))).orientation == .right)
        #expect(EXIFBlock.orientation(of: exif) == .right)
        let edit = MetadataEdit(width: 1, height: 1, policy: .keep, orientation: .down)
        let edited = try #require(EXIFBlock(exif, edit: edit)?.bytes)
        #expect(EXIFBlock.orientation(of: edited) == .down)
      }
    }
  }

  @Test func `the first of two orientations is used`() throws {
    let both = HandMade.exifSegment(HandMade.exif(6)) + HandMade.exifSegment(HandMade.exif(3))
    #expect(try inspect(HandMade.jpeg(both)).orientation == .right)
  }

  @Test func `directories that lead back to themselves end`() throws {
    let exif = HandMade.exif(6, next: 8)
    #expect(try inspect(HandMade.jpeg(HandMade.exifSegment(exif))).orientation == .right)
  }

  @Test func `a missing end is reported wherever it is cut`() throws {
    let cut = Array(HandMade.jpeg().dropLast(2))
    #expect(inspectionFailure(cut)?.code == "truncated")
    #expect(try inspect(cut, isLenient: true).warnings.map(\.code) == ["truncated"])
    let two = Array(HandMade.jpeg().dropLast(2)) + HandMade.jpeg()
    #expect(inspectionFailure(two)?.code == "truncated")
  }

  @Test func `bytes behind the end are a trailer`() throws {
    #expect(try inspect(HandMade.jpeg() + HandMade.jpeg()).metadata == [.trailer])
  }

  @Test func `bytes before a marker are accepted with a warning`() throws {
    let info = try inspect(HandMade.jpeg(HandMade.segment(0xFE, [7]) + [1, 2, 3]))
    #expect(info.warnings.map(\.code) == ["extra-bytes"])
    #expect(try inspect(HandMade.jpeg([0xFF, 0xFF, 0xFF])).warnings.isEmpty)
  }

  @Test(arguments: [
    (HandMade.frame(16, 8, precision: 12), "12-bit JPEG"),
    (HandMade.frame(16, 8, marker: 0xC3), "lossless JPEG"),
    (HandMade.frame(16, 8, marker: 0xC5), "hierarchical JPEG"),
    (HandMade.frame(16, 8, marker: 0xDE) + HandMade.frame(16, 8), "hierarchical JPEG"),
    (HandMade.frame(16, 8, marker: 0xF7), "JPEG-LS"),
    (HandMade.segment(0xF8, [1, 0, 255]) + HandMade.frame(16, 8), "JPEG-LS"),
    (HandMade.frame(16, 8, factors: [0x11, 0x11]), "2 channels"),
    (HandMade.frame(16, 0), "height at its end"),
  ])
  func `unsupported features are named`(frame: [UInt8], words: String) {
    let error = inspectionFailure(HandMade.jpeg(frame: frame))
    #expect(error?.exitStatus == 69)
    #expect(error?.httpStatus == 415)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "none")")
  }

  @Test func `engine and cutter refuse the same markers`() {
    for marker: UInt8 in 0xC0...0xFE {
      let file = HandMade.jpeg(HandMade.segment(marker, [8, 0, 8, 0, 8, 1, 1, 0x11, 0]))
      let isRefused = inspectionFailure(file)?.code == "unsupported-feature"
      var isUncuttable = false
      file.withUnsafeBytes { bytes in
        do throws(JPEGError) {
          _ = try JPEGHeader(reading: JPEGInput(bytes))
        } catch .unsupported(_) {
          isUncuttable = true
        } catch {}
      }
      #expect(isRefused == isUncuttable, "marker \(marker)")
      #expect(isRefused == (JPEGMarker.obstacle(marker) != nil), "marker \(marker)")
    }
  }

  @Test func `invalid values are damage`() {
    let broken = [
      HandMade.start + HandMade.scan + HandMade.frame(8, 8) + HandMade.end,
      HandMade.start + HandMade.frame(8, 8) + HandMade.end, HandMade.start + HandMade.end + [0xFF],
      HandMade.jpeg(frame: HandMade.frame(8, 8) + HandMade.frame(8, 8)),
      HandMade.jpeg(frame: HandMade.frame(0, 8)),
      HandMade.jpeg(frame: HandMade.frame(8, 8, factors: [0x51, 0x11, 0x11])),
      HandMade.jpeg(frame: HandMade.segment(0xC0, [8, 0, 8])), HandMade.jpeg(HandMade.start),
    ]
    for file in broken { #expect(inspectionFailure(file)?.code == "corrupt") }
  }

  @Test func `scans are counted and limited`() throws {
    let scans = Array(repeatElement(HandMade.scan, count: 101).joined())
    let head = HandMade.start + HandMade.frame(16, 8, marker: 0xC2)
    #expect(
      inspectionFailure(head + scans + HandMade.end)
        == .limitExceeded(file: "picture", limit: .scans, actual: 101, allowed: 100))
    let info = try inspect(head + scans + HandMade.end, limits: Limits(scans: 101))
    #expect(info.scanCount == 101)
    #expect(info.isProgressive)
  }

  @Test func `a size is refused before its pixels`() {
    let bomb = HandMade.jpeg(frame: HandMade.frame(65_500, 65_500))
    #expect(inspectionFailure(bomb)?.code == "limit-pixels")
    #expect(inspectionFailure(bomb)?.httpStatus == 413)
    let coarse = HandMade.jpeg(frame: HandMade.frame(17_000, 17_000, marker: 0xC2))
    #expect(inspectionFailure(coarse, limits: Limits(memory: 500 << 20))?.code == "limit-memory")
  }
}
