import CropCore

// Averages squares of pixels, for results smaller than half the size.
extension QuadSampler {
  /// The rows of ``part`` that a row of ``samples`` is averaged from, if `shrink` is more than 1.
  public func rows(of row: Int) -> Range<Int> {
    let first = start.y + row * shrink
    let last = part.height - 1
    return min(max(first, 0), last)..<min(max(first + shrink - 1, 0), last) + 1
  }

  /// Averages the squares of a row of ``samples``. Squares that extend beyond the image repeat its
  /// edge pixels.
  ///
  /// - Parameters:
  ///   - row: the row, from 0.
  ///   - source: complete rows of ``part``, at least ``rows(of:)``.
  ///   - first: the index in ``part`` of the first row of `source`.
  ///   - output: where to write the row, in the layout of the source.
  public func average(
    _ row: Int, of source: SampleRows, from first: Int, into output: UnsafeMutableRawPointer
  ) {
    switch source.layout.depth {
    case .eight:
      let from = source.address.assumingMemoryBound(to: UInt8.self)
      let to = output.assumingMemoryBound(to: UInt8.self)
      average(row, source, first, { Int64(from[$0]) }, { to[$0] = Sample.eight($1) })
    case .sixteen:
      let from = source.address.assumingMemoryBound(to: UInt16.self)
      let to = output.assumingMemoryBound(to: UInt16.self)
      average(row, source, first, { Int64(from[$0]) }, { to[$0] = Sample.sixteen($1) })
    case .real:
      let from = source.address.assumingMemoryBound(to: Float.self)
      let to = output.assumingMemoryBound(to: Float.self)
      let channels = source.layout.channels
      for column in 0..<samples.width {
        for channel in 0..<channels {
          var sum = 0.0
          eachPixel(row, column, source, first) { sum += Double(from[$0 &+ channel]) }
          to[column &* channels &+ channel] = Float(sum / Double(shrink * shrink))
        }
      }
    }
  }

  /// Calls `body` with the position of each pixel of a square.
  @inline(__always)
  private func eachPixel(
    _ row: Int, _ column: Int, _ source: SampleRows, _ first: Int, _ body: (Int) -> Void
  ) {
    let (left, top) = (start.x &+ column &* shrink, start.y &+ row &* shrink)
    let (stride, channels) = (source.stride, source.layout.channels)
    for y in 0..<shrink {
      let at = (min(max(top &+ y, 0), part.height &- 1) &- first) &* stride
      for x in 0..<shrink {
        body(at &+ min(max(left &+ x, 0), part.width &- 1) &* channels)
      }
    }
  }

  @inline(__always)
  private func average(
    _ row: Int, _ source: SampleRows, _ first: Int, _ load: (Int) -> Int64,
    _ store: (Int, Int64) -> Void
  ) {
    let (channels, hasAlpha) = (source.layout.channels, source.layout.hasAlpha)
    let colors = hasAlpha ? channels - 1 : channels
    let count = Int64(shrink * shrink)
    var index = 0
    for column in 0..<samples.width {
      var alpha: Int64 = 0
      if hasAlpha { eachPixel(row, column, source, first) { alpha &+= load($0 &+ colors) } }
      let whole = hasAlpha ? alpha : count
      for channel in 0..<colors {
        var sum: Int64 = 0
        if hasAlpha {
          eachPixel(row, column, source, first) {
            sum &+= load($0 &+ channel) &* load($0 &+ colors)
          }
        } else {
          eachPixel(row, column, source, first) { sum &+= load($0 &+ channel) }
        }
        store(index, whole > 0 ? (sum &+ whole / 2) / whole : 0)
        index &+= 1
      }
      if hasAlpha {
        store(index, (alpha &+ count / 2) / count)
        index &+= 1
      }
    }
  }
}
