/// Why a JPEG can't be read or cut.
///
/// Offsets count bytes from the start of the file.
public enum JPEGError: Error, Hashable, Sendable {
  /// The bytes don't begin like a JPEG.
  case notJPEG
  /// The bytes end before the picture does.
  case truncated(offset: Int64)
  /// The bytes break the rules of the format at or shortly before `offset`.
  case corrupt(JPEGDamage, offset: Int64)
  /// The picture is sound but of a kind that can't be cut here.
  case unsupported(JPEGFeature)
  /// The rectangle has no area, lies partly outside the picture or has a left or top edge off the grid of
  /// blocks.
  case offGrid
  /// Reading failed; `code` is what the input told, an `errno` where it has one.
  case readFailed(code: Int32)
  /// Writing failed; `code` is what the sink told, an `errno` where it has one.
  case writeFailed(code: Int32)
}

/// What is wrong with the bytes of a JPEG.
public enum JPEGDamage: Int, Hashable, Sendable, CaseIterable {
  /// A segment's length can't be.
  case segmentLength
  /// There are more segments than any real file has.
  case tooManySegments
  /// The frame header is wrong or there are two.
  case frameHeader
  /// A scan comes before the frame header.
  case scanBeforeFrame
  /// A scan header is wrong, or a component comes twice.
  case scanHeader
  /// A quantisation or Huffman table is wrong.
  case table
  /// A table that is needed was never given.
  case missingTable
  /// The picture ends without data for every component.
  case noPicture
  /// Bits that are no Huffman code, or the code of a coefficient larger than 8-bit samples allow.
  case code
  /// More than 64 coefficients in a block.
  case runPastBlock
  /// The coded data of a scan or restart interval end too early.
  case shortData
  /// The coded data of a scan or restart interval hold more than the picture has room for.
  case dataLeft
  /// A restart marker is missing or out of turn.
  case restartMarker
  /// A DC coefficient is larger than 8-bit samples allow.
  case dcRange
}

/// A kind of JPEG that can't be cut by copying bits.
public enum JPEGFeature: Int, Hashable, Sendable, CaseIterable {
  /// Progressive: coefficients come in several passes.
  case progressive
  /// Arithmetic instead of Huffman codes.
  case arithmetic
  /// Lossless prediction or JPEG-LS.
  case lossless
  /// Hierarchical: a picture refined by further frames.
  case hierarchical
  /// Samples of other than 8 bits.
  case precision
  /// More than four components, or more blocks in an MCU than the standard allows.
  case components
  /// The height is only told after the first scan.
  case heightAtEnd
}

/// What is not as it should be in a JPEG but does no harm to the cut.
public struct JPEGWarnings: OptionSet, Hashable, Sendable {
  /// The warnings as bits.
  public let rawValue: UInt8

  /// Warnings from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Bytes that belong to nothing stand before a marker.
  public static let extraBytes = Self(rawValue: 1)
  /// The file ends, or another picture begins, before the end marker; what was cut is whole.
  public static let truncated = Self(rawValue: 2)
  /// The coded data behind what was cut are damaged, or end where the picture does not; told by a lenient
  /// cutter, others refuse.
  public static let damagedEnd = Self(rawValue: 4)
}
