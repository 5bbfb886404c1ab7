import CJPEG
import CropCore
import CropJPEG
import FoundationEssentials
import Glibc

/// Decodes a JPEG in memory row by row, or with separate channels.
final class JPEGDecoding {
  /// The format of the rows.
  private(set) var picture = ckc_jpeg_picture()
  private let bytes: JPEGBytes
  private let report = LibJPEGReport()
  private let decoder: OpaquePointer

  /// Opens `bytes`.
  init(
    _ bytes: JPEGBytes, as pixels: ckc_jpeg_pixels = CKC_JPEG_STORED, eighths: Int = 8
  ) throws(LibJPEGError) {
    self.bytes = bytes
    guard
      let decoder = ckc_jpeg_open(
        bytes.start, bytes.count, pixels, Int32(eighths), &picture, report.pointer)
    else { throw report.error }
    self.decoder = decoder
  }

  deinit { ckc_jpeg_close(decoder) }

  /// The number of bytes per row.
  var stride: Int { Int(picture.width) * Int(picture.channels) }

  /// The first warning of libjpeg so far; nil if there is none.
  var warning: String? { report.warning }

  /// Decodes the next rows into `pixels`, which must have enough space.
  func read(_ pixels: UnsafeMutablePointer<UInt8>, rows: Int) throws(LibJPEGError) {
    guard ckc_jpeg_read(decoder, pixels, Int32(rows), report.pointer) == 0 else {
      throw report.error
    }
  }

  /// Decodes the next row of MCUs; each plane must have enough space for its blocks.
  func read(_ planes: [ckc_jpeg_plane]) throws(LibJPEGError) {
    guard ckc_jpeg_read_planes(decoder, planes, report.pointer) == 0 else { throw report.error }
  }
}

/// Encodes a JPEG row by row, or with separate channels.
final class JPEGEncoding {
  private let report = LibJPEGReport()
  private let encoder: OpaquePointer

  /// Starts a JPEG in the format of `picture`, with `segments` first.
  init(
    _ picture: ckc_jpeg_picture, quality: Int, isProgressive: Bool, segments: JPEGSegmentList
  ) throws(LibJPEGError) {
    var picture = picture
    let report = report
    let encoder = segments.withCSegments { list, count in
      ckc_jpeg_create(
        &picture, Int32(quality), isProgressive ? 1 : 0, list, count, report.pointer)
    }
    guard let encoder else { throw report.error }
    self.encoder = encoder
  }

  deinit { ckc_jpeg_discard(encoder) }

  /// Encodes the next rows, which are `stride` bytes apart.
  func write(_ pixels: UnsafePointer<UInt8>, stride: Int, rows: Int) throws(LibJPEGError) {
    guard ckc_jpeg_write(encoder, pixels, stride, Int32(rows), report.pointer) == 0 else {
      throw report.error
    }
  }

  /// Encodes the next row of MCUs from the blocks of each plane.
  func write(_ planes: [ckc_jpeg_plane]) throws(LibJPEGError) {
    guard ckc_jpeg_write_planes(encoder, planes, report.pointer) == 0 else { throw report.error }
  }

  /// Completes the file and returns it.
  func finish() throws(LibJPEGError) -> JPEGBytes {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard ckc_jpeg_finish(encoder, &bytes, &count, report.pointer) == 0, let bytes else {
      throw report.error
    }
    return JPEGBytes(adopting: bytes, count: count)
  }
}

/// Cuts and turns whole blocks of a JPEG losslessly.
struct JPEGTransform {
  /// The rectangle to cut, in stored pixels; its left and top edges are on the grid.
  var rect: BitmapRect
  /// The orientation that is applied to the cut.
  var turn: Orientation = .up
  var isProgressive = false
  var mostScans: Int

  /// The file made from `source`, the warning of libjpeg, and the number of requantized blocks per
  /// component.
  func run(
    _ source: JPEGBytes, segments: JPEGSegmentList
  ) throws(LibJPEGError) -> (bytes: JPEGBytes, warning: String?, requantized: [Int]) {
    let report = LibJPEGReport()
    let moves = turn.blockMoves
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let rect = ckc_jpeg_rect(
      x: Int32(rect.x), y: Int32(rect.y), width: Int32(rect.width), height: Int32(rect.height))
    let quantizer = BorderQuantizer()
    var border = ckc_jpeg_border()
    border.context = Unmanaged.passUnretained(quantizer).toOpaque()
    border.requantize = { context, block, steps, columns, rows in
      guard let context, let block, let steps else { return }
      let quantizer = Unmanaged<BorderQuantizer>.fromOpaque(context).takeUnretainedValue()
      quantizer.setSteps { steps[$0] }
      quantizer.requantize(block, columns: Int(columns), rows: Int(rows))
    }
    let failed = withExtendedLifetime(quantizer) {
      segments.withCSegments { list, segmentCount in
        ckc_jpeg_transform(
          source.start, source.count, rect, moves.isTransposed ? 1 : 0, moves.isMirrored ? 1 : 0,
          moves.isFlipped ? 1 : 0, isProgressive ? 1 : 0, Int32(clamping: mostScans), &border, list,
          segmentCount, &bytes, &count, report.pointer)
      }
    }
    guard failed == 0, let bytes else { throw report.error }
    let blocks = [border.blocks.0, border.blocks.1, border.blocks.2, border.blocks.3]
    return (JPEGBytes(adopting: bytes, count: count), report.warning, blocks.map { Int($0) })
  }
}

extension Orientation {
  /// The same as an exchange of rows and columns, then a mirror left–right, then one top–bottom.
  var blockMoves: (isTransposed: Bool, isMirrored: Bool, isFlipped: Bool) {
    switch self {
    case .up: (false, false, false)
    case .upMirrored: (false, true, false)
    case .down: (false, true, true)
    case .downMirrored: (false, false, true)
    case .leftMirrored: (true, false, false)
    case .right: (true, true, false)
    case .rightMirrored: (true, true, true)
    case .left: (true, false, true)
    }
  }
}

/// Bytes of a JPEG, in memory of the C library.
final class JPEGBytes {
  private(set) var start: UnsafeMutablePointer<UInt8>?
  private(set) var count: Int
  private var capacity: Int

  /// An empty buffer.
  init() {
    start = nil
    count = 0
    capacity = 0
  }

  /// A buffer of `count` uninitialized bytes; nil if there is not enough memory.
  convenience init?(count: Int) {
    guard let start = malloc(max(count, 1)) else { return nil }
    self.init(adopting: start.assumingMemoryBound(to: UInt8.self), count: count)
  }

  /// Takes ownership of memory that is released with `free`.
  init(adopting start: UnsafeMutablePointer<UInt8>, count: Int) {
    self.start = start
    self.count = count
    capacity = count
  }

  deinit { free(start) }

  /// The bytes; valid until bytes are appended.
  var buffer: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  /// Appends `bytes`; false if there is not enough memory.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let from = bytes.baseAddress, !bytes.isEmpty else { return true }
    if count + bytes.count > capacity {
      let wanted = max(count + bytes.count, capacity + capacity / 2, 1 << 16)
      guard let larger = realloc(start, wanted) else { return false }
      start = larger.assumingMemoryBound(to: UInt8.self)
      capacity = wanted
    }
    guard let start else { return false }
    memcpy(start + count, from, bytes.count)
    count += bytes.count
    return true
  }

  /// Moves the bytes out; this object is empty afterwards.
  func take() -> Data {
    guard let start, count > 0 else { return Data() }
    let data = Data(bytesNoCopy: start, count: count, deallocator: .free)
    self.start = nil
    count = 0
    capacity = 0
    return data
  }
}
