import CVips
import CropImaging
import FoundationEssentials

/// Encodes an animated PNG. Each frame is encoded by libvips, without the parts that do not change.
struct AnimatedPNG: AnimationCoder {
  private let timing: AnimationTiming
  private let encoding: Encoding
  private let profile: [UInt8]?
  /// The color table, if pixels are indexes.
  private var palette: GrowingPalette?
  private var body = Data()
  private var head: [UInt8] = []
  private var previous: FrameRaster?
  private var count = 0
  private var sequence = 0

  /// Encodes frames with a color table if `isPaletted`, while there are at most 256 colors.
  init(
    timing: AnimationTiming, encoding: Encoding, profile: [UInt8]?, isPaletted: Bool
  ) {
    self.timing = timing
    self.encoding = encoding
    self.profile = profile
    palette = isPaletted ? GrowingPalette() : nil
    if isPaletted, let stream = profile.flatMap(Zlib.stored) {
      PNGChunks.append("iCCP", Array("icc\0\0".utf8) + stream, to: &start)
    }
  }

  let isExact = true
  var byteCount: Int { body.count }

  mutating func add(_ frame: FrameRaster) throws {
    // A frame that changes nothing still has a duration, and needs at least one pixel.
    let box =
      previous.map { frame.change(from: $0) ?? FrameBox(x: 0, y: 0, width: 1, height: 1) }
      ?? FrameBox(x: 0, y: 0, width: frame.width, height: frame.height)
    var picture = try frame.part(box)
    var encoding = encoding
    if palette != nil {
      guard let indexes = try palette?.indexes(of: picture) else { throw TooManyColors() }
      picture = try Picture(samples: indexes, width: box.width, height: box.height)
      encoding.bitDepth = 8
    } else if count == 0, let profile {
      picture = try picture.relabeled()
      picture.set(Field.profile, to: profile)
    }
    let file = try encoding.file(of: picture)
    control(box)
    for chunk in PNGChunks.all(of: file) {
      switch chunk.name {
      case "IHDR" where count == 0: head = Array(chunk.contents)
      case "iCCP" where count == 0: PNGChunks.append("iCCP", Array(chunk.contents), to: &start)
      case "IDAT" where count == 0: PNGChunks.append("IDAT", Array(chunk.contents), to: &body)
      case "IDAT":
        PNGChunks.append(
          "fdAT", PNGChunks.bigEndian(sequence) + Array(chunk.contents), to: &body)
        sequence += 1
      default: break
      }
    }
    previous = frame
    count += 1
  }

  /// The chunks before the palette and the frames.
  private var start = Data()

  private mutating func control(_ box: FrameBox) {
    var delay = timing.delay(count)
    // A fraction of two 16-bit numbers.
    while delay.numerator > 65_535, delay.denominator >= 10 {
      delay = FrameDelay(
        numerator: (delay.numerator + 5) / 10, denominator: delay.denominator / 10)
    }
    let numbers = [box.width, box.height, box.x, box.y].flatMap { PNGChunks.bigEndian($0) }
    let fraction = [min(delay.numerator, 65_535), delay.denominator].flatMap {
      ByteOrder.big.bytes($0, 2)
    }
    // Disposal: none; blending: replaces the pixels.
    PNGChunks.append(
      "fcTL", PNGChunks.bigEndian(sequence) + numbers + fraction + [0, 0], to: &body)
    sequence += 1
  }

  mutating func finish() -> Data {
    var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    // Color type 3: each sample is the number of a color.
    if palette != nil { head[9] = 3 }
    PNGChunks.append("IHDR", head, to: &file)
    PNGChunks.append(
      "acTL", PNGChunks.bigEndian(count) + PNGChunks.bigEndian(timing.plays), to: &file)
    file.append(start)
    if let palette {
      PNGChunks.append("PLTE", palette.colors.flatMap { GrowingPalette.rgb($0) }, to: &file)
      let alphas = palette.colors.map { UInt8($0 & 255) }
      if let last = alphas.lastIndex(where: { $0 < 255 }) {
        PNGChunks.append("tRNS", Array(alphas[...last]), to: &file)
      }
    }
    file.append(body)
    PNGChunks.append("IEND", [], to: &file)
    return file
  }
}
