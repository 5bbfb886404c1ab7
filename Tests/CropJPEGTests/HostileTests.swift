import CropCore
import CropJPEG
import TestMaterial
import Testing

/// Damaged and malicious bytes: any response is correct except a trap, a hang, or a result of
/// unreported damage.
struct HostileTests {
  /// Small files of every kind, made without other programs.
  static let corpus: [String: [UInt8]] = {
    var files: [String: [UInt8]] = [:]
    for entry in FuzzCorpus.files { files[entry.name] = entry.bytes }
    return files
  }()

  /// Tries every operation; only throws errors that the module may throw.
  @discardableResult
  static func exercise(_ bytes: [UInt8], random: inout Seeded) -> Int {
    var results = 0
    do throws(JPEGError) {
      let cutter = try JPEGCutter(input(bytes, piece: random.element([.max, 1, 13])))
      let grid = cutter.header.grid
      // A bomb's rectangle is small: it may only be slow because bytes are missing, not because of
      // its size.
      for _ in 0..<2 {
        var rect = PeerTests.rect(on: grid, &random)
        if random.chance(0.5) {
          rect.width -= random.int(0...min(31, rect.width - 1))
          rect.height -= random.int(0...min(31, rect.height - 1))
        }
        let (result, report) = try cut(cutter, rect, keepingSegments: true)
        results += 1
        guard !report.warnings.contains(.truncated) else { continue }
        // The result is a valid JPEG.
        let again = try JPEGHeader(reading: input(result))
        #expect(again.size == rect.size)
      }
    } catch {}
    return results
  }

  @Test(arguments: corpus.keys.sorted())
  func `a file cut off anywhere is rejected or reported as truncated`(name: String) throws {
    let source = Self.corpus[name] ?? []
    guard let header = try? JPEGHeader(reading: input(source)), header.frame.obstacle == nil,
      (try? Coefficients(source)) != nil
    else { return }
    let grid = header.grid
    let first = BitmapRect(
      x: 0, y: 0, width: min(grid.cellWidth, grid.size.width),
      height: min(grid.cellHeight, grid.size.height))
    let all = BitmapRect(x: 0, y: 0, width: grid.size.width, height: grid.size.height)
    let end = try #require(Self.endMarker(source))
    for length in stride(from: 0, to: end + 2, by: Soak.isOn ? 1 : 97) {
      let bytes = Array(source[..<length])
      for rect in [first, all] {
        do throws(JPEGError) {
          let report = try cut(bytes, rect).report
          #expect(report.warnings.contains(.truncated), "\(name) cut at \(length), \(rect)")
        } catch {
          // Rejected.
        }
      }
    }
  }

  @Test(arguments: corpus.keys.sorted())
  func `no changed byte makes it crash`(name: String) {
    let source = Self.corpus[name] ?? []
    var random = Seeded(seed: PeerTests.seed(name))
    // A soak test changes every byte in many ways, a quick run every 23rd, starting elsewhere in
    // each file.
    let start = Soak.isOn ? 0 : random.int(0...22)
    for at in stride(from: start, to: source.count, by: Soak.isOn ? 1 : 23) {
      for _ in 0..<min(2, Soak.factor) {
        var bytes = source
        switch random.int(0...3) {
        case 0: bytes[at] = random.element([0, 1, 0x7F, 0x80, 0xFF])
        case 1: bytes[at] ^= 1 << UInt8(random.int(0...7))
        case 2: bytes.remove(at: at)
        default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: at)
        }
        Self.exercise(bytes, random: &random)
      }
    }
  }

  @Test func `an input shorter than stated ends early`() {
    let lies = [Int.max, -1, 65_537]
    for lie in lies {
      #expect(throws: JPEGError.self) {
        try JPEGHeader(reading: JPEGInput { _, _ throws(JPEGError) in lie })
      }
    }
  }

  @Test func `a file that shrinks between two cuts is an early end`() throws {
    let source = try #require(Self.corpus["gray"])
    var visible = source.count
    let cutter = try JPEGCutter(
      JPEGInput { offset, buffer throws(JPEGError) in
        guard offset < Int64(visible) else { return 0 }
        let start = Int(offset)
        // One byte at a time, so that buffers are nearly empty.
        buffer[0] = source[start]
        return 1
      })
    let size = cutter.header.size
    let all = BitmapRect(x: 0, y: 0, width: size.width, height: size.height)
    _ = try cut(cutter, all)
    visible = source.count / 2
    #expect(throws: JPEGError.self) { try cut(cutter, all) }
  }

  @Test func `an empty image that claims to be huge is rejected immediately`() throws {
    var bytes = try #require(Self.corpus["gray"])
    let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    for i in 5..<9 { bytes[frame + i] = 0xFF }
    var reads = 0
    let counted = JPEGInput { [bytes] offset, buffer throws(JPEGError) in
      reads += 1
      guard let start = Int(exactly: offset), start < bytes.count else { return 0 }
      let count = min(buffer.count, bytes.count - start)
      buffer.copyBytes(from: bytes[start..<start + count])
      return count
    }
    #expect(throws: JPEGError.self) {
      let cutter = try JPEGCutter(counted)
      return try cut(cutter, BitmapRect(x: 0, y: 65_528, width: 65_535, height: 7))
    }
    // It did not read a hundred million times.
    #expect(reads < 100)
  }

  @Test func `without Huffman tables the standard's are meant`() throws {
    let bare = try #require(Self.corpus["no-huffman"])
    let full = try #require(Self.corpus["444"])
    let rect = BitmapRect(x: 8, y: 8, width: 8, height: 12)
    #expect(try cut(bare, rect).bytes == cut(full, rect).bytes)
  }

  /// The position of the first end marker.
  private static func endMarker(_ bytes: [UInt8]) -> Int? {
    // The corpus does not have these bytes inside segments.
    bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD9 }
  }
}
