#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Puts other metadata into a finished file, without touching its pixels.
///
/// What a file says of EXIF, XMP, IPTC and texts is taken out, then what is to be said is put in.
package struct FileEditor {
  /// What is put in.
  let metadata: EditedMetadata
  /// Whether everything else that does not show the picture goes too: private chunks, trailers.
  let dropsOthers: Bool

  /// An editor that puts `metadata` in.
  package init(_ metadata: EditedMetadata, dropsOthers: Bool = false) {
    self.metadata = metadata
    self.dropsOthers = dropsOthers
  }

  /// Whether metadata of a file of this format can be told from the rest, so that the rest is copied.
  package static func canCopy(_ format: PictureFormat) -> Bool {
    format != .jpeg && format != .tiff
  }

  /// Whether EXIF says how stored pixels of the format are laid down.
  package static func isLaidDownByEXIF(_ format: PictureFormat) -> Bool {
    format != .heic && format != .avif
  }

  /// The file with other metadata; nil where it is not built as its format asks.
  ///
  /// A JPEG is edited by its own path.
  package func edited(_ file: Data, _ format: PictureFormat) -> Data? {
    switch format {
    case .jpeg: nil
    case .png: png(file)
    case .webp: webp(file)
    case .gif: gif(file)
    case .tiff: tiff(file)
    case .heic, .avif: heif(file)
    }
  }
}

/// Numbers in a file that is in memory.
struct FileBytes {
  let data: Data

  var count: Int { data.count }

  subscript(offset: Int) -> UInt8 { data[data.startIndex + offset] }

  subscript(range: Range<Int>) -> Data {
    data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound]
  }

  func big(_ offset: Int, _ size: Int = 4) -> Int? { number(offset, size, isLittle: false) }

  func little(_ offset: Int, _ size: Int = 4) -> Int? { number(offset, size, isLittle: true) }

  func number(_ offset: Int, _ size: Int, isLittle: Bool) -> Int? {
    guard offset >= 0, offset <= count - size else { return nil }
    var value: UInt64 = 0
    for i in 0..<size {
      value = value << 8 | UInt64(self[offset + (isLittle ? size - 1 - i : i)])
    }
    return Int(exactly: value)
  }

  func name(_ offset: Int) -> String? {
    guard offset >= 0, offset <= count - 4 else { return nil }
    return String(decoding: self[offset..<offset + 4], as: UTF8.self)
  }
}
