import CropCore
import TestMaterial
import Testing

@testable import CropJPEG

/// The density of a JPEG, changed without decoding it.
struct JPEGDensityTests {
  private func restated(_ source: [UInt8], _ density: PixelDensity) throws -> [UInt8]? {
    var result: [UInt8] = []
    let isDone = try source.withUnsafeBytes { bytes in
      try JPEGFile(JPEGInput(bytes)).restate(density) { result.append(contentsOf: $0) }
    }
    return isDone ? result : nil
  }

  /// Everything after the segments before the tables.
  private func rest(_ bytes: [UInt8]) throws -> ArraySlice<UInt8> {
    let header = try JPEGHeader(reading: input(bytes))
    let end = header.segments.last.map { Int($0.contentOffset) + $0.contentCount } ?? 2
    return bytes[end...]
  }

  @Test(
    arguments: SharedPictures.rows.filter { $0.format == "jpeg" && $0.expected == "valid" })
  func `nothing but the density of a shared image changes`(row: SharedPictures.Row) throws {
    let source = try #require(Files.read(row.path))
    let density = PixelDensity(across: 300, down: 150)
    let changed = try #require(try restated(source, density))
    #expect(try rest(changed) == rest(source))
    let before = try JPEGHeader(reading: input(source))
    let after = try JPEGHeader(reading: input(changed))
    #expect(after.segments.count - before.segments.count <= 1)
    #expect(after.segments.count >= before.segments.count)
    // It is where it was asked for, and stays the same size from then on.
    let again = try #require(try restated(changed, PixelDensity(dpi: 72)))
    #expect(again.count == changed.count)
    #expect(try restated(again, density) == changed)
  }

  @Test func `a file with a table of images does not grow`() throws {
    let source = try #require(
      SharedPictures.rows.first { $0.file == "icc-displayp3-apple-gainmap.jpg" }
        .flatMap { Files.read($0.path) })
    let changed = try restated(source, PixelDensity(dpi: 300))
    #expect(changed == nil || changed?.count == source.count)
  }

  @Test func `JFIF holds what fits in sixteen bits`() {
    func numbers(_ density: PixelDensity?) -> [UInt8] {
      var content = Array("JFIF\0".utf8) + [1, 2, 9, 9, 9, 9, 9, 0, 0]
      content.setJFIFDensity(density)
      return Array(content[7..<12])
    }
    #expect(numbers(PixelDensity(across: 300, down: 150.4)) == [1, 1, 44, 0, 150])
    #expect(numbers(nil) == [0, 0, 1, 0, 1])
    #expect(numbers(PixelDensity(across: 70_000, down: 300)) == [0, 0, 1, 0, 1])
    #expect(numbers(PixelDensity(across: 0.2, down: 300)) == [0, 0, 1, 0, 1])
  }
}
