import CropCore
import CropJPEG
import Testing

/// A crop must not contain anything that was cropped away.
struct HiddenTests {
  @Test(arguments: FuzzCorpus.files.map(\.name))
  func `a size patched upwards shows nothing new`(name: String) throws {
    let source = try #require(HostileTests.corpus[name])
    guard (try? Coefficients(source)) != nil else { return }
    let cutter = try JPEGCutter(input(source))
    let grid = cutter.header.grid
    let rect = BitmapRect(x: 0, y: 0, width: grid.cellWidth, height: grid.cellHeight)
    guard grid.size.width > rect.width, grid.size.height > rect.height else { return }
    let ours = try cut(cutter, rect).bytes
    #expect(try Coefficients(ours).endsTightly)
    let frame = try #require(ours.indices.first { ours[$0] == 0xFF && ours[$0 + 1] & 0xFE == 0xC0 })
    for (at, length) in [(frame + 5, rect.height), (frame + 7, rect.width)] {
      var patched = ours
      patched[at + 1] = UInt8(length + 1)
      // One more pixel needs another MCU, for which the data have no bits.
      #expect(throws: Coefficients.Failure.self) { try Coefficients(patched) }
    }
  }

  @Test func `bytes after the end marker are dropped and reported`() throws {
    let source = try #require(HostileTests.corpus["segments"])
    let (ours, report) = try cut(source, BitmapRect(x: 0, y: 0, width: 20, height: 20))
    #expect(report.hasTrailer)
    #expect(report.warnings == .extraBytes)
    #expect(ours.suffix(2) == [0xFF, 0xD9])
    for word in ["trailer", "junk"] {
      #expect(!ours.indices.contains { ours[$0...].starts(with: word.utf8) })
    }
  }

  @Test func `segments are written as the caller says`() throws {
    let source = try #require(HostileTests.corpus["segments"])
    let cutter = try JPEGCutter(input(source))
    #expect(cutter.header.segments.map(\.marker) == [0xE0, 0xFE, 0xE1])
    let comment = try #require(cutter.header.segments.first { $0.marker == 0xFE })
    var bytes: [UInt8] = []
    _ = try cutter.cut(
      BitmapRect(x: 0, y: 0, width: 8, height: 8),
      segments: [.new(marker: 0xE1, content: [1, 2, 3]), .copy(comment)]
    ) { bytes.append(contentsOf: $0) }
    let expected: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xE1, 0, 5, 1, 2, 3, 0xFF, 0xFE, 0, 7] + Array("hello".utf8)
    #expect(Array(bytes.prefix(18)) == expected)
    #expect(throws: JPEGError.corrupt(.segmentLength, offset: 0)) {
      try cutter.cut(
        BitmapRect(x: 0, y: 0, width: 8, height: 8),
        segments: [.new(marker: 0xE1, content: [UInt8](repeating: 0, count: 65_534))]
      ) { _ in }
    }
  }

  @Test func `an edge off the grid and a rectangle outside are refused`() throws {
    let source = try #require(HostileTests.corpus["420"])
    for rect in [
      BitmapRect(x: 8, y: 0, width: 8, height: 16), BitmapRect(x: 0, y: 0, width: 0, height: 0),
      BitmapRect(x: 48, y: 0, width: 3, height: 16),
      BitmapRect(x: .max, y: 0, width: .max, height: 16),
    ] {
      #expect(throws: JPEGError.offGrid) { try cut(source, rect) }
    }
  }

  @Test func `an error of the sink stops the cut and is passed on`() throws {
    let source = try #require(HostileTests.corpus["420"])
    let cutter = try JPEGCutter(input(source))
    #expect(throws: JPEGError.writeFailed(code: 28)) {
      try cutter.cut(BitmapRect(x: 0, y: 0, width: 16, height: 16)) { _ throws(JPEGError) in
        throw .writeFailed(code: 28)
      }
    }
    #expect(try cut(cutter, BitmapRect(x: 0, y: 0, width: 16, height: 16)).bytes.count > 100)
  }
}
