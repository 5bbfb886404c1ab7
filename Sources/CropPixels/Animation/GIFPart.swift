import FoundationEssentials

/// The part of a frame that a GIF draws: new pixels, and transparent ones where the canvas does not
/// change.
struct GIFPart {
  let box: FrameBox
  /// The pixels of the box; 0 for transparent ones.
  let pixels: [UInt32]
  /// Whether some pixels are transparent.
  let hasRest: Bool
  /// All displayed pixels of the box; nil if some are transparent.
  let whole: [UInt32]?
  private let width: Int

  init(box: FrameBox, width: Int, frame: [UInt32], base: [UInt32]) {
    self.box = box
    self.width = width
    var pixels: [UInt32] = []
    var whole: [UInt32] = []
    pixels.reserveCapacity(box.width * box.height)
    whole.reserveCapacity(box.width * box.height)
    var hasRest = false
    var isWhole = true
    for row in box.y..<box.y + box.height {
      for place in row * width + box.x..<row * width + box.x + box.width {
        let color = frame[place]
        let isNew = color != base[place]
        pixels.append(isNew ? color : 0)
        whole.append(color)
        if !isNew || color == 0 { hasRest = true }
        if color == 0 { isWhole = false }
      }
    }
    self.pixels = pixels
    self.hasRest = hasRest
    self.whole = isWhole && hasRest ? whole : nil
  }

  /// Makes the box transparent in `pixels`.
  func clear(_ pixels: inout [UInt32]) {
    for row in box.y..<box.y + box.height {
      for place in row * width + box.x..<row * width + box.x + box.width { pixels[place] = 0 }
    }
  }

  /// Red, green, blue and alpha of each pixel.
  var samples: [UInt8] {
    pixels.flatMap { color in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: color >> UInt32($0)) }
    }
  }
}

/// The image in a GIF of one frame.
struct GIFPicture {
  var table: GIFFile.Table
  /// The bits of the first code, and the coded blocks with their end.
  let data: Data

  /// Finds the image; nil in a file of another structure.
  init?(_ file: Data) {
    let bytes = [UInt8](file)
    func number(_ place: Int) -> Int { bytes.number(place, 2, .little) ?? 0 }
    func table(_ flags: UInt8, at place: Int) -> GIFFile.Table? {
      let count = 2 << Int(flags & 7)
      guard flags & 0x80 != 0, place + 3 * count <= bytes.count else { return nil }
      return GIFFile.Table(
        colors: (0..<count).map { index in
          bytes[place + 3 * index..<place + 3 * index + 3].reduce(0) { $0 << 8 | UInt32($1) } << 8
            | 255
        })
    }
    guard bytes.count > 13 else { return nil }
    var found = table(bytes[10], at: 13)
    var place = 13 + 3 * (found?.colors.count ?? 0)
    var transparent: UInt8?
    while place + 10 < bytes.count, bytes[place] == 0x21 {
      if bytes[place + 1] == 0xF9, bytes[place + 3] & 1 == 1 { transparent = bytes[place + 6] }
      place += 2
      while place < bytes.count, bytes[place] > 0 { place += 1 + Int(bytes[place]) }
      place += 1
    }
    guard place + 10 < bytes.count, bytes[place] == 0x2C else { return nil }
    if let own = table(bytes[place + 9], at: place + 10) {
      found = own
      place += 3 * own.colors.count
    }
    guard var found else { return nil }
    found.transparent = transparent
    self.table = found
    var end = place + 11
    while end < bytes.count, bytes[end] > 0 { end += 1 + Int(bytes[end]) }
    guard end < bytes.count else { return nil }
    data = Data(bytes[place + 10...end])
  }
}
