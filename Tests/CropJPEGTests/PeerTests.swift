import CropCore
import CropJPEG
import TestMaterial
import Testing

/// Crops compared with those of jpegtran.
@Suite
struct PeerTests {
  static let samplings = [
    "1x1", "2x1", "2x2", "1x2", "4x1", "1x4", "4x2", "2x1,1x2", "2x2,2x1,1x2", "1x1,2x2,1x1", "3x1",
    "1x3",
    "3x2,1x1,1x2", "2x2,1x1,2x1",
  ]

  /// Ways to encode the same image.
  static let codings: [[String]] = [
    [], ["-optimize"], ["-restart", "1"], ["-restart", "1B"], ["-restart", "3B"],
    ["-restart", "7B", "-optimize"], ["-scans"],
  ]

  @Test(arguments: samplings, Thorough.all(codings, or: 3))
  func `coefficients equal those of jpegtran`(sampling: String, coding: [String]) throws {
    let seed = Self.seed(sampling + coding.joined())
    var random = Seeded(seed: seed)
    for _ in 0..<Soak.factor {
      let quality = random.element(["15", "75", "90", "97", "100"])
      let width = random.int(1...200)
      let height = random.int(1...200)
      let isSplit = coding == ["-scans"]
      guard
        let plain = TestPicture.jpeg(
          width: width, height: height,
          arguments: ["-sample", sampling, "-quality", quality] + (isSplit ? [] : coding),
          random: &random)
      else { throw Coefficients.Failure(reason: "cjpeg failed, seed \(seed)") }
      let source = isSplit ? try Self.split(plain, random: &random) : plain
      let cutter = try JPEGCutter(input(source, piece: random.element([.max, 1, 7, 1000])))
      let whole = try Coefficients(source)
      for _ in 0..<2 {
        let rect = Self.rect(on: cutter.header.grid, &random)
        let comment: Comment = "seed \(seed), quality \(quality), \(width)x\(height), \(rect)"
        let ours = try cut(cutter, rect).bytes
        let grid = cutter.header.grid
        let coefficients = try Coefficients(ours)
        #expect(
          coefficients
            == whole.part(
              cellX: rect.x / grid.cellWidth, cellY: rect.y / grid.cellHeight, width: rect.width,
              height: rect.height), comment)
        #expect(coefficients.endsTightly, comment)
        let area = "\(rect.width)x\(rect.height)+\(rect.x)+\(rect.y)"
        guard let theirs = Peer.run("jpegtran", ["-crop", area, "-copy", "none"], on: source) else {
          Issue.record("jpegtran failed: \(comment)")
          continue
        }
        let canonical = ["-optimize", "-copy", "none"]
        let expected = Peer.run("jpegtran", canonical, on: theirs)
        #expect(expected != nil, comment)
        #expect(Peer.run("jpegtran", canonical, on: ours) == expected, comment)
        let fills = rect.width % grid.cellWidth == 0 && rect.height % grid.cellHeight == 0
        if coding.isEmpty, fills {
          let withMarkers = try cut(cutter, rect, keepingSegments: true).bytes
          #expect(withMarkers == theirs, comment)
        }
      }
    }
  }

  @Test(arguments: [[], ["-optimize"], ["-restart", "2B"]])
  func `gray pictures are cut on blocks of 8`(coding: [String]) throws {
    var random = Seeded(seed: 8)
    for _ in 0..<4 * Soak.factor {
      let width = random.int(1...150)
      let height = random.int(1...150)
      guard
        let source = TestPicture.jpeg(
          width: width, height: height, isGray: true, arguments: coding, random: &random)
      else { throw Coefficients.Failure(reason: "cjpeg failed") }
      let cutter = try JPEGCutter(input(source))
      #expect(cutter.header.grid.cellWidth == 8 && cutter.header.grid.cellHeight == 8)
      let rect = Self.rect(on: cutter.header.grid, &random)
      let ours = try cut(cutter, rect, keepingSegments: true).bytes
      let area = "\(rect.width)x\(rect.height)+\(rect.x)+\(rect.y)"
      let theirs = Peer.run("jpegtran", ["-crop", area, "-copy", "all"], on: source)
      let canonical = ["-optimize", "-copy", "all"]
      #expect(
        Peer.run("jpegtran", canonical, on: ours)
          == theirs.flatMap { Peer.run("jpegtran", canonical, on: $0) })
      // One component never has dummy blocks.
      if coding.isEmpty { #expect(ours == theirs) }
    }
  }

  @Test(arguments: [[], ["-restart", "1"], ["-restart", "37B"]])
  func `further cuts of a file start at known rows`(coding: [String]) throws {
    var random = Seeded(seed: 23)
    let picture = TestPicture.jpeg(
      width: 900, height: 900, arguments: ["-quality", "100"] + coding, random: &random)
    let source = try #require(picture)
    try #require(source.count > 300_000)
    var bytesRead = 0
    let cutter = try JPEGCutter(
      JPEGInput { offset, buffer in
        guard let start = Int(exactly: offset), start < source.count else { return 0 }
        let count = min(buffer.count, source.count - start)
        buffer.copyBytes(from: source[start..<start + count])
        bytesRead += count
        return count
      })
    let bottom = BitmapRect(x: 400, y: 800, width: 80, height: 64)
    let (first, report) = try cut(cutter, bottom)
    let firstRead = bytesRead
    #expect(firstRead >= source.count)
    bytesRead = 0
    let (second, again) = try cut(cutter, bottom)
    #expect(second == first && again == report)
    #expect(bytesRead < firstRead / 3)
    // A cutter that made other crops before gives the same as a new one.
    for _ in 0..<20 {
      let rect = Self.rect(on: cutter.header.grid, &random)
      #expect(try cut(cutter, rect).bytes == cut(source, rect).bytes, "\(rect)")
    }
  }

  /// The same image with its components in separate scans, or one separate and two together.
  static func split(_ source: [UInt8], random: inout Seeded) throws -> [UInt8] {
    let script = random.element(["0;1;2;", "0;1 2;", "0 1;2;", "2;1;0;"])
    let name = "/tmp/cropjpeg-scans-\(random.next()).txt"
    try Array(script.utf8).withUnsafeBytes { try Files.write($0, to: name) }
    defer { Files.remove(name) }
    guard let split = Peer.run("jpegtran", ["-scans", name], on: source) else {
      // Three components with odd sampling factors don't always fit into one MCU of two.
      return source
    }
    return split
  }

  /// An exact rectangle: inside, at a border, or the complete image.
  static func rect(on grid: JPEGGrid, _ random: inout Seeded) -> BitmapRect {
    func side(_ length: Int, _ cell: Int) -> (Int, Int) {
      let cells = (length + cell - 1) / cell
      let first = random.int(0...(cells - 1))
      let last = random.chance(0.3) ? cells : random.int((first + 1)...cells)
      return (first * cell, min(length, last * cell) - first * cell)
    }
    let (x, width) = side(grid.size.width, grid.cellWidth)
    let (y, height) = side(grid.size.height, grid.cellHeight)
    return BitmapRect(x: x, y: y, width: width, height: height)
  }

  /// A seed that is the same in every run.
  static func seed(_ text: String) -> UInt64 {
    text.utf8.reduce(1469) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
  }
}
