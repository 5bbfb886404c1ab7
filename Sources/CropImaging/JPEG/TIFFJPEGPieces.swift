import CropCore
import CropJPEG

/// The strips or tiles of a TIFF page that are separate JPEGs (compression 7, TIFF Technical Note
/// 2).
private struct TIFFJPEGPieces {
  private var reader: PictureReader
  private let structure: TIFFStructure
  private let offsets: TIFFStructure.Field
  private let lengths: TIFFStructure.Field
  /// The shared tables, put at the start of each piece.
  private let start: [UInt8]
  /// The size in pixels of a complete piece.
  private let piece: BitmapSize
  private let size: BitmapSize
  /// The number of planes, one color each.
  private let planes: Int

  /// The largest size of the tables that pieces share, in bytes.
  private static let mostTables = 1 << 16

  /// The pieces of the page with this number, from 0; nil if it is coded differently, or in a way
  /// that only the decoder can check.
  init?(_ source: ImageSource, page: Int) throws(CropError) {
    var reader = PictureReader(source)
    guard let structure = try TIFFStructure(&reader, base: 0, length: reader.count),
      let directory = try structure.directory(ofPage: page, &reader),
      try structure.number(directory[TIFFTag.compression], &reader) == 7,
      let width = try structure.number(directory[TIFFTag.imageWidth], &reader), width > 0,
      width < 1 << 31,
      let height = try structure.number(directory[TIFFTag.imageHeight], &reader), height > 0,
      height < 1 << 31,
      let offsets = directory[TIFFTag.tileOffsets] ?? directory[TIFFTag.stripOffsets],
      let lengths = directory[TIFFTag.tileByteCounts] ?? directory[TIFFTag.stripByteCounts]
    else { return nil }
    let isTiled = directory[TIFFTag.tileOffsets] != nil
    let across = isTiled ? try structure.number(directory[TIFFTag.tileWidth], &reader) : width
    let down =
      try structure.number(directory[isTiled ? TIFFTag.tileHeight : TIFFTag.rowsPerStrip], &reader)
      ?? height
    guard let across, across > 0, down > 0 else { return nil }
    var start: [UInt8] = [0xFF, 0xD8]
    if let tables = directory[TIFFTag.jpegTables], let place = tables.values, tables.valueSize == 1,
      (4...Self.mostTables).contains(tables.count),
      let bytes = try reader.bytes(place, tables.count)
    {
      // Without the start and end markers.
      start += bytes.dropFirst(2).dropLast(2)
    }
    let isSeparate = try structure.number(directory[TIFFTag.planarConfiguration], &reader) == 2
    planes =
      isSeparate
      ? min(try structure.number(directory[TIFFTag.samplesPerPixel], &reader) ?? 1, 16) : 1
    piece = BitmapSize(width: across, height: min(down, height))
    size = BitmapSize(width: width, height: height)
    self.reader = reader
    self.structure = structure
    self.offsets = offsets
    self.lengths = lengths
    self.start = start
  }

  /// Reads the pieces that contain pixels of `part`, each to its end.
  mutating func check(_ part: BitmapRect, limits: Limits) throws(CropError) {
    let limit = TimeLimit(seconds: limits.seconds)
    let columns = part.x / piece.width...(part.x + max(part.width, 1) - 1) / piece.width
    let rows = part.y / piece.height...(part.y + max(part.height, 1) - 1) / piece.height
    let across = (size.width - 1) / piece.width + 1
    let down = (size.height - 1) / piece.height + 1
    for plane in 0..<planes {
      for row in rows {
        for column in columns {
          let index = (plane * down + row) * across + column
          guard let range = try range(of: index) else { continue }
          let input = JPEGSourceInput(
            reader.source, until: limit, seconds: limits.seconds, prefix: start,
            range: range)
          try check(input, number: index + 1, limits: limits)
        }
      }
    }
  }

  /// The range of a piece's bytes after its first marker; nil if it is not a JPEG.
  private mutating func range(of index: Int) throws(CropError) -> Range<Int>? {
    guard let offset = try structure.number(offsets, at: index, &reader),
      let length = try structure.number(lengths, at: index, &reader), length > 2,
      let place = structure.inside(offset, length), try reader.big16(place) == 0xFFD8
    else { return nil }
    return place + 2..<place + length
  }

  private func check(
    _ input: JPEGSourceInput, number: Int, limits: Limits
  ) throws(CropError) {
    do throws(JPEGError) {
      let header = try JPEGHeader(reading: input.input)
      // The end marker of a piece is not needed.
      let cutter = try JPEGCutter(input.input, header: header, isFollowed: true)
      let all = BitmapRect(x: 0, y: 0, width: header.size.width, height: header.size.height)
      _ = try cutter.cut(all, segments: []) { _ in }
    } catch {
      if let failure = input.failure { throw failure }
      switch error {
      // The decoder supports more kinds of JPEG, and the default tables.
      case .unsupported, .notJPEG, .corrupt(.missingTable, _): return
      default:
        throw error.cropError(file: reader.source.name, limits: limits)
          .within("part \(number) of its page")
      }
    }
  }
}

extension CropError {
  /// The same damage, with its location in the message.
  fileprivate func within(_ place: String) -> Self {
    switch self {
    case .corrupt(let file, let detail): .corrupt(file: file, detail: "\(place): \(detail)")
    case .truncated(let file, let detail): .truncated(file: file, detail: "\(place): \(detail)")
    default: self
    }
  }
}

extension ImageSource {
  /// Strictly checks the coded data of a TIFF page (from 0) whose strips or tiles are JPEGs, as for
  /// JPEG files, since decoders ignore most damage in them.
  ///
  /// Only pieces with pixels of `part`, in stored pixels inside the page, are read. Other kinds of
  /// pieces are left to the decoder.
  ///
  /// - Returns: warnings; with `isLenient`, also about damage.
  /// - Throws: `CropError.corrupt` or `CropError.truncated`, which name the piece;
  ///   `CropError.timedOut`; `CropError.readFailed`.
  package func checkTIFFJPEGs(
    page: Int, part: BitmapRect, limits: Limits, isLenient: Bool
  ) throws(CropError) -> [CropWarning] {
    do throws(CropError) {
      var pieces = try TIFFJPEGPieces(self, page: page)
      try pieces?.check(part, limits: limits)
      return []
    } catch {
      guard isLenient, let warning = CropWarning(passingOver: error) else { throw error }
      return [warning]
    }
  }
}
