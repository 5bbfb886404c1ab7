import CJPEG
import CropCore
import CropJPEG
import CropSystem
import Glibc

/// A decoded part of a JPEG in memory that several crops are encoded from: rows of pixels, or a
/// plane per channel. It is immutable.
final class JPEGRaster: @unchecked Sendable {
  /// The position in the stored image; the edges are on the grid or on the border.
  let around: BitmapRect
  /// The format of the rows.
  let picture: ckc_jpeg_picture
  private let planes: [Plane]

  private struct Plane {
    let stride: Int
    /// The number of lines per row of MCUs, and of columns per MCU.
    let lines: Int
    let columns: Int
    let samples: UnsafeMutablePointer<UInt8>
  }

  /// The rows of `part`, which is the area `around` as a separate file; nil if libjpeg rejects it,
  /// or there is not enough memory.
  init?(rowsOf part: JPEGBytes, around: BitmapRect) {
    guard let decoding = try? JPEGDecoding(part), decoding.picture.has(around.size),
      let room = malloc(decoding.stride * around.height)
    else { return nil }
    let samples = room.assumingMemoryBound(to: UInt8.self)
    self.around = around
    picture = decoding.picture
    planes = [
      Plane(
        stride: decoding.stride, lines: 1, columns: Int(picture.channels), samples: samples)
    ]
    var row = 0
    while row < around.height {
      let count = min(PartRows.rowsAtOnce, around.height - row)
      guard (try? decoding.read(samples + row * decoding.stride, rows: count)) != nil else {
        return nil
      }
      row += count
    }
    if decoding.warning != nil { return nil }
  }

  /// Decodes `part` to planes, otherwise like ``init(rowsOf:around:)``.
  init?(planesOf part: JPEGBytes, around: BitmapRect, _ frame: JPEGFrame) {
    guard let decoding = try? JPEGDecoding(part, as: CKC_JPEG_PLANES),
      decoding.picture.has(around.size), decoding.picture.isSampled(as: frame)
    else { return nil }
    let across = (around.width + 8 * frame.maxHorizontal - 1) / (8 * frame.maxHorizontal)
    let down = (around.height + 8 * frame.maxVertical - 1) / (8 * frame.maxVertical)
    var planes: [Plane] = []
    for component in frame.components {
      let (lines, columns) = (8 * component.vertical, 8 * component.horizontal)
      guard let room = malloc(across * columns * down * lines) else { break }
      planes.append(
        Plane(
          stride: across * columns, lines: lines, columns: columns,
          samples: room.assumingMemoryBound(to: UInt8.self)))
    }
    self.around = around
    picture = decoding.picture
    self.planes = planes
    guard planes.count == frame.components.count else { return nil }
    for row in 0..<down {
      let targets = planes.map {
        ckc_jpeg_plane(start: $0.samples + row * $0.lines * $0.stride, stride: $0.stride)
      }
      guard (try? decoding.read(targets)) != nil else { return nil }
    }
    if decoding.warning != nil { return nil }
  }

  deinit { for plane in planes { free(plane.samples) } }
}

extension ckc_jpeg_picture {
  fileprivate func has(_ size: BitmapSize) -> Bool {
    Int(width) == size.width && Int(height) == size.height
  }
}

extension JPEGRaster {
  /// The pixels of `wanted`, which must be inside.
  func rows(of wanted: BitmapRect) -> some PixelRows {
    let plane = planes[0]
    let start = (wanted.y - around.y) * plane.stride + (wanted.x - around.x) * plane.columns
    return RasterRows(
      start: plane.samples + start, stride: plane.stride, width: wanted.width,
      height: wanted.height, channels: plane.columns)
  }

  /// The rows of MCUs of `part`, which must be inside, with edges on the grid or on the border.
  func mcuRows(of part: BitmapRect, _ frame: JPEGFrame) -> some PlaneRows {
    let (across, down) = (8 * frame.maxHorizontal, 8 * frame.maxVertical)
    let (left, top) = ((part.x - around.x) / across, (part.y - around.y) / down)
    let width = (part.width + across - 1) / across
    return RasterPlanes(
      planes: planes.map { plane in
        (
          plane.samples + top * plane.lines * plane.stride + left * plane.columns, plane.stride,
          plane.lines, width * plane.columns
        )
      })
  }
}

/// Pixels that are in memory.
private struct RasterRows: PixelRows {
  let start: UnsafePointer<UInt8>
  let stride: Int
  let width: Int
  let height: Int
  let channels: Int

  func forEach(
    _ body: (UnsafePointer<UInt8>, _ stride: Int, _ rows: Int, _ first: Int) throws(LibJPEGError)
      -> Void
  ) throws(LibJPEGError) {
    var row = 0
    while row < height {
      let count = min(PartRows.rowsAtOnce, height - row)
      try body(start + row * stride, stride, count, row)
      row += count
    }
  }
}

/// Rows of MCUs that are in memory, read one after the other.
private final class RasterPlanes: PlaneRows {
  private let planes: [(start: UnsafeMutablePointer<UInt8>, stride: Int, lines: Int, width: Int)]
  private var row = 0

  init(planes: [(UnsafeMutablePointer<UInt8>, Int, Int, Int)]) { self.planes = planes }

  func read(_ targets: [ckc_jpeg_plane]) {
    for (plane, target) in zip(planes, targets) {
      guard let start = target.start else { continue }
      for line in 0..<plane.lines {
        (start + line * target.stride).update(
          from: plane.start + (row * plane.lines + line) * plane.stride, count: plane.width)
      }
    }
    row += 1
  }
}

/// The rasters that crops of one JPEG share; each is made when first needed.
final class JPEGRasters: Sendable {
  private let made = Monitor<[Bool: JPEGRaster?]>([:])

  /// The raster as planes or as rows; nil if it can't be made.
  func raster(inPlanes isPlanar: Bool, _ make: () -> JPEGRaster?) -> JPEGRaster? {
    made.change { made in
      if let known = made[isPlanar] { return known }
      let raster = make()
      made[isPlanar] = .some(raster)
      return raster
    }
  }
}

extension JPEGJob {
  /// The decoded pixels that crops of this image share, if they contain `around`; nil if each crop
  /// decodes separately.
  func sharedRaster(
    holding around: BitmapRect, inPlanes isPlanar: Bool, _ header: JPEGHeader,
    _ segments: JPEGSegmentList
  ) -> JPEGRaster? {
    guard let pixels = source.pixels, !options.isLenient, header.size == info.stored else {
      return nil
    }
    let (rect, count) = (pixels.demand.rect, pixels.demand.count)
    // Only if decoding everything once costs less than decoding all parts, and uses a small part of
    // the allowed memory.
    guard count >= 2 * rect.width * rect.height, rect.width * rect.height * 24 <= limits.memory
    else { return nil }
    if case .none = pixels.state(for: source) { pixels.leave(.kept(JPEGRasters()), for: source) }
    guard case .kept(let kept) = pixels.state(for: source), let rasters = kept as? JPEGRasters
    else { return nil }
    let raster = rasters.raster(inPlanes: isPlanar) {
      let toImage = OrientationMap<BitmapSpace, ImageSpace>(info.orientation, of: info.stored)
      var work = self
      guard
        let all = header.grid.surroundings(of: toImage.inverse(rect), cells: isPlanar ? 0 : 1),
        let part = try? work.part(all, header, segments), work.warnings.count == warnings.count
      else { return nil }
      return isPlanar
        ? JPEGRaster(planesOf: part, around: all, header.frame)
        : JPEGRaster(rowsOf: part, around: all)
    }
    guard let raster, raster.around.rect.contains(around.rect) else { return nil }
    return raster
  }
}
