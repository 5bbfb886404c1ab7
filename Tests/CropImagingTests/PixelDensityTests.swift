import CropCore
import CropImaging
import Foundation
import Testing

@Suite struct `What a header tells of the size of pixels` {
  private func tiff(unit: Int?, _ across: (Int, Int) = (300, 1)) throws -> PixelDensity? {
    var fields = [(282, 5, 0), (283, 5, 0)] + (unit.map { [(296, 3, $0)] } ?? [])
    let length = HandMade.tiff(fields).count
    (fields[0].2, fields[1].2) = (length, length + 8)
    let numbers = [across.0, across.1, 150, 1].flatMap(HandMade.little32)
    return try inspect(HandMade.tiff(fields) + numbers).density
  }

  private func jpeg(unit: UInt8) throws -> PixelDensity? {
    let numbers = HandMade.big16(300) + HandMade.big16(150)
    let jfif = HandMade.text("JFIF\0") + [1, 2, unit] + numbers + [0, 0]
    return try inspect(HandMade.jpeg(HandMade.segment(0xE0, jfif))).density
  }

  private func png(_ unit: UInt8, _ across: Int = 10_000) throws -> PixelDensity? {
    let numbers = HandMade.big32(across) + HandMade.big32(20_000)
    return try inspect(HandMade.png(before: HandMade.chunk("pHYs", numbers + [unit]))).density
  }

  @Test func `TIFF has it per inch or centimeter, per inch without a unit`() throws {
    #expect(try tiff(unit: 2) == PixelDensity(across: 300, down: 150))
    #expect(try tiff(unit: nil) == PixelDensity(across: 300, down: 150))
    let wide = try #require(try tiff(unit: 3))
    #expect(abs(wide.across - 762) < 0.001 && abs(wide.down - 381) < 0.001)
  }

  @Test func `JFIF has it per inch or centimeter`() throws {
    #expect(try jpeg(unit: 1) == PixelDensity(across: 300, down: 150))
    let wide = try #require(try jpeg(unit: 2))
    #expect(abs(wide.across - 762) < 0.001 && abs(wide.down - 381) < 0.001)
  }

  @Test func `PNG has it per meter`() throws {
    let found = try #require(try png(1))
    #expect(abs(found.across - 254) < 0.001 && abs(found.down - 508) < 0.001)
  }

  @Test func `numbers without a unit are only the shape of a pixel`() throws {
    #expect(try tiff(unit: 1) == nil)
    #expect(try jpeg(unit: 0) == nil)
    #expect(try png(0) == nil)
  }

  @Test func `invalid numbers are ignored`() throws {
    #expect(try tiff(unit: 2, (300, 0)) == nil)
    #expect(try tiff(unit: 2, (0, 0)) == nil)
    #expect(try png(1, 0) == nil)
    #expect(try png(1, 0x7FFF_FFFF) == nil)
    let short = HandMade.chunk("pHYs", HandMade.big32(10_000))
    #expect(try inspect(HandMade.png(before: short)).density == nil)
  }
}
