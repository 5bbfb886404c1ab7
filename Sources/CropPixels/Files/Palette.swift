import CVips

/// The colors of an image that has at most 256 of them, and the index of each pixel's color.
struct Palette {
  /// Red, green, blue and alpha of each color, transparent ones first, as PNG's tRNS chunk
  /// requires.
  let colors: [[UInt8]]
  /// The index of each pixel's color, row by row.
  let indexes: [UInt8]

  /// The palette of an image of 3 or 4 channels of 8 bits; nil for any other, or for too many
  /// colors.
  init?(_ picture: Picture) throws(VipsFailure) {
    guard picture.format == VIPS_FORMAT_UCHAR, (3...4).contains(picture.bands) else { return nil }
    let samples = try picture.samples()
    let bands = picture.bands
    var numbers: [UInt32: UInt8] = [:]
    var found: [UInt32] = []
    var indexes = [UInt8](repeating: 0, count: samples.count / bands)
    // Neighbors are mostly equal, so one comparison often saves a look-up.
    var last: (color: UInt32, number: UInt8)?
    for pixel in indexes.indices {
      let at = pixel * bands
      let alpha = bands == 4 ? UInt32(samples[at + 3]) : 255
      let color =
        UInt32(samples[at]) << 24 | UInt32(samples[at + 1]) << 16 | UInt32(samples[at + 2]) << 8
        | alpha
      if let last, last.color == color {
        indexes[pixel] = last.number
        continue
      }
      let number: UInt8
      if let known = numbers[color] {
        number = known
      } else {
        guard found.count < 256 else { return nil }
        number = UInt8(found.count)
        numbers[color] = number
        found.append(color)
      }
      last = (color, number)
      indexes[pixel] = number
    }
    // Transparent colors first, the others in the order of their first pixel.
    let order =
      found.indices.filter { found[$0] & 255 < 255 }
      + found.indices.filter { found[$0] & 255 == 255 }
    var place = [UInt8](repeating: 0, count: found.count)
    for (new, old) in order.enumerated() { place[old] = UInt8(new) }
    colors = order.map { old in
      (0..<4).map { UInt8(truncatingIfNeeded: found[old] >> (24 - 8 * UInt32($0))) }
    }
    self.indexes = indexes.map { place[Int($0)] }
  }

  /// The number of bits for an index in rows of `width` pixels: 1, 2, 4 or 8.
  func bitDepth(width: Int) -> Int {
    switch colors.count {
    case ...2: 1
    case ...4: 2
    case ...16: Self.losesLast(of: width) ? 8 : 4
    default: 8
    }
  }

  /// Whether libvips loses the last of `width` samples of 4 bits: 8.14 in a TIFF, and 8.15 to 8.17
  /// in a PNG if they were built with libspng.
  static func losesLast(of width: Int) -> Bool { width % 2 == 1 }

  /// The indexes as samples of 8 bits of which a saver keeps `depth`: with libpng it takes the lowest
  /// bits, with libspng the highest, so both have the index.
  func indexes(of depth: Int) -> [UInt8] {
    let factor = UInt8(255 / (1 << depth - 1))
    return factor == 1 ? indexes : indexes.map { $0 &* factor }
  }

  /// The contents of a PNG's PLTE chunk.
  var plte: [UInt8] { colors.flatMap { $0.prefix(3) } }

  /// The contents of a PNG's tRNS chunk, nil if every color is opaque.
  var trns: [UInt8]? {
    let alphas = colors.map { $0[3] }.prefix { $0 < 255 }
    return alphas.isEmpty ? nil : Array(alphas)
  }
}
