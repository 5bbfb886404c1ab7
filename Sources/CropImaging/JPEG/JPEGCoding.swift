import CJPEG
import CropCore
import CropJPEG
import FoundationEssentials
import Glibc

/// Decodes a JPEG in memory row by row, or each channel by itself.
final class JPEGDecoding {
  /// What the rows are like.
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

  /// The bytes of a row.
  var stride: Int { Int(picture.width) * Int(picture.channels) }

  /// What libjpeg found odd so far, nil if nothing.
  var warning: String? { report.warning }

  /// Decodes the next rows into `pixels`, which has room for them.
  func read(_ pixels: UnsafeMutablePointer<UInt8>, rows: Int) throws(LibJPEGError) {
    guard ckc_jpeg_read(decoder, pixels, Int32(rows), report.pointer) == 0 else {
      throw report.error
    }
  }

  /// Decodes the next row of MCUs; each plane has room for its blocks.
  func read(_ planes: [ckc_jpeg_plane]) throws(LibJPEGError) {
    guard ckc_jpeg_read_planes(decoder, planes, report.pointer) == 0 else { throw report.error }
  }
}

/// Codes a JPEG row by row, or each channel by itself.
final class JPEGEncoding {
  private let report = LibJPEGReport()
  private let encoder: OpaquePointer

  /// Begins a JPEG that is like `picture` and starts with `segments`.
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

  /// Codes the next rows, each `stride` bytes behind the other.
  func write(_ pixels: UnsafePointer<UInt8>, stride: Int, rows: Int) throws(LibJPEGError) {
    guard ckc_jpeg_write(encoder, pixels, stride, Int32(rows), report.pointer) == 0 else {
      throw report.error
    }
  }

  /// Codes the next row of MCUs; each plane has its blocks.
  func write(_ planes: [ckc_jpeg_plane]) throws(LibJPEGError) {
    guard ckc_jpeg_write_planes(encoder, planes, report.pointer) == 0 else { throw report.error }
  }

  /// The file.
  func finish() throws(LibJPEGError) -> JPEGBytes {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard ckc_jpeg_finish(encoder, &bytes, &count, report.pointer) == 0, let bytes else {
      throw report.error
    }
    return JPEGBytes(adopting: bytes, count: count)
  }
}

/// Moves whole blocks of a JPEG without loss.
struct JPEGTransform {
  /// What is cut, in stored pixels; its left and top edges are on the grid.
  var rect: BitmapRect
  /// How the cut is oriented.
  var turn: Orientation = .up
  var isProgressive = false
  var mostScans: Int

  /// The file that results from `source`, what libjpeg found odd about it, and how many blocks were
  /// quantised again, by component.
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

/// Bytes of a JPEG being made, in memory of the C library.
final class JPEGBytes {
  private(set) var start: UnsafeMutablePointer<UInt8>?
  private(set) var count: Int
  private var capacity: Int

  /// No bytes yet.
  init() {
    start = nil
    count = 0
    capacity = 0
  }

  /// So many bytes, still to be filled; nil if there is no memory.
  convenience init?(count: Int) {
    guard let start = malloc(max(count, 1)) else { return nil }
    self.init(adopting: start.assumingMemoryBound(to: UInt8.self), count: count)
  }

  /// Takes over memory to be freed with `free`.
  init(adopting start: UnsafeMutablePointer<UInt8>, count: Int) {
    self.start = start
    self.count = count
    capacity = count
  }

  deinit { free(start) }

  /// The bytes, as long as none are added.
  var buffer: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  /// Puts `bytes` behind the others; false if there is no memory.
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

  /// The bytes, handed over: this object is empty afterwards.
  func take() -> Data {
    guard let start, count > 0 else { return Data() }
    let data = Data(bytesNoCopy: start, count: count, deallocator: .free)
    self.start = nil
    count = 0
    capacity = 0
    return data
  }
}
