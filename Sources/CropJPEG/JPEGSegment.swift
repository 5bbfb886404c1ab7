/// An application segment (APP0 to APP15) or comment of a JPEG, and where its bytes are.
public struct JPEGSegment: Hashable, Sendable {
  /// The most bytes that the content of a segment can have.
  public static var mostContent: Int { 65_533 }
  /// The second byte of the marker: 0xE0 to 0xEF, or 0xFE for a comment.
  public let marker: UInt8
  /// Where the content begins, behind marker and length, in bytes from the start of the file.
  public let contentOffset: Int64
  /// The length of the content in bytes, 0 to 65,533.
  public let contentCount: Int
}

/// A segment to be written into a cut JPEG, before its tables.
public enum JPEGOutputSegment: Hashable, Sendable {
  /// A segment of the input, byte for byte.
  case copy(JPEGSegment)
  /// A segment with new content of at most 65,533 bytes; a longer one is refused as
  /// `corrupt(.segmentLength)`. The marker is the second byte, 0xE0 to 0xEF or 0xFE.
  case new(marker: UInt8, content: [UInt8])
}
