import CJPEG
import CropCore
import CropJPEG
import Glibc

extension JPEGWork {
  /// Decodes what is wanted and a margin of one MCU, and codes what is wanted.
  ///
  /// Decoders smooth colours over the borders of blocks: with the margin, which is thrown away, every
  /// pixel is as in a decoding of the whole picture.
  func reencoded(
    _ plan: JPEGPlan, _ header: JPEGHeader, _ segments: JPEGSegmentList
  ) throws(Stop) -> JPEGBytes {
    guard let around = header.grid.surroundings(of: plan.rect) else { throw .elsewhere }
    let part = try part(around, header, segments.colourAlone)
    do throws(LibJPEGError) {
      let decoding = try JPEGDecoding(part)
      var picture = decoding.picture
      guard Int(picture.width) == around.width, Int(picture.height) == around.height else {
        throw LibJPEGError(words: "its size changes within the file", isMemory: false)
      }
      picture.reduceSampling()
      if let asked = options.subsampling { picture.sample(as: asked, turn: plan.turn) }
      if plan.turn.isTransposing { picture.transpose() }
      picture.width = Int32(plan.frameRect.width)
      picture.height = Int32(plan.frameRect.height)
      let encoding = try JPEGEncoding(
        picture, quality: options.quality, isProgressive: options.isProgressive,
        segments: segments)
      let rows = PartRows(decoding, around: around, wanted: plan.rect)
      if plan.turn == .up {
        try rows.copy(to: encoding)
      } else {
        guard let room = TurnedRows(rows, turn: plan.turn, limit: limits.memory) else {
          throw LibJPEGError(words: "", isMemory: true)
        }
        try room.copy(to: encoding)
      }
      if let warning = decoding.warning { throw LibJPEGError(words: warning, isMemory: false) }
      return try encoding.finish()
    } catch {
      throw stop(error)
    }
  }
}

/// The wanted pixels of a decoded part, row by row.
struct PartRows {
  let decoding: JPEGDecoding
  /// Where the wanted pixels begin, in the part.
  let left: Int
  let top: Int
  let width: Int
  let height: Int
  var channels: Int { Int(decoding.picture.channels) }

  /// The rows worked on at once: as many as the highest MCU.
  static let rowsAtOnce = 32

  init(_ decoding: JPEGDecoding, around: BitmapRect, wanted: BitmapRect) {
    self.decoding = decoding
    left = wanted.x - around.x
    top = wanted.y - around.y
    width = wanted.width
    height = wanted.height
  }

  /// Calls `body` with some rows after the other: the first wanted byte of the first, how far it is
  /// to the next, how many there are and which is the first.
  func forEach(
    _ body: (UnsafePointer<UInt8>, _ stride: Int, _ rows: Int, _ first: Int) throws(LibJPEGError)
      -> Void
  ) throws(LibJPEGError) {
    let stride = decoding.stride
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: stride * Self.rowsAtOnce)
    defer { buffer.deallocate() }
    if top > 0 { try skip(top, buffer) }
    var row = 0
    while row < height {
      let count = min(Self.rowsAtOnce, height - row)
      try decoding.read(buffer, rows: count)
      try body(buffer + left * channels, stride, count, row)
      row += count
    }
  }

  private func skip(_ rows: Int, _ buffer: UnsafeMutablePointer<UInt8>) throws(LibJPEGError) {
    var rows = rows
    while rows > 0 {
      let count = min(rows, Self.rowsAtOnce)
      try decoding.read(buffer, rows: count)
      rows -= count
    }
  }

  /// Codes the rows as they are.
  func copy(to encoding: JPEGEncoding) throws(LibJPEGError) {
    try forEach { (pixels, stride, rows, _) throws(LibJPEGError) in
      try encoding.write(pixels, stride: stride, rows: rows)
    }
  }
}

/// The wanted pixels of a part, held as a whole and laid down anew.
final class TurnedRows {
  private let rows: PartRows
  private let turn: Orientation
  private let pixels: UnsafeMutablePointer<UInt8>

  /// Room for the pixels; nil if there is not that much memory.
  init?(_ rows: PartRows, turn: Orientation, limit: Int) {
    let count = rows.width * rows.height * rows.channels
    guard count <= limit, let room = malloc(count) else { return nil }
    self.rows = rows
    self.turn = turn
    pixels = room.assumingMemoryBound(to: UInt8.self)
  }

  deinit { free(pixels) }

  /// Decodes all rows, then codes them in their new order.
  func copy(to encoding: JPEGEncoding) throws(LibJPEGError) {
    let (width, height, channels) = (rows.width, rows.height, rows.channels)
    let pixels = pixels
    try rows.forEach { (from, stride, count, first) throws(LibJPEGError) in
      for row in 0..<count {
        memcpy(pixels + (first + row) * width * channels, from + row * stride, width * channels)
      }
    }
    let map = OrientationMap<BitmapSpace, FrameSpace>(
      turn, of: BitmapSize(width: width, height: height))
    let (target, back) = (map.target, map.inverse)
    let band = UnsafeMutablePointer<UInt8>.allocate(
      capacity: target.width * channels * PartRows.rowsAtOnce)
    defer { band.deallocate() }
    // One step to the right and one down in the result, as steps in the pixels held.
    func offset(_ x: Int, _ y: Int) -> Int {
      let at = back(PixelRect<FrameSpace>(x: x, y: y, width: 1, height: 1))
      return (at.y * width + at.x) * channels
    }
    let right = target.width > 1 ? offset(1, 0) - offset(0, 0) : 0
    var y = 0
    while y < target.height {
      let count = min(PartRows.rowsAtOnce, target.height - y)
      let down = count > 1 ? offset(0, y + 1) - offset(0, y) : 0
      Self.gather(
        pixels + offset(0, y), right: right, down: down, into: band, width: target.width,
        rows: count, channels: channels)
      try encoding.write(band, stride: target.width * channels, rows: count)
      y += count
    }
  }

  /// Copies pixels that lie `right` and `down` bytes apart next to each other.
  private static func gather(
    _ from: UnsafePointer<UInt8>, right: Int, down: Int, into band: UnsafeMutablePointer<UInt8>,
    width: Int, rows: Int, channels: Int
  ) {
    if abs(right) > abs(down), rows > 1 {
      // Columns lie side by side: keep to what is near in memory.
      for x in 0..<width {
        for row in 0..<rows {
          let source = from + x * right + row * down
          let target = band + (row * width + x) * channels
          for channel in 0..<channels { target[channel] = source[channel] }
        }
      }
    } else {
      for row in 0..<rows {
        var source = from + row * down
        var target = band + row * width * channels
        for _ in 0..<width {
          for channel in 0..<channels { target[channel] = source[channel] }
          source += right
          target += channels
        }
      }
    }
  }
}

extension ckc_jpeg_picture {
  private mutating func withSampling(
    _ body: (UnsafeMutableBufferPointer<ckc_jpeg_sampling>) -> Void
  ) {
    let count = Int(channels)
    withUnsafeMutablePointer(to: &sampling) { all in
      all.withMemoryRebound(to: ckc_jpeg_sampling.self, capacity: 4) { first in
        body(UnsafeMutableBufferPointer(start: first, count: min(count, 4)))
      }
    }
  }

  /// Divides common factors out: 2 × 2 for every channel is 1 × 1.
  fileprivate mutating func reduceSampling() {
    withSampling { all in
      for factor in [Int32(4), 3, 2] {
        if all.allSatisfy({ $0.horizontal % factor == 0 }) {
          for i in all.indices { all[i].horizontal /= factor }
        }
        if all.allSatisfy({ $0.vertical % factor == 0 }) {
          for i in all.indices { all[i].vertical /= factor }
        }
      }
    }
  }

  /// Exchanges rows and columns.
  fileprivate mutating func transpose() {
    withSampling { all in
      for i in all.indices {
        all[i] = ckc_jpeg_sampling(horizontal: all[i].vertical, vertical: all[i].horizontal)
      }
    }
  }

  /// Gives luma and chroma the factors of `kind`, as they are to be after `turn`; other channels have
  /// no chroma.
  fileprivate mutating func sample(as kind: ChromaSubsampling, turn: Orientation) {
    // YCbCr is 3 and YCCK is 5 in libjpeg's list.
    guard color_space == 3 || color_space == 5, let factors = kind.factors else { return }
    let (across, down) = turn.isTransposing ? (factors.1, factors.0) : factors
    withSampling { all in
      for i in all.indices {
        let isChroma = i == 1 || i == 2
        all[i] = ckc_jpeg_sampling(
          horizontal: isChroma ? 1 : across, vertical: isChroma ? 1 : down)
      }
    }
  }
}

extension ChromaSubsampling {
  /// How much finer luma is than chroma, across and down.
  fileprivate var factors: (Int32, Int32)? {
    switch self {
    case .s444: (1, 1)
    case .s422: (2, 1)
    case .s420: (2, 2)
    case .s440: (1, 2)
    case .s411: (4, 1)
    case .other: nil
    }
  }
}
