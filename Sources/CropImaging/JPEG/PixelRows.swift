import CropCore
import Glibc

/// The requested pixels of a decoded image, row by row.
protocol PixelRows {
  var width: Int { get }
  var height: Int { get }
  /// The number of bytes per pixel.
  var channels: Int { get }

  /// Calls `body` for groups of rows with the first requested byte, the distance between rows in
  /// bytes, the number of rows, and the index of the first.
  func forEach(
    _ body: (UnsafePointer<UInt8>, _ stride: Int, _ rows: Int, _ first: Int) throws(LibJPEGError)
      -> Void
  ) throws(LibJPEGError)
}

extension PixelRows {
  /// Encodes the rows unchanged.
  func copy(to encoding: JPEGEncoding) throws(LibJPEGError) {
    try forEach { (pixels, stride, rows, _) throws(LibJPEGError) in
      try encoding.write(pixels, stride: stride, rows: rows)
    }
  }
}

/// The requested pixels of a decoded part.
struct PartRows: PixelRows {
  let decoding: JPEGDecoding
  /// The first requested pixel column in the part.
  let left: Int
  let top: Int
  let width: Int
  let height: Int
  var channels: Int { Int(decoding.picture.channels) }

  /// The number of rows processed together: the height of the tallest MCU.
  static let rowsAtOnce = 32

  init(_ decoding: JPEGDecoding, around: BitmapRect, wanted: BitmapRect) {
    self.decoding = decoding
    left = wanted.x - around.x
    top = wanted.y - around.y
    width = wanted.width
    height = wanted.height
  }

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
}

/// The requested pixels, buffered completely and turned.
final class TurnedRows {
  private let rows: any PixelRows
  private let turn: Orientation
  private let pixels: UnsafeMutablePointer<UInt8>

  /// Allocates memory for the pixels; nil if there is not enough.
  init?(_ rows: any PixelRows, turn: Orientation, limit: Int) {
    let count = rows.width * rows.height * rows.channels
    guard count <= limit, let room = malloc(count) else { return nil }
    self.rows = rows
    self.turn = turn
    pixels = room.assumingMemoryBound(to: UInt8.self)
  }

  deinit { free(pixels) }

  /// Decodes all rows, then encodes them in their new order.
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
    // A step right and a step down in the result, as offsets in the stored pixels.
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
        pixels + offset(0, y), apart: (right, down), into: band,
        size: FrameSize(width: target.width, height: count), channels: channels)
      try encoding.write(band, stride: target.width * channels, rows: count)
      y += count
    }
  }

  /// Copies `size` pixels that are some bytes apart to adjacent positions.
  private static func gather(
    _ from: UnsafePointer<UInt8>, apart: (right: Int, down: Int),
    into band: UnsafeMutablePointer<UInt8>, size: FrameSize, channels: Int
  ) {
    let (right, down) = apart
    let (width, rows) = (size.width, size.height)
    if abs(right) > abs(down), rows > 1 {
      // Handles adjacent columns together, since they are near in memory.
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
