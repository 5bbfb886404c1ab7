import CropCore

// Opaque images of 8 bits, the usual case: 16-bit arithmetic on eight samples at a time.
extension QuadSampler {
  /// Whether to use vectors. In builds without optimization, they are 15 times slower than single
  /// samples and give the same results.
  private static var usesVectors: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }

  /// Computes a part of a row of color channels, without alpha.
  ///
  ///     samples about their middle   v − 128, times 2⁸
  ///     each column of the kernel    the four high halves of samples times weights, added: times 2⁶
  ///     its row                      the four high halves of twice that times weights, added: times 2⁵
  ///
  /// High halves are rounded down, by half a step on average; ``Taps/bias`` makes up for it. The result is within
  /// 0.7 of the exact sum, and exactly the sample where only one has a weight.
  @inline(__always)
  func fillBytes(
    _ row: Int, _ columns: Range<Int>, _ samples: UnsafePointer<UInt8>, _ stride: Int,
    _ channels: Int, into output: UnsafeMutablePointer<UInt8>
  ) {
    // Constant numbers of channels let the compiler unroll the loops over them.
    switch channels {
    case 3: fillBytes(row, columns, samples, stride, 3, spread.three, output)
    case 4: fillBytes(row, columns, samples, stride, 4, spread.four, output)
    default: fillBytes(row, columns, samples, stride, channels, [], output)
    }
  }

  @inline(__always)
  private func fillBytes(
    _ row: Int, _ columns: Range<Int>, _ samples: UnsafePointer<UInt8>, _ stride: Int,
    _ channels: Int, _ spread: [SIMD16<Int16>], _ output: UnsafeMutablePointer<UInt8>
  ) {
    let isSpread = Self.usesVectors && !spread.isEmpty
    let room = (
      UInt32(isSpread ? max(0, self.samples.width - 3) : 0), UInt32(max(0, self.samples.height - 3))
    )
    var output = output
    weights.withUnsafeBufferPointer { weights in
      spread.withUnsafeBufferPointer { spread in
        guard let weights = weights.baseAddress else { return }
        eachPlace(row, columns) { place in
          if UInt32(bitPattern: place.left) < room.0, UInt32(bitPattern: place.top) < room.1,
            let spread = spread.baseAddress
          {
            let start = Int(place.top) &* stride &+ Int(place.left) &* channels
            Words.store(
              Words.sum(
                samples + start, stride, channels, down: weights[place.down],
                across: spread[place.across]),
              channels, at: output)
          } else {
            let taps = self.taps(at: place, stride, channels, weights)
            for channel in 0..<channels {
              output[channel] = taps.byte { samples[$0 &+ channel] }
            }
          }
          output += channels
        }
      }
    }
  }
}

extension Taps {
  /// Half a step of the result, half a step for each high half that was rounded down, times 2⁵, and
  /// the middle of the sample range.
  static var bias: Int16 { 16 + 1 + 2 + (128 << 5) }

  /// The weighted sum of the samples that `load` returns, computed like ``Words``.
  @inline(__always)
  func byte(_ load: (Int) -> UInt8) -> UInt8 {
    @inline(__always) func high(_ sample: Int64, _ weight: Int64) -> Int64 {
      (sample &* weight) >> 16
    }
    @inline(__always) func column(_ x: Int) -> Int64 {
      @inline(__always) func sample(_ y: Int) -> Int64 { (Int64(load(y &+ x)) &- 128) &<< 8 }
      let (first, second) = (high(sample(y.0), down.0), high(sample(y.1), down.1))
      let (third, last) = (high(sample(y.2), down.2), high(sample(y.3), down.3))
      return (first &+ second &+ third &+ last) &<< 1
    }
    let (first, second) = (high(column(x.0), across.0), high(column(x.1), across.1))
    let (third, last) = (high(column(x.2), across.2), high(column(x.3), across.3))
    let sum = (first &+ second &+ third &+ last &+ Int64(Self.bias)) >> 5
    return UInt8(truncatingIfNeeded: min(max(sum, 0), 255))
  }
}

extension SIMD4<Int16> {
  /// Each of four weights once for every channel: for the first eight samples of a row of the kernel those of the first two
  /// pixels, for its last eight those of the last two.
  func spread(over channels: Int) -> SIMD16<Int16> {
    var spread = SIMD16<Int16>()
    for channel in 0..<channels {
      spread[channel] = self[0]
      spread[channels + channel] = self[1]
      spread[16 - 2 * channels + channel] = self[2]
      spread[16 - channels + channel] = self[3]
    }
    return spread
  }
}

/// Eight samples of 16 bits.
private typealias Words = SIMD8<Int16>

extension Words {
  /// Four rows of four pixels of three or four channels, weighted: a channel in each of the first words.
  @inline(__always)
  fileprivate static func sum(
    _ samples: UnsafePointer<UInt8>, _ stride: Int, _ channels: Int, down: SIMD4<Int16>,
    across: SIMD16<Int16>
  ) -> Words {
    let first = UnsafeRawPointer(samples)
    let (second, third, last) = (first + stride, first + 2 &* stride, first + 3 &* stride)
    let weights = (
      Words(repeating: down[0]), Words(repeating: down[1]), Words(repeating: down[2]),
      Words(repeating: down[3])
    )
    @inline(__always) func column(_ at: Int) -> Words {
      let upper = high(load(first + at), weights.0) &+ high(load(second + at), weights.1)
      let lower = high(load(third + at), weights.2) &+ high(load(last + at), weights.3)
      return (upper &+ lower) &<< 1
    }
    // The first and the last eight samples of the 4 · channels in a row.
    let left = high(column(0), across.lowHalf)
    let right = high(column(4 &* channels &- 8), across.highHalf)
    let sum: Words
    if channels == 4 {
      let pairs = left &+ right
      sum = pairs &+ Words(lowHalf: pairs.highHalf, highHalf: SIMD4())
    } else {
      let pairs =
        left &+ Words(right[2], right[3], right[4], right[5], right[6], right[7], 0, 0)
      sum = pairs &+ Words(pairs[3], pairs[4], pairs[5], 0, 0, 0, 0, 0)
    }
    return (sum &+ Words(repeating: Taps.bias)) &>> 5
  }

  /// Stores the first words as samples.
  @inline(__always)
  fileprivate static func store(
    _ sums: Words, _ channels: Int, at output: UnsafeMutablePointer<UInt8>
  ) {
    let kept = pointwiseMin(pointwiseMax(sums, Words()), Words(repeating: 255))
    let bytes = unsafeBitCast(SIMD8<UInt8>(truncatingIfNeeded: kept), to: UInt64.self)
    let output = UnsafeMutableRawPointer(output)
    if channels == 4 {
      output.storeBytes(of: UInt32(truncatingIfNeeded: bytes), as: UInt32.self)
    } else {
      output.storeBytes(of: UInt16(truncatingIfNeeded: bytes), as: UInt16.self)
      output.storeBytes(of: UInt8(truncatingIfNeeded: bytes >> 16), toByteOffset: 2, as: UInt8.self)
    }
  }

  /// Loads eight samples, less the middle of their range, times 2⁸.
  @inline(__always)
  private static func load(_ address: UnsafeRawPointer) -> Words {
    let bytes = address.loadUnaligned(as: SIMD8<UInt8>.self)
    return Words(truncatingIfNeeded: (SIMD8<UInt16>(truncatingIfNeeded: bytes) &<< 8) ^ 0x8000)
  }

  /// The high halves of products.
  @inline(__always)
  private static func high(_ a: Words, _ b: Words) -> Words {
    Words(
      truncatingIfNeeded: (SIMD8<Int32>(truncatingIfNeeded: a)
        &* SIMD8<Int32>(truncatingIfNeeded: b)) &>> 16)
  }
}
