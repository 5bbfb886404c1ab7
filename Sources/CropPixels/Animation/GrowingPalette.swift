import CVips

/// A table of up to 256 colors, indexed in order of appearance; indexes never change.
struct GrowingPalette {
  /// Red, green, blue and alpha, eight bits each, red the highest.
  private(set) var colors: [UInt32] = []
  private var numbers: [UInt32: UInt8] = [:]

  /// The channels of a color, without alpha.
  static func rgb(_ color: UInt32) -> [UInt8] {
    [24, 16, 8].map { UInt8(truncatingIfNeeded: color >> $0) }
  }

  /// The index of a color, which is added if necessary; nil if the table has 256 others.
  mutating func number(of color: UInt32) -> UInt8? {
    if let known = numbers[color] { return known }
    guard colors.count < 256 else { return nil }
    let number = UInt8(colors.count)
    colors.append(color)
    numbers[color] = number
    return number
  }

  /// The index of each pixel's color; nil if there are more than 256.
  mutating func indexes(of picture: Picture) throws(VipsFailure) -> [UInt8]? {
    indexes(of: try picture.packed())
  }

  /// The index of each color; nil, without adding any, if there are more than 256.
  mutating func indexes(of pixels: [UInt32]) -> [UInt8]? {
    var copy = self
    var indexes = [UInt8](repeating: 0, count: pixels.count)
    // Neighbors are mostly equal, so one comparison often saves a look-up.
    var last: (color: UInt32, number: UInt8)?
    for place in pixels.indices {
      let color = pixels[place]
      if let last, last.color == color {
        indexes[place] = last.number
        continue
      }
      guard let number = copy.number(of: color) else { return nil }
      last = (color, number)
      indexes[place] = number
    }
    self = copy
    return indexes
  }
}

extension Picture {
  /// The pixels as 32-bit numbers of red, green, blue and alpha, red highest; the image must have 8
  /// bits per channel.
  func packed() throws(VipsFailure) -> [UInt32] {
    FrameRaster.packed(try samples(), bands: bands)
  }
}

extension FrameRaster {
  /// The pixels as 32-bit numbers, as in ``Picture/packed()``.
  var packed: [UInt32] { Self.packed(samples, bands: bands) }

  static func packed(_ samples: [UInt8], bands: Int) -> [UInt32] {
    samples.withUnsafeBufferPointer { samples in
      [UInt32](unsafeUninitializedCapacity: samples.count / bands) { pixels, count in
        count = samples.count / bands
        for pixel in 0..<count {
          let at = pixel * bands
          let red = UInt32(samples[at])
          let green = bands < 3 ? red : UInt32(samples[at + 1])
          let blue = bands < 3 ? red : UInt32(samples[at + 2])
          let alpha = bands % 2 == 0 ? UInt32(samples[at + bands - 1]) : 255
          pixels[pixel] = red << 24 | green << 16 | blue << 8 | alpha
        }
      }
    }
  }
}
