import CJPEG
import CropCore
import CropJPEG
import CropKernels
import FoundationEssentials

extension JPEGJob {
  /// Crops this JPEG, a gain map, by resampling; nil if it can't be one.
  mutating func sampled(_ cut: GainMapCut) throws(Stop) -> CropResult? {
    let header = try readHeader()
    guard header.size == cut.map, header.size == info.stored, header.frame.precision == 8,
      [1, 3].contains(header.frame.components.count), !info.lacksScans, let needed = cut.needed
    else { return nil }
    guard let around = header.grid.surroundings(of: needed) else { return nil }
    let channels = header.frame.components.count
    let (count, overflow) = needed.width.multipliedReportingOverflow(by: needed.height * channels)
    guard !overflow, count <= limits.memory / 2 else {
      throw .failed(.memoryRefused(file: source.name, allowed: limits.memory))
    }
    let segments = try mapSegments(header)
    let part = try part(around, header, segments.colorAlone)
    do throws(LibJPEGError) {
      let decoding = try JPEGDecoding(part)
      var picture = decoding.picture
      guard Int(picture.width) == around.width, Int(picture.height) == around.height,
        Int(picture.channels) == channels
      else { throw LibJPEGError(words: "its size changes within the file", isMemory: false) }
      let samples = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
      defer { samples.deallocate() }
      let stride = needed.width * channels
      try PartRows(decoding, around: around, wanted: needed).forEach {
        (pixels, step, rows, first) throws(LibJPEGError) in
        for row in 0..<rows {
          (samples + (first + row) * stride).update(from: pixels + row * step, count: stride)
        }
      }
      if let warning = decoding.warning { throw LibJPEGError(words: warning, isMemory: false) }
      picture.width = Int32(cut.size.width)
      picture.height = Int32(cut.size.height)
      picture.reduceSampling()
      if cut.turn.isTransposing { picture.transpose() }
      let rows = GainMapRows(samples, of: needed, channels: channels, cut: cut)
      let bytes = try coded(rows, picture, segments)
      var result = CropResult(
        bytes: bytes.take(), format: .jpeg,
        size: FrameSize(width: cut.size.width, height: cut.size.height))
      result.warnings = warnings
      return result
    } catch {
      throw stop(error)
    }
  }

  private func coded(
    _ rows: GainMapRows, _ picture: ckc_jpeg_picture, _ segments: JPEGSegmentList
  ) throws(LibJPEGError) -> JPEGBytes {
    let encoding = try JPEGEncoding(
      picture, quality: options.quality?.level ?? ResultOptions.defaultQuality,
      isProgressive: options.isProgressive, segments: segments)
    let stride = Int(picture.width) * Int(picture.channels)
    let band = UnsafeMutablePointer<UInt8>.allocate(capacity: stride * PartRows.rowsAtOnce)
    defer { band.deallocate() }
    var row = 0
    while row < Int(picture.height) {
      guard !timeLimit.isReached else {
        throw LibJPEGError(words: "it takes too long", isMemory: false)
      }
      let count = min(PartRows.rowsAtOnce, Int(picture.height) - row)
      for index in 0..<count { rows.write(row: row + index, to: band + index * stride) }
      try encoding.write(band, stride: stride, rows: count)
      row += count
    }
    return try encoding.finish()
  }

  /// The metadata that describe the color encoding of the map.
  private func mapSegments(_ header: JPEGHeader) throws(Stop) -> JPEGSegmentList {
    let input = SourceInput(source)
    var list = JPEGSegmentList()
    do throws(JPEGError) {
      let parts = try JPEGParts(header, reading: input.jpeg)
      let edit = MetadataEdit(
        width: header.size.width, height: header.size.height, policy: .stripAll)
      for case .new(let marker, let content) in JPEGKeptSegments(parts, edit: edit).segments {
        list.segments.append((marker, content))
      }
    } catch {
      throw .failed(
        input.failure
          ?? .readFailed(file: source.name, detail: "it became shorter while it was read"))
    }
    return list
  }
}
