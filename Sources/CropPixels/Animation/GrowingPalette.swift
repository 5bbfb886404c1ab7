import CVips

/// A table of up to 256 colours, indexed in order of appearance; indexes never change.
struct GrowingPalette {
  /// Red, green, blue and alpha, eight bits each, red the highest.
  private(set) var colours: [UInt32] = []
  private var numbers: [UInt32: UInt8] = [:]

  /// The channels of a colour, without alpha.
  static func rgb(_ colour: UInt32) -> [UInt8] {
    [24, 16, 8].map { UInt8(truncatingIfNeeded: colour >> $0) }
  }

  /// The index of a colour, which is added if necessary; nil if the table has 256 others.
  mutating func number(of colour: UInt32) -> UInt8? {
    if let known = numbers[colour] { return known }
    guard colours.count < 256 else { return nil }
    let number = UInt8(colours.count)
    colours.append(colour)
    numbers[colour] = number
    return number
  }

  /// The index of each pixel's colour; nil if there are more than 256.
  mutating func indexes(of picture: Picture) throws(VipsFailure) -> [UInt8]? {
    indexes(of: try picture.packed())
  }

  /// The index of each colour; nil, without adding any, if there are more than 256.
  mutating func indexes(of pixels: [UInt32]) -> [UInt8]? {
    var copy = self
    var indexes = [UInt8](repeating: 0, count: pixels.count)
    // Neighbours are mostly equal, so one comparison often saves a look-up.
    var last: (colour: UInt32, number: UInt8)?
    for place in pixels.indices {
      let colour = pixels[place]
      if let last, last.colour == colour {
        indexes[place] = last.number
        continue
      }
      guard let number = copy.number(of: colour) else { return nil }
      last = (colour, number)
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
