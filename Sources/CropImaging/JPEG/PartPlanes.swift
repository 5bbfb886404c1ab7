import CJPEG
import CropCore
import CropJPEG

/// Rows of MCUs, read in order, with separate channels.
protocol PlaneRows {
  /// Reads the next row of MCUs; each plane must have enough space for its blocks.
  func read(_ planes: [ckc_jpeg_plane]) throws(LibJPEGError)
}

extension JPEGDecoding: PlaneRows {}

/// The requested pixels of a decoded part, with separate channels in their stored size.
///
/// Subsampled colors are neither smoothed nor averaged on the way from one JPEG to the other.
struct PartPlanes {
  /// The position of a channel's requested samples.
  fileprivate struct Channel {
    /// The number of samples before the requested ones; `top` counts from their first row of MCUs.
    let left: Int
    let top: Int
    let width: Int
    let height: Int
    /// The number of lines in a row of MCUs.
    let lines: Int
    let stride: Int
    /// Memory for two rows of MCUs, because a row of the result may start in one and end in the
    /// next.
    let samples: UnsafeMutablePointer<UInt8>
  }

  private let decoding: any PlaneRows
  private let channels: [Channel]
  /// The number of rows of MCUs in the part, of those above the requested samples, and of those in the
  /// result.
  private let partRows: Int
  private let rowsAbove: Int
  private let rows: Int

  /// Whether the edges of `wanted` are edges of samples in each channel.
  static func fit(_ wanted: BitmapRect, _ frame: JPEGFrame) -> Bool {
    let (across, down) = (frame.maxHorizontal, frame.maxVertical)
    let components = frame.components
    func isEdge(_ position: Int, _ step: Int, _ border: Int) -> Bool {
      position % step == 0 || position == border
    }
    return components.count > 1
      && components.allSatisfy { across % $0.horizontal == 0 && down % $0.vertical == 0 }
      // Only without common factors, so that the result has the same factors.
      && components.contains { $0.horizontal == 1 } && components.contains { $0.vertical == 1 }
      && wanted.x % across == 0 && wanted.y % down == 0
      && isEdge(wanted.x + wanted.width, across, frame.size.width)
      && isEdge(wanted.y + wanted.height, down, frame.size.height)
  }

  /// Copies `wanted` from an image with the header `frame`, of which the part `around` is decoded
  /// to planes.
  init(_ decoding: any PlaneRows, _ frame: JPEGFrame, around: BitmapRect, wanted: BitmapRect) {
    self.decoding = decoding
    let (across, down) = (frame.maxHorizontal, frame.maxVertical)
    partRows = Self.up(around.height, 8 * down) / (8 * down)
    rowsAbove = (wanted.y - around.y) / (8 * down)
    rows = Self.up(wanted.height, 8 * down) / (8 * down)
    let linesAbove = (wanted.y - around.y) % (8 * down)
    channels = frame.components.map { component in
      let (h, v) = (component.horizontal, component.vertical)
      let left = (wanted.x - around.x) * h / across
      let width = Self.up(wanted.width * h, across) / across
      let decoded = Self.up(around.width * h, 8 * across) / across
      let stride = max(decoded, left + Self.up(width, 8))
      return Channel(
        left: left, top: linesAbove * v / down, width: width,
        height: Self.up(wanted.height * v, down) / down, lines: 8 * v, stride: stride,
        samples: .allocate(capacity: 2 * 8 * v * stride))
    }
  }

  /// Encodes the samples unchanged. Call it only once.
  func copy(to encoding: JPEGEncoding) throws(LibJPEGError) {
    defer { for channel in channels { channel.samples.deallocate() } }
    let isShifted = channels.contains { $0.top > 0 }
    for row in 0...rowsAbove { try read(row: row) }
    for row in 0..<rows {
      let next = rowsAbove + row + 1
      if isShifted { try read(row: next, below: 1) }
      for channel in channels { channel.pad(row) }
      try encoding.write(channels.map(\.wanted))
      if isShifted {
        for channel in channels { channel.moveUp() }
      } else {
        try read(row: next)
      }
    }
  }

  /// Decodes a row of MCUs, if there is one, to the place of the first, or `below` it.
  private func read(row: Int, below: Int = 0) throws(LibJPEGError) {
    guard row < partRows else { return }
    try decoding.read(channels.map { $0.plane(at: below * $0.lines) })
  }

  private static func up(_ length: Int, _ step: Int) -> Int { (length + step - 1) / step * step }
}

extension PartPlanes.Channel {
  /// The lines from `line` on.
  func plane(at line: Int, left: Int = 0) -> ckc_jpeg_plane {
    ckc_jpeg_plane(start: samples + line * stride + left, stride: stride)
  }

  /// The requested part of the rows in memory.
  var wanted: ckc_jpeg_plane { plane(at: top, left: left) }

  /// Fills the last blocks of a row of MCUs with the last requested samples, so that nothing beyond
  /// them is encoded.
  func pad(_ row: Int) {
    let (there, first) = (min(lines, height - row * lines), samples + top * stride + left)
    let across = (width + 7) / 8 * 8
    if across > width {
      for line in 0..<there {
        let end = first + line * stride + width
        end.update(repeating: end[-1], count: across - width)
      }
    }
    for line in there..<(there + 7) / 8 * 8 {
      (first + line * stride).update(from: first + (there - 1) * stride, count: across)
    }
  }

  /// Moves the second row of MCUs to the place of the first.
  func moveUp() { samples.update(from: samples + lines * stride, count: lines * stride) }
}
