import CVips
import CropImaging
import FoundationEssentials

/// Encodes a GIF of one or more frames. Each frame contains only what changes, with exact colors
/// if there are at most 256 of them.
struct AnimatedGIF: AnimationCoder {
  private let timing: AnimationTiming
  private let size: (width: Int, height: Int)
  /// The file's color table, for all frames whose colors are in it or can still be added.
  private var global = GrowingPalette()
  private var transparent: UInt8?
  private var body = Data()
  /// The frame that is written after it is known whether its area is cleared.
  private var waiting: [UInt32]?
  /// The contents of the canvas before the pending frame is drawn.
  private var base: [UInt32]
  private var count = 0
  private var time = (wanted: 0.0, given: 0)
  /// Whether every pixel so far was encoded exactly.
  private(set) var isExact = true
  /// Whether to reject a frame of too many colors instead of approximating it.
  private let isExactOnly: Bool

  init(
    width: Int, height: Int, timing: AnimationTiming, isExactOnly: Bool = false
  ) {
    self.timing = timing
    self.isExactOnly = isExactOnly
    size = (width, height)
    base = [UInt32](repeating: 0, count: width * height)
  }

  var byteCount: Int { body.count }

  mutating func add(_ frame: FrameRaster) throws {
    // A pixel is visible or not; the color of an invisible one is cleared.
    let pixels = frame.packed.map { $0 & 255 < 128 ? 0 : $0 | 255 }
    if waiting != nil { try write(before: pixels) }
    waiting = pixels
  }

  mutating func finish() throws -> Data {
    if waiting != nil { try write(before: nil) }
    let table = global.colors.isEmpty ? nil : table(of: global, transparent)
    var file = GIFFile.header(width: size.width, height: size.height, table: table)
    if count > 1, timing.plays != 1 { file.append(GIFFile.repeats(max(0, timing.plays - 1))) }
    return file + body + GIFFile.end
  }

  private func table(of palette: GrowingPalette, _ transparent: UInt8?) -> GIFFile.Table {
    GIFFile.Table(colors: palette.colors, transparent: transparent)
  }

  /// Writes the pending frame, which `next` follows.
  private mutating func write(before next: [UInt32]?) throws {
    guard let frame = waiting else { return }
    var box =
      count == 0
      ? FrameBox(x: 0, y: 0, width: size.width, height: size.height)
      : bounds { frame[$0] != base[$0] } ?? FrameBox(x: 0, y: 0, width: 1, height: 1)
    // Visible pixels can't be made transparent again, only cleared together with the area around
    // them.
    let erased = next.flatMap { next in bounds { next[$0] == 0 && frame[$0] != 0 } }
    if let erased { box = box.joined(erased) }
    let part = GIFPart(box: box, width: size.width, frame: frame, base: base)
    let delay = timing.centiseconds(count, after: &time)
    body.append(
      try coded(part, delay: count == 0 && next == nil ? 0 : delay, clears: erased != nil))
    base = frame
    if erased != nil { part.clear(&base) }
    waiting = nil
    count += 1
  }

  private func bounds(of isInside: (Int) -> Bool) -> FrameBox? {
    let width = size.width
    return FrameBox.change(width: width, height: size.height) { (y: Int, range: Range<Int>) in
      range.first { isInside(y * width + $0) }
    } last: { (y: Int, range: Range<Int>) in
      range.last { isInside(y * width + $0) }
    }
  }

  private mutating func coded(_ part: GIFPart, delay: Int, clears: Bool) throws -> Data {
    // A color for "unchanged" is only needed if some pixels are unchanged, and for the area that is
    // cleared: decoders fill it with color 0 if the frame has no transparent one.
    let needsClear = part.hasRest || clears
    var shared = global
    var clear = transparent
    if needsClear, clear == nil { clear = shared.number(of: 0) }
    if !needsClear || clear != nil, let indexes = shared.indexes(of: part.pixels) {
      (global, transparent) = (shared, clear)
      let table = table(of: shared, needsClear ? clear : nil)
      return picture(part, indexes, table, isLocal: false, delay, clears)
    }
    for pixels in [part.pixels, part.whole] {
      guard let pixels else { continue }
      var own = GrowingPalette()
      guard let indexes = own.indexes(of: pixels), !clears || own.number(of: 0) != nil else {
        continue
      }
      let clear = own.colors.firstIndex(of: 0).map { UInt8($0) }
      return picture(part, indexes, table(of: own, clear), isLocal: true, delay, clears)
    }
    guard !isExactOnly else { throw TooManyColors() }
    isExact = false
    return try approximated(part, delay: delay, clears: clears)
  }

  private func picture(
    _ part: GIFPart, _ indexes: [UInt8], _ table: GIFFile.Table, isLocal: Bool, _ delay: Int,
    _ clears: Bool
  ) -> Data {
    GIFFile.control(delay: delay, clears: clears, transparent: table.transparent)
      + GIFFile.picture(
        part.box, indexes: indexes, bits: table.bits, table: isLocal ? table : nil)
  }

  /// The part with the 256 colors that libvips chooses for it, or with half of them if its area is
  /// cleared and they leave no room for a transparent one.
  private func approximated(_ part: GIFPart, delay: Int, clears: Bool) throws -> Data {
    let picture = try Picture(
      samples: part.samples, width: part.box.width, height: part.box.height, bands: 4)
    var found = try approximated(picture, bits: 8)
    if clears, found.table.transparent == nil {
      if found.table.bits == 8 { found = try approximated(picture, bits: 7) }
      found.table.addTransparent()
    }
    return GIFFile.control(delay: delay, clears: clears, transparent: found.table.transparent)
      + GIFFile.place(part.box, table: found.table) + found.data
  }

  private func approximated(_ picture: Picture, bits: Int) throws -> GIFPicture {
    var encoding = Encoding(format: .gif, quality: 100, subsampling: .s444, isProgressive: false)
    encoding.bitDepth = bits
    guard let found = GIFPicture(try encoding.file(of: picture)) else {
      throw VipsFailure(words: "a GIF of one frame was not written as one")
    }
    return found
  }
}
