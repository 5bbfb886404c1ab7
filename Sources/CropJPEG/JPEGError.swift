/// Why a JPEG can't be read or cut.
///
/// Offsets count bytes from the start of the file.
public enum JPEGError: Error, Hashable, Sendable {
  /// The data do not start like a JPEG.
  case notJPEG
  /// The data end before the image does.
  case truncated(offset: Int64)
  /// The data violate the format at or shortly before `offset`.
  case corrupt(JPEGDamage, offset: Int64)
  /// The image is valid but uses a feature that can't be cut.
  case unsupported(JPEGFeature)
  /// The rectangle has no area, is partly outside the image, or has a left or top edge off the
  /// block grid.
  case offGrid
  /// Reading failed; `code` is the input's error code, an `errno` if available.
  case readFailed(code: Int32)
  /// Writing failed; `code` is the sink's error code, an `errno` if available.
  case writeFailed(code: Int32)
}

/// What is wrong with the data of a JPEG.
public enum JPEGDamage: Int, Hashable, Sendable, CaseIterable {
  /// A segment's length is invalid.
  case segmentLength
  /// There are more than ``JPEGHeader/mostSegments`` segments.
  case tooManySegments
  /// The frame header is invalid, or there are two.
  case frameHeader
  /// A scan precedes the frame header.
  case scanBeforeFrame
  /// A scan header is invalid, or lists a component twice.
  case scanHeader
  /// A quantization or Huffman table is invalid.
  case table
  /// A required table is missing.
  case missingTable
  /// The file ends without data for every component.
  case noPicture
  /// Bits are not a Huffman code, or code a coefficient that is too large for 8-bit samples.
  case code
  /// A block has more than 64 coefficients.
  case runPastBlock
  /// The coded data of a scan or restart interval are too short.
  case shortData
  /// The coded data of a scan or restart interval are longer than the image needs.
  case dataLeft
  /// A restart marker is missing or out of order.
  case restartMarker
  /// A DC coefficient is too large for 8-bit samples.
  case dcRange
}

/// A feature of a JPEG that can't be cut by copying bits.
public enum JPEGFeature: Int, Hashable, Sendable, CaseIterable {
  /// Progressive: coefficients are coded in several passes.
  case progressive
  /// Arithmetic coding instead of Huffman codes.
  case arithmetic
  /// Lossless prediction or JPEG-LS.
  case lossless
  /// Hierarchical coding, in which further frames refine the image.
  case hierarchical
  /// Samples of other than 8 bits.
  case precision
  /// More than four components, or more blocks in an MCU than the standard allows.
  case components
  /// The height is stated after the first scan.
  case heightAtEnd
}

/// Defects of a JPEG that do not affect the cut.
public struct JPEGWarnings: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Warnings with the given bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Stray bytes precede a marker.
  public static let extraBytes = Self(rawValue: 1)
  /// The file ends, or another image starts, before the end marker; the cut is complete.
  public static let truncated = Self(rawValue: 2)
  /// The coded data after the cut area are damaged, or do not end with the image. Only a lenient
  /// cutter reports this as a warning; otherwise it is an error.
  public static let damagedEnd = Self(rawValue: 4)
}
