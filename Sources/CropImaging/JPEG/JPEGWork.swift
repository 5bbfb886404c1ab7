import CropCore
import CropJPEG

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One crop of a JPEG into a JPEG.
struct JPEGWork {
  let source: PictureSource
  let info: ImageInfo
  let options: ResultOptions
  let limits: Limits
  let readsForeignFiles: Bool
  let deadline: Moment
  /// What a large result may be written to while it is made.
  var file: ResultFile?

  /// Why a crop is not finished here.
  enum Stop: Error {
    /// Another backend can do it.
    case elsewhere
    /// The same can be done where libjpeg may read foreign files.
    case foreign
    /// Nobody can.
    case failed(CropError)
  }

  init(
    _ source: PictureSource, info: ImageInfo, options: ResultOptions, limits: Limits,
    readsForeignFiles: Bool
  ) {
    self.source = source
    self.info = info
    self.options = options
    self.limits = limits
    self.readsForeignFiles = readsForeignFiles
    let (span, overflow) = limits.seconds.multipliedReportingOverflow(by: 1000)
    deadline = Moment(millisecondsFromNow: overflow ? .max : span)
  }

  /// Reads all codes; false if another backend must.
  func check() throws(CropError) -> Bool {
    do throws(Stop) {
      let header = try readHeader()
      guard header.frame.obstacle == nil else { return false }
      let all = BitmapRect(x: 0, y: 0, width: header.size.width, height: header.size.height)
      try cut(all, header, JPEGSegmentList()) { _ in true }
      return true
    } catch {
      switch error {
      case .elsewhere, .foreign: return false
      case .failed(let failure): throw failure
      }
    }
  }

  /// Carries it out.
  func run(_ crop: ResolvedCrop) throws(Stop) -> CropResult {
    let header = try readHeader()
    guard let order = JPEGOrder(info, crop, options, grid: header.grid),
      header.frame.precision == 8
    else { throw .elsewhere }
    guard header.frame.obstacle == nil || readsForeignFiles else { throw .foreign }
    let metadata: JPEGMetadata
    do throws(CropError) {
      metadata = try JPEGMetadata(source, header, options, info, order)
    } catch {
      throw .failed(error)
    }
    let content =
      switch order.plan.way {
      case .lossless: try lossless(order.plan, header, metadata.segments)
      case .reencoded:
        CropResult.Content.memory(try reencoded(order, header, metadata.segments).take())
      }
    var result = CropResult(
      bytes: Data(), format: .jpeg, size: order.size, warnings: metadata.warnings,
      isLossless: order.plan.way == .lossless, rect: order.plan.frameRect, obstacle: order.obstacle)
    result.content = content
    return result
  }

  /// Copies bits, or coefficients where bits can't be copied.
  private func lossless(
    _ plan: JPEGPlan, _ header: JPEGHeader, _ segments: JPEGSegmentList
  ) throws(Stop) -> CropResult.Content {
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
      return .memory(try transformed(foreignFile(), by: transform, segments).take())
    }
    let part = try cut(plan.rect, header, segments.colourAlone)
    transform.rect = BitmapRect(x: 0, y: 0, width: plan.rect.width, height: plan.rect.height)
    return .memory(try transformed(part, by: transform, segments).take())
  }

  /// What is around `rect`, one MCU on each side where there are any, as a file of its own.
  func partWithMargin(_ rect: BitmapRect) throws(Stop) -> (around: BitmapRect, part: JPEGBytes) {
    let header = try readHeader()
    guard let around = header.grid.surroundings(of: rect) else { throw .elsewhere }
    return (around, try part(around, header, JPEGSegmentList()))
  }

  /// `rect` of the file, whose edges are on the grid, as a file of its own that libjpeg may see.
  func part(
    _ rect: BitmapRect, _ header: JPEGHeader, _ segments: JPEGSegmentList
  ) throws(Stop) -> JPEGBytes {
    if header.frame.obstacle == nil { return try cut(rect, header, segments) }
    let transform = JPEGTransform(rect: rect, mostScans: limits.scans)
    return try transformed(foreignFile(), by: transform, segments)
  }
}

extension JPEGWork {
  private func readHeader() throws(Stop) -> JPEGHeader {
    let input = JPEGSourceInput(source, deadline: deadline, seconds: limits.seconds)
    do throws(JPEGError) {
      return try JPEGHeader(reading: input.input)
    } catch {
      throw stop(error, input)
    }
  }

  private func cut(
    _ rect: BitmapRect, _ header: JPEGHeader, _ segments: JPEGSegmentList
  ) throws(Stop) -> JPEGBytes {
    let bytes = JPEGBytes()
    let most = limits.memory
    try cut(rect, header, segments) { piece in
      bytes.count + piece.count <= most && bytes.append(piece)
    }
    return bytes
  }

  private func cut(
    _ rect: BitmapRect, _ header: JPEGHeader, _ segments: JPEGSegmentList,
    into sink: (UnsafeRawBufferPointer) -> Bool
  ) throws(Stop) {
    let known = source.cutter?.take(for: source)
    known?.input.restart(deadline: deadline, seconds: limits.seconds)
    let input =
      known?.input ?? JPEGSourceInput(source, deadline: deadline, seconds: limits.seconds)
    do throws(JPEGError) {
      let cutter: JPEGCutter
      if let known {
        cutter = known.cutter
      } else {
        // The walk through the header of one scan went on to the file's end.
        let isFollowed = info.scanCount == 1 && !options.isLenient
        cutter = try JPEGCutter(input.input, header: header, isFollowed: isFollowed)
      }
      let list = segments.segments.map {
        JPEGOutputSegment.new(marker: $0.marker, content: $0.content)
      }
      _ = try cutter.cut(rect, segments: list) { (piece) throws(JPEGError) in
        if !sink(piece) { throw .writeFailed(code: JPEGSourceInput.noMemory) }
      }
      source.cutter?.leave(SharedCutter.Cutting(input: input, cutter: cutter), for: source)
    } catch {
      throw stop(error, input)
    }
  }

  private func transformed(
    _ file: JPEGBytes, by transform: JPEGTransform, _ segments: JPEGSegmentList
  ) throws(Stop) -> JPEGBytes {
    do throws(LibJPEGError) {
      let (bytes, warning) = try transform.run(file, segments: segments)
      if let warning { throw LibJPEGError(words: warning, isMemory: false) }
      return bytes
    } catch {
      throw stop(error)
    }
  }

  /// The whole file, in memory.
  private func foreignFile() throws(Stop) -> JPEGBytes {
    guard let bytes = JPEGBytes(count: source.byteCount) else {
      throw .failed(.outOfMemory(file: source.name, allowed: limits.memory))
    }
    do throws(CropError) {
      guard try source.read(into: bytes.buffer, at: 0) == source.byteCount else {
        throw .readFailed(file: source.name, detail: "it became shorter while it was read")
      }
    } catch {
      throw .failed(error)
    }
    return bytes
  }

  /// Checks the time once in a while.
  func checkTime() throws(Stop) {
    guard deadline.millisecondsLeft > 0 else {
      throw .failed(.timedOut(file: source.name, seconds: limits.seconds))
    }
  }

  /// What an error of libjpeg means.
  func stop(_ error: LibJPEGError) -> Stop {
    // Leniency is for a backend that can pass over damage.
    if options.isLenient, !error.isMemory { return .elsewhere }
    return .failed(error.cropError(file: source.name, limits: limits))
  }

  private func stop(_ error: JPEGError, _ input: JPEGSourceInput) -> Stop {
    if let failure = input.failure { return .failed(failure) }
    switch error {
    case .unsupported, .notJPEG, .offGrid: return .elsewhere
    case .truncated, .corrupt:
      if options.isLenient { return .elsewhere }
    case .readFailed, .writeFailed: break
    }
    return .failed(error.cropError(file: source.name, limits: limits))
  }
}
