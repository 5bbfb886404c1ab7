import CropCore
import CropJPEG
import TestMaterial
import Testing

/// Every JPEG of the shared images.
struct SharedPicturesTests {
  static let sequential = SharedPictures.rows.filter {
    $0.format == "jpeg" && $0.expected == "valid" && $0.details.contains("baseline")
  }

  @Test(arguments: Thorough.all(sequential, or: 6))
  func `any part of a sequential picture is cut with its coefficients`(
    row: SharedPictures.Row
  ) throws {
    guard let source = Files.read(row.path) else { throw Coefficients.Failure(reason: row.file) }
    let cutter = try JPEGCutter(input(source))
    let grid = cutter.header.grid
    #expect("\(grid.size.width)x\(grid.size.height)" == row.stored)
    let whole = try Coefficients(source)
    var random = Seeded(seed: PeerTests.seed(row.file))
    for round in 0..<3 {
      let rect =
        round == 0
        ? BitmapRect(x: 0, y: 0, width: grid.size.width, height: grid.size.height)
        : PeerTests.rect(on: grid, &random)
      let (ours, report) = try cut(cutter, rect)
      let coefficients = try Coefficients(ours)
      #expect(
        coefficients
          == whole.part(
            cellX: rect.x / grid.cellWidth, cellY: rect.y / grid.cellHeight, width: rect.width,
            height: rect.height), "\(rect)")
      #expect(coefficients.endsTightly)
      #expect(report.byteCount == Int64(ours.count))
      #expect(!report.warnings.contains(.truncated))
      #expect(report.hasTrailer == row.details.contains("trailing="))
    }
  }

  @Test(arguments: sequential)
  func `all segments of the header come along, byte for byte`(row: SharedPictures.Row) throws {
    guard let source = Files.read(row.path) else { throw Coefficients.Failure(reason: row.file) }
    let header = try JPEGHeader(reading: input(source))
    let rect = BitmapRect(x: 0, y: 0, width: header.size.width, height: header.size.height)
    let ours = try cut(source, rect, keepingSegments: true).bytes
    let copied = try JPEGHeader(reading: input(ours))
    func contents(_ header: JPEGHeader, _ bytes: [UInt8]) -> [[UInt8]] {
      header.segments.map { segment in
        let start = Int(segment.contentOffset)
        return [segment.marker] + bytes[start..<start + segment.contentCount]
      }
    }
    #expect(contents(copied, ours) == contents(header, source))
    #expect(copied.warnings.isEmpty)
  }

  @Test func `progressive images are reported as such`() throws {
    for row in SharedPictures.rows
    where row.format == "jpeg" && row.details.contains("progressive") {
      guard let source = Files.read(row.path) else { continue }
      let header = try JPEGHeader(reading: input(source))
      #expect(header.isProgressive)
      #expect(throws: JPEGError.unsupported(.progressive)) { try JPEGCutter(input(source)) }
    }
  }

  @Test func `corrupt pictures are refused and junk is warned of`() throws {
    for row in SharedPictures.rows where row.format == "jpeg" && row.file.hasPrefix("bad-") {
      guard let source = Files.read(row.path) else { continue }
      if row.expected == "valid" {
        let cutter = try JPEGCutter(input(source))
        let size = cutter.header.size
        let all = BitmapRect(x: 0, y: 0, width: size.width, height: size.height)
        #expect(try cut(cutter, all).report.warnings == .extraBytes)
      } else {
        #expect(throws: JPEGError.self, "\(row.file)") { try JPEGCutter(input(source)) }
      }
    }
  }
}
