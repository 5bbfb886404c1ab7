import CVips
import CropImaging
import FoundationEssentials

/// Encodes an animated WebP (RFC 9649). Each frame is encoded by libvips, without the parts that do
/// not change.
struct AnimatedWebP: AnimationCoder {
  private let timing: AnimationTiming
  private let encoding: Encoding
  private let profile: [UInt8]?
  private var body = Data()
  private var previous: FrameRaster?
  private var size = (width: 0, height: 0)
  private var hasAlpha = false
  private var count = 0

  init(timing: AnimationTiming, encoding: Encoding, profile: [UInt8]?) {
    self.timing = timing
    self.encoding = encoding
    self.profile = profile
  }

  var isExact: Bool { encoding.isExact }
  var byteCount: Int { body.count }

  mutating func add(_ frame: FrameRaster) throws {
    let whole = FrameBox(x: 0, y: 0, width: frame.width, height: frame.height)
    var isBlended = false
    let box: FrameBox
    var picture: Picture
    if let previous, let change = frame.change(from: previous)?.even {
      box = change
      picture = try frame.part(box)
      if encoding.isExact, let rest = try frame.changes(in: box, from: previous) {
        picture = rest
        isBlended = true
        hasAlpha = true
      }
    } else if previous != nil {
      // Nothing changes: one transparent pixel.
      box = FrameBox(x: 0, y: 0, width: 1, height: 1)
      picture = try Picture(samples: [0, 0, 0, 0], width: 1, height: 1, bands: 4)
      isBlended = true
      hasAlpha = true
    } else {
      box = whole
      picture = try frame.part(box)
    }
    if frame.bands % 2 == 0 { hasAlpha = true }
    var encoding = encoding
    // Lossless: as small for a single pixel, and certain to be transparent.
    if isBlended { encoding.isExact = true }
    let coded = WebPChunks.all(of: try encoding.file(of: picture))
      .filter { ["ALPH", "VP8 ", "VP8L"].contains($0.name) }
    append(box, isBlended: isBlended, coded)
    previous = frame
    size = (frame.width, frame.height)
    count += 1
  }

  private mutating func append(
    _ box: FrameBox, isBlended: Bool, _ coded: [(name: String, contents: Data)]
  ) {
    let delay = min(timing.delay(count).milliseconds, 0xFF_FFFF)
    let numbers = [box.x / 2, box.y / 2, box.width - 1, box.height - 1, delay]
    // Bit 1: replaces the pixels instead of blending. Disposal: none.
    var contents = Data(
      numbers.flatMap { WebPChunks.littleEndian($0).prefix(3) } + [isBlended ? 0 : 2])
    for chunk in coded { WebPChunks.append(chunk, to: &contents) }
    WebPChunks.append(("ANMF", contents), to: &body)
  }

  func finish() -> Data {
    let flags: UInt8 = 2 | (hasAlpha ? 16 : 0) | (profile == nil ? 0 : 32)
    var file = Data("WEBP".utf8)
    let edges = [size.width - 1, size.height - 1].flatMap {
      WebPChunks.littleEndian($0).prefix(3)
    }
    WebPChunks.append(("VP8X", Data([flags, 0, 0, 0] + edges)), to: &file)
    if let profile { WebPChunks.append(("ICCP", Data(profile)), to: &file) }
    // A transparent background; the number of plays in two bytes.
    let control = [0, 0, 0, 0] + WebPChunks.littleEndian(min(timing.plays, 65_535)).prefix(2)
    WebPChunks.append(("ANIM", Data(control)), to: &file)
    file.append(body)
    return Data("RIFF".utf8) + Data(WebPChunks.littleEndian(file.count)) + file
  }
}

extension FrameRaster {
  /// The pixels inside `box` that differ from `other`, and transparent ones elsewhere; nil if
  /// drawing them over `other` would not give this frame, or if all pixels differ.
  fileprivate func changes(in box: FrameBox, from other: FrameRaster) throws -> Picture? {
    let (mine, theirs) = (packed, other.packed)
    var samples = [UInt8](repeating: 0, count: box.width * box.height * 4)
    var isWorthwhile = false
    for row in 0..<box.height {
      for column in 0..<box.width {
        let from = (box.y + row) * width + box.x + column
        guard mine[from] != theirs[from] else {
          isWorthwhile = true
          continue
        }
        guard mine[from] & 255 == 255 else { return nil }
        let to = 4 * (row * box.width + column)
        for band in 0..<4 {
          samples[to + band] = UInt8(truncatingIfNeeded: mine[from] >> UInt32(24 - 8 * band))
        }
      }
    }
    guard isWorthwhile else { return nil }
    return try Picture(samples: samples, width: box.width, height: box.height, bands: 4)
  }
}

/// Reads and writes the chunks of a new WebP (RFC 9649).
enum WebPChunks {
  /// The chunks of a file written by this program.
  static func all(of file: Data) -> [(name: String, contents: Data)] {
    var chunks: [(name: String, contents: Data)] = []
    var at = file.startIndex + 12
    while at + 8 <= file.endIndex {
      let length = file[at...].number(4, 4, .little) ?? 0
      guard length <= file.endIndex - at - 8 else { break }
      let name = String(decoding: file[at..<at + 4], as: UTF8.self)
      chunks.append((name, file[at + 8..<at + 8 + length]))
      at += 8 + (length + 1) / 2 * 2
    }
    return chunks
  }

  static func append(_ chunk: (name: String, contents: Data), to file: inout Data) {
    file.append(contentsOf: Array(chunk.name.utf8) + littleEndian(chunk.contents.count))
    file.append(chunk.contents)
    if chunk.contents.count % 2 == 1 { file.append(0) }
  }

  /// A number of four bytes.
  static func littleEndian(_ value: Int) -> [UInt8] {
    ByteOrder.little.bytes(value, 4)
  }
}
