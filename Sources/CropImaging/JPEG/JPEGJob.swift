import CropCore
import CropJPEG
import FoundationEssentials

/// One crop of a JPEG whose result is a JPEG.
struct JPEGJob {
  let source: ImageSource
  let info: ImageInfo
  let options: ResultOptions
  let limits: Limits
  /// Nil if only what was cut here may reach libjpeg.
  let permit: LibjpegPermit?
  let timeLimit: TimeLimit
  /// The file to write a large result to while it is encoded.
  var file: ResultFile?
  /// What happens to the density that the source states.
  private(set) var density = DensityEdit.kept
  /// Warnings about the bytes that were read.
  private(set) var warnings: [CropWarning] = []
  /// The number of blocks that the last cut requantized, per component.
  private var requantized: [Int] = []

  /// Why this job can't make the crop.
  enum Stop: Error {
    /// The file is damaged, but another backend may ignore that, as requested.
    case damaged(CropError)
    /// It can't be done.
    case failed(CropError)

    var failure: CropError {
      switch self {
      case .damaged(let error), .failed(let error): error
      }
    }
  }

  init(
    _ source: ImageSource, info: ImageInfo, options: ResultOptions, limits: Limits,
    permit: LibjpegPermit?
  ) {
    self.source = source
    self.info = info
    self.options = options
    self.limits = limits
    self.permit = permit
    timeLimit = TimeLimit(seconds: limits.seconds)
  }

  init(_ request: PixelRequest, _ permit: LibjpegPermit?) {
    self.init(
      request.source, info: request.info, options: request.options, limits: request.limits,
      permit: permit)
    file = request.sink
    density = request.density
  }

  /// Reads the complete image and returns warnings.
  mutating func check() throws(CropError) -> [CropWarning] {
    do throws(Stop) {
      let header = try readHeader()
      let all = BitmapRect(x: 0, y: 0, width: header.size.width, height: header.size.height)
      if header.frame.obstacle == nil {
        try cut(all, header, JPEGSegmentList()) { _ in true }
      } else {
        _ = try part(all, header, JPEGSegmentList())
      }
      return warnings
    } catch {
      throw error.failure
    }
  }

  /// The crop; nil if the file is damaged and another backend may ignore that.
  func made(_ jobPlan: JPEGJobPlan) throws(CropError) -> CropResult? {
    var job = self
    do throws(Stop) {
      return try job.run(jobPlan)
    } catch {
      guard case .damaged = error else { throw error.failure }
      guard file?.clear() ?? true else {
        throw .writeFailed(
          path: source.name, detail: "a result that was started can't be discarded")
      }
      return nil
    }
  }

  private mutating func run(_ jobPlan: JPEGJobPlan) throws(Stop) -> CropResult {
    let header = try readHeader()
    guard header.grid == jobPlan.grid else { throw .failed(changed) }
    let metadata: JPEGMetadata
    do throws(CropError) {
      metadata = try JPEGMetadata(source, header, options, info, jobPlan, density)
    } catch {
      throw .failed(error)
    }
    let content =
      switch jobPlan.plan.way {
      case .lossless: try lossless(jobPlan.plan, header, metadata.segments)
      case .reencoded:
        ResultContent.memory(try reencoded(jobPlan, header, metadata.segments).take())
      }
    var result = CropResult(
      bytes: Data(), format: .jpeg, size: jobPlan.size, warnings: metadata.warnings + warnings,
      isLossless: jobPlan.plan.way == .lossless, rect: jobPlan.plan.frameRect)
    result.content = content
    if !jobPlan.plan.requantized.isEmpty {
      let channels = header.frame.components.count
      result.requantized = RequantizedBorder(
        edges: jobPlan.plan.requantized, blocks: Array(requantized.prefix(channels)))
    }
    return result
  }

  /// Copies bits, or coefficients if bits can't be copied.
  private mutating func lossless(
    _ plan: JPEGPlan, _ header: JPEGHeader, _ segments: JPEGSegmentList
  ) throws(Stop) -> ResultContent {
    let isPlain = plan.turn == .up && !options.isProgressive
    if header.frame.obstacle == nil, isPlain {
      let bytes = ResultBytes(file: file, most: limits.memory)
      do throws(Stop) {
        try cut(plan.rect, header, segments, into: bytes.append)
      } catch {
        throw bytes.failure.map(Stop.failed) ?? error
      }
      return bytes.finish()
    }
    var transform = JPEGTransform(
      rect: plan.rect, turn: plan.turn, isProgressive: options.isProgressive,
      mostScans: limits.scans)
    if header.frame.obstacle != nil {
      return .memory(try transformed(wholeFile(), by: transform, segments).take())
    }
    let part = try cut(plan.rect, header, segments.colorAlone)
    transform.rect = BitmapRect(x: 0, y: 0, width: plan.rect.width, height: plan.rect.height)
    return .memory(try transformed(part, by: transform, segments).take())
  }

  /// The area around `rect` (nil: everything), with one MCU on each side if available, as a
  /// separate file with all of this one's metadata; nil if it is outside the image.
  mutating func partWithMargin(
    _ rect: BitmapRect?
  ) throws(Stop) -> (around: BitmapRect, part: JPEGBytes)? {
    let header = try readHeader()
    let all = BitmapRect(x: 0, y: 0, width: header.size.width, height: header.size.height)
    guard header.size == info.stored, let around = header.grid.surroundings(of: rect ?? all) else {
      return nil
    }
    return (around, try part(around, header, segments(of: header)))
  }

  /// The area `rect`, whose edges are on the grid, as a separate file that is safe for libjpeg.
  mutating func part(
    _ rect: BitmapRect, _ header: JPEGHeader, _ segments: JPEGSegmentList
  ) throws(Stop) -> JPEGBytes {
    if header.frame.obstacle == nil { return try cut(rect, header, segments) }
    let transform = JPEGTransform(rect: rect, mostScans: limits.scans)
    return try transformed(wholeFile(), by: transform, segments)
  }

  /// The error for a file that differs from its header, which was read before.
  var changed: CropError {
    .corrupt(file: source.name, detail: "it changed while it was read")
  }
}

extension JPEGJob {
  func readHeader() throws(Stop) -> JPEGHeader {
    let input = JPEGSourceInput(source, until: timeLimit, seconds: limits.seconds)
    do throws(JPEGError) {
      return try JPEGHeader(reading: input.input)
    } catch {
      throw stop(error, input)
    }
  }

  private mutating func cut(
    _ rect: BitmapRect, _ header: JPEGHeader, _ segments: JPEGSegmentList
  ) throws(Stop) -> JPEGBytes {
    let bytes = JPEGBytes()
    let most = limits.memory
    try cut(rect, header, segments) { piece in
      bytes.count + piece.count <= most && bytes.append(piece)
    }
    return bytes
  }

  private mutating func cut(
    _ rect: BitmapRect, _ header: JPEGHeader, _ segments: JPEGSegmentList,
    into sink: (UnsafeRawBufferPointer) -> Bool
  ) throws(Stop) {
    let known = source.cutter?.take(for: source)
    known?.input.restart(until: timeLimit, seconds: limits.seconds)
    let input =
      known?.input ?? JPEGSourceInput(source, until: timeLimit, seconds: limits.seconds)
    do throws(JPEGError) {
      let cutter: JPEGCutter
      if let known {
        cutter = known.cutter
      } else {
        // For a single scan, the header parser has followed the file to its end.
        let isFollowed = info.scanCount == 1 && !options.isLenient
        cutter = try JPEGCutter(
          input.input, header: header, isFollowed: isFollowed, isLenient: options.isLenient)
      }
      let list = segments.segments.map {
        JPEGOutputSegment.new(marker: $0.marker, content: $0.content)
      }
      let report = try cutter.cut(rect, segments: list) { (piece) throws(JPEGError) in
        if !sink(piece) { throw .writeFailed(code: JPEGSourceInput.noMemory) }
      }
      requantized = report.requantized
      if report.warnings.contains(.extraBytes) { warnings.append(.extraBytes) }
      if report.warnings.contains(.damagedEnd) {
        warnings.append(.damaged("its coded data don't end where the image does"))
      }
      source.cutter?.leave(SharedCutter.Cutting(input: input, cutter: cutter), for: source)
    } catch {
      throw stop(error, input)
    }
  }

  private mutating func transformed(
    _ file: JPEGBytes, by transform: JPEGTransform, _ segments: JPEGSegmentList
  ) throws(Stop) -> JPEGBytes {
    do throws(LibJPEGError) {
      let (bytes, warning, blocks) = try transform.run(file, segments: segments)
      if blocks.contains(where: { $0 > 0 }) { requantized = blocks }
      if let warning { throw LibJPEGError(words: warning, isMemory: false) }
      return bytes
    } catch {
      throw stop(error)
    }
  }

  /// The metadata of the file, unchanged.
  private func segments(of header: JPEGHeader) throws(Stop) -> JPEGSegmentList {
    var list = JPEGSegmentList()
    for segment in header.segments {
      var content = [UInt8](repeating: 0, count: segment.contentCount)
      do throws(CropError) {
        try content.withUnsafeMutableBufferPointer { (bytes) throws(CropError) in
          try source.fill(UnsafeMutableRawBufferPointer(bytes), at: Int(segment.contentOffset))
        }
      } catch {
        throw .failed(error)
      }
      list.segments.append((segment.marker, content))
    }
    return list
  }

  /// The complete file, in memory, for libjpeg.
  func wholeFile() throws(Stop) -> JPEGBytes {
    // A backend without the permit passes such files on.
    guard permit != nil else { throw .failed(changed) }
    guard let bytes = JPEGBytes(count: source.byteCount) else {
      throw .failed(.memoryRefused(file: source.name, allowed: limits.memory))
    }
    do throws(CropError) {
      try source.fill(bytes.buffer, at: 0)
    } catch {
      throw .failed(error)
    }
    return bytes
  }

  /// What to do after an error of libjpeg.
  func stop(_ error: LibJPEGError) -> Stop {
    stop(error.cropError(file: source.name, limits: limits))
  }

  private func stop(_ error: CropError) -> Stop {
    // With `isLenient`, a backend that can ignore damage tries again.
    options.isLenient && CropWarning(passingOver: error) != nil ? .damaged(error) : .failed(error)
  }

  private func stop(_ error: JPEGError, _ input: JPEGSourceInput) -> Stop {
    if let failure = input.failure { return .failed(failure) }
    return stop(error.cropError(file: source.name, limits: limits))
  }
}
