import CJPEG
import CropCore
import CropJPEG
import Glibc

extension JPEGJob {
  /// Decodes the requested part and encodes it, scaled down if requested.
  ///
  /// If possible, channels keep their stored subsampling. Otherwise a margin of one MCU is decoded
  /// too and discarded: decoders smooth colors across block borders, and with the margin every
  /// pixel is as in a decoding of the complete image.
  mutating func reencoded(
    _ jobPlan: JPEGJobPlan, _ header: JPEGHeader, _ segments: JPEGSegmentList
  ) throws(Stop) -> JPEGBytes {
    let plan = jobPlan.plan
    let isPlanar =
      !jobPlan.isScaled && plan.turn == .up && options.subsampling == nil
      && PartPlanes.fit(plan.rect, header.frame)
    // A decoder only detects missing scans in the unmodified file.
    let all = BitmapRect(x: 0, y: 0, width: header.size.width, height: header.size.height)
    let isWhole = info.lacksScans
    guard
      let around =
        isWhole ? all : header.grid.surroundings(of: plan.rect, cells: isPlanar ? 0 : 1)
    else { throw .failed(changed) }
    let scaling = JPEGScaling(plan.rect, of: around, to: jobPlan.target)
    // Decoding at a reduced scale is faster than decoding everything.
    if !isWhole, scaling.map({ $0.eighths == 8 }) ?? true,
      let raster = sharedRaster(
        holding: around, inPlanes: isPlanar, header, segments.colorAlone)
    {
      return try reencoded(jobPlan, header, segments, (raster, around, scaling), isPlanar: isPlanar)
    }
    let part = try isWhole ? wholeFile() : part(around, header, segments.colorAlone)
    do throws(LibJPEGError) {
      let decoding = try JPEGDecoding(
        part, as: isPlanar ? CKC_JPEG_PLANES : CKC_JPEG_STORED, eighths: scaling?.eighths ?? 8)
      let picture = decoding.picture
      let decoded = scaling?.decoded ?? around.size
      guard Int(picture.width) == decoded.width, Int(picture.height) == decoded.height else {
        throw LibJPEGError(words: "its size changes within the file", isMemory: false)
      }
      // The planes were allocated from the header's sampling factors; the decoder's must be the
      // same.
      guard !isPlanar || picture.isSampled(as: header.frame) else {
        throw LibJPEGError(words: "its sampling changes within the file", isMemory: false)
      }
      return try coded(picture, jobPlan, segments) { (encoding) throws(LibJPEGError) in
        if isPlanar {
          try PartPlanes(decoding, header.frame, around: around, wanted: plan.rect)
            .copy(to: encoding)
        } else if let scaling {
          let all = BitmapRect(x: 0, y: 0, width: decoded.width, height: decoded.height)
          let rows = ScaledRows(PartRows(decoding, around: all, wanted: all), scaling)
          try copy(rows, turned: plan.turn, to: encoding)
        } else {
          let rows = PartRows(decoding, around: around, wanted: plan.rect)
          try copy(rows, turned: plan.turn, to: encoding)
        }
        if let warning = decoding.warning { throw LibJPEGError(words: warning, isMemory: false) }
      }
    } catch {
      throw stop(error)
    }
  }

  /// Re-encodes the part from pixels that several crops share; `around` must contain it.
  private func reencoded(
    _ jobPlan: JPEGJobPlan, _ header: JPEGHeader, _ segments: JPEGSegmentList,
    _ shared: (raster: JPEGRaster, around: BitmapRect, scaling: JPEGScaling?), isPlanar: Bool
  ) throws(Stop) -> JPEGBytes {
    let ((raster, around, scaling), plan) = (shared, jobPlan.plan)
    do throws(LibJPEGError) {
      return try coded(raster.picture, jobPlan, segments) { (encoding) throws(LibJPEGError) in
        if isPlanar {
          let rows = raster.mcuRows(of: around, header.frame)
          try PartPlanes(rows, header.frame, around: around, wanted: plan.rect).copy(to: encoding)
        } else if let scaling {
          let rows = ScaledRows(raster.rows(of: around), scaling)
          try copy(rows, turned: plan.turn, to: encoding)
        } else {
          try copy(raster.rows(of: plan.rect), turned: plan.turn, to: encoding)
        }
      }
    } catch {
      throw stop(error)
    }
  }

  /// Encodes the rows that `copy` writes: an image in the format of `picture`, with the plan's size
  /// and sampling.
  private func coded(
    _ picture: ckc_jpeg_picture, _ jobPlan: JPEGJobPlan, _ segments: JPEGSegmentList,
    _ copy: (JPEGEncoding) throws(LibJPEGError) -> Void
  ) throws(LibJPEGError) -> JPEGBytes {
    let turn = jobPlan.plan.turn
    var picture = picture
    picture.reduceSampling()
    if let asked = options.subsampling { picture.sample(as: asked, turn: turn) }
    if turn.isTransposing { picture.transpose() }
    picture.width = Int32(jobPlan.size.width)
    picture.height = Int32(jobPlan.size.height)
    let encoding = try JPEGEncoding(
      picture, quality: options.quality?.level ?? ResultOptions.defaultQuality,
      isProgressive: options.isProgressive, segments: segments)
    try copy(encoding)
    return try encoding.finish()
  }

  private func copy(
    _ rows: some PixelRows, turned turn: Orientation, to encoding: JPEGEncoding
  ) throws(LibJPEGError) {
    if turn == .up { return try rows.copy(to: encoding) }
    guard let room = TurnedRows(rows, turn: turn, limit: limits.memory) else {
      throw LibJPEGError(words: "", isMemory: true)
    }
    try room.copy(to: encoding)
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

  /// Whether these are the components of `frame`, with the same sampling factors.
  func isSampled(as frame: JPEGFrame) -> Bool {
    let all = [sampling.0, sampling.1, sampling.2, sampling.3]
    return Int(channels) == frame.components.count
      && zip(all, frame.components).allSatisfy {
        Int($0.horizontal) == $1.horizontal && Int($0.vertical) == $1.vertical
      }
  }

  /// Divides the sampling factors by their common factors: 2 × 2 for every channel becomes 1 × 1.
  mutating func reduceSampling() {
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
  mutating func transpose() {
    withSampling { all in
      for i in all.indices {
        all[i] = ckc_jpeg_sampling(horizontal: all[i].vertical, vertical: all[i].horizontal)
      }
    }
  }

  /// Sets the sampling factors of luma and chroma to those of `kind`, as they must be after `turn`.
  /// Images with other channels have no chroma.
  mutating func sample(as kind: ChromaSubsampling, turn: Orientation) {
    // In libjpeg's list, YCbCr is 3 and YCCK is 5.
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
  /// The horizontal and vertical resolution of luma relative to chroma.
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
