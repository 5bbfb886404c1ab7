import CropCore
import CropJPEG
import TestMaterial
import Testing

/// Damage that strict reading rejects, and valid files, however unusual, that it must not reject.
struct DamageTests {
  /// This many blocks, alternately lighter and darker by 5.
  static func blocks(_ count: Int) -> String {
    (0..<count).map { $0 % 2 == 0 ? "01 101 0" : "01 010 0" }.joined()
  }

  static func part(_ picture: HandMadeJPEG, rows: Range<Int>) -> BitmapRect {
    BitmapRect(x: 0, y: 8 * rows.lowerBound, width: 8 * picture.columns, height: 8 * rows.count)
  }

  /// The damage found by a crop of some rows of a file; nil if there is none.
  static func damage(
    _ picture: HandMadeJPEG, _ file: [UInt8], rows: Range<Int>? = nil
  ) throws -> JPEGDamage? {
    do throws(JPEGError) {
      _ = try cut(file, part(picture, rows: rows ?? 0..<picture.rows))
      return nil
    } catch .corrupt(let damage, _) {
      return damage
    }
  }

  @Test func `a 64th AC coefficient is damage and a 63rd is not`() throws {
    // 10 is a one after 14 zeros, 110 sixteen zeros.
    let picture = HandMadeJPEG(ac: ([1, 1, 1], [0, 0xE1, 0xF0]))
    let most = "00 110 110 110 10 1"
    #expect(try Self.damage(picture, picture.file([most])) == nil)
    #expect(try Self.damage(picture, picture.file(["00 110 110 110 110"])) == .runPastBlock)
    let longer = HandMadeJPEG(ac: ([1, 1, 1], [0, 0xF1, 0xF0]))
    #expect(try Self.damage(longer, longer.file([most])) == .runPastBlock)
  }

  @Test func `a code that is in no table is damage`() throws {
    let short = HandMadeJPEG()
    #expect(try Self.damage(short, short.file(["00 0"])) == nil)
    #expect(try Self.damage(short, short.file(["00 1"])) == .code)
    // All AC codes have 15 bits, too many for any lookup: 14 zeros and a 0 or a 1.
    let long = HandMadeJPEG(ac: ([UInt8](repeating: 0, count: 14) + [2], [0, 1]))
    let zeros = String(repeating: "0", count: 13)
    #expect(try Self.damage(long, long.file(["00 \(zeros) 00"])) == nil)
    #expect(try Self.damage(long, long.file(["00 \(zeros) 10"])) == .code)
  }

  @Test func `coefficients that 8-bit samples can't need are damage where they are used`() throws {
    // 10 is an AC coefficient of 10 bits, 110 one of 11.
    let ac = HandMadeJPEG(ac: ([1, 1, 1], [0, 0x0A, 0x0B]))
    let (ten, eleven) = ("1111111111", "11111111111")
    #expect(try Self.damage(ac, ac.file(["00 10 \(ten) 0"])) == nil)
    #expect(try Self.damage(ac, ac.file(["00 110 \(eleven) 0"])) == .code)
    let dc = HandMadeJPEG(columns: 2, dc: ([1, 1, 1], [0, 11, 12]))
    #expect(try Self.damage(dc, dc.file(["10 10000000000 0 0 0"])) == nil)
    #expect(try Self.damage(dc, dc.file(["110 100000000000 0 0 0"])) == .code)
  }

  @Test func `a DC value beyond black or white is damage`() throws {
    // Steps of 16: white is 1024 / 16 = 64, and no rounding gives 82.
    let picture = HandMadeJPEG(columns: 3, step: 16, dc: ([1, 1, 1], [0, 7, 6]))
    let white = "10 1000000 0"
    #expect(try Self.damage(picture, picture.file([white + "0 0 0 0"])) == nil)
    #expect(try Self.damage(picture, picture.file([white + "110 100000 0 0 0"])) == .dcRange)
    // Down by 127, then up by 64.
    let black = "10 0000000 0"
    #expect(try Self.damage(picture, picture.file([black + white + "0 0"])) == .dcRange)
  }

  @Test func `a scan that holds one block more than the picture is damage`() throws {
    let picture = HandMadeJPEG(columns: 5)
    #expect(try Self.damage(picture, picture.file([Self.blocks(5)])) == nil)
    let more = Self.blocks(8)
    #expect(try Self.damage(picture, picture.file([more])) == .dataLeft)
    let (_, report) = try cut(
      JPEGCutter(input(picture.file([more])), isLenient: true),
      Self.part(picture, rows: 0..<1))
    #expect(report.warnings == [.damagedEnd, .extraBytes])
  }

  @Test func `a scan that ends a block too early is damage`() throws {
    // The padding of the last byte has too few bits for a block.
    let picture = HandMadeJPEG(columns: 9)
    let eight = picture.file([Self.blocks(8)])
    #expect(try Self.damage(picture, eight) == .shortData)
  }

  @Test(
    arguments: [
      [0], [0, 0, 0, 0, 0], [0xFF, 0, 0xFF, 0], [0xFF], [0xFF, 0xFF, 0xFF], [0x11, 0x22, 0x33],
    ] as [[UInt8]])
  func `padding and stray bits of a scan are not damage`(tail: [UInt8]) throws {
    let picture = HandMadeJPEG(columns: 5, ac: ([0, 1], [0]))
    let file = picture.file([String(repeating: "00 00", count: 5)], tail: tail)
    let report = try cut(file, Self.part(picture, rows: 0..<1)).report
    // 0xFF before a marker is part of the format.
    let isFill = tail.allSatisfy { $0 == 0xFF }
    #expect(report.warnings == (isFill ? [] : .extraBytes))
  }

  @Test func `the end of each restart interval is looked at`() throws {
    let picture = HandMadeJPEG(columns: 4, rows: 2, interval: 4)
    let (four, more) = (Self.blocks(4), Self.blocks(8))
    #expect(try Self.damage(picture, picture.file([four, four])) == nil)
    #expect(try Self.damage(picture, picture.file([more, four])) == .dataLeft)
    #expect(try Self.damage(picture, picture.file([four, more])) == .dataLeft)
    // Data outside the crop are skipped by their markers.
    #expect(try Self.damage(picture, picture.file([more, four]), rows: 1..<2) == nil)
  }

  @Test func `a cut that ends near the end of the scan is read to it`() throws {
    let picture = HandMadeJPEG(columns: 8, rows: 34)
    let file = picture.file([Self.blocks(8 * 35)])
    #expect(try Self.damage(picture, file, rows: 3..<32) == .dataLeft)
    #expect(try Self.damage(picture, file, rows: 3..<31) == nil)
    let cutter = try JPEGCutter(input(file), isLenient: true)
    let near = try cut(cutter, Self.part(picture, rows: 3..<32)).report
    #expect(near.warnings.contains(.damagedEnd))
    // Each crop has separate warnings.
    #expect(try cut(cutter, Self.part(picture, rows: 3..<31)).report.warnings == [])
  }

  @Test(
    arguments: Thorough.all(["1x1", "2x1", "2x2", "1x2", "4x1", "1x4"], or: 2),
    [[], ["-optimize"], ["-restart", "1"], ["-restart", "3B", "-optimize"], ["-dct", "fast"]])
  func `sound files are never refused`(sampling: String, coding: [String]) throws {
    var random = Seeded(seed: PeerTests.seed(sampling + coding.joined()))
    for quality in [1, 60, 100] {
      for picture in Self.pictures(&random) {
        let arguments = ["-sample", sampling, "-quality", "\(quality)"] + coding
        let file = try #require(Peer.run("cjpeg", arguments, on: picture))
        let cutter = try JPEGCutter(input(file))
        let size = cutter.header.size
        let all = BitmapRect(x: 0, y: 0, width: size.width, height: size.height)
        #expect(try cut(cutter, all).report.warnings.isEmpty)
        #expect(
          try cut(cutter, PeerTests.rect(on: cutter.header.grid, &random)).report.warnings == [])
      }
    }
  }

  /// Images of odd sizes: shapes and noise; black and white in pixels, stripes and blocks, which
  /// have the largest possible coefficients.
  private static func pictures(_ random: inout Seeded) -> [[UInt8]] {
    let (width, height) = (random.int(1...70), random.int(1...70))
    var all = [TestPicture.netpbm(width: width, height: height, isGray: false, random: &random)]
    let periods = [(1, 1), (1, 0), (0, 1), (2, 3), (8, 8), (16, 16), (64, 64)]
    for (across, down) in periods {
      var bytes = Array("P6 \(width) \(height) 255\n".utf8)
      for y in 0..<height {
        for x in 0..<width {
          let cell = (across == 0 ? 0 : x / across) + (down == 0 ? 0 : y / down)
          // Blue next to yellow has the largest chroma difference.
          bytes += cell % 2 == 0 ? [0, 0, 255] : [255, 255, random.chance(0.5) ? 0 : 255]
        }
      }
      all.append(bytes)
    }
    return all
  }
}
