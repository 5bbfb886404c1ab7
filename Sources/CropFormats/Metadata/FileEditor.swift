import CropCore
import FoundationEssentials

/// Puts other metadata into a finished file, without touching its pixels.
///
/// What a file says of EXIF, XMP, IPTC and texts is taken out, then what is to be said is put in.
package struct FileEditor {
  /// What is put in.
  let metadata: EditedMetadata
  /// Whether everything else that does not show the picture goes too: private chunks, trailers.
  let dropsOthers: Bool
  /// Whether a PNG or TIFF states no density.
  let dropsDensity: Bool
  /// How a picture of a HEIC or AVIF is turned, which is then the only one that the file shows.
  let turning: Turning?

  /// A picture and how it is turned.
  package struct Turning: Sendable {
    /// The number of the picture, from 1.
    let page: Int
    /// What becomes of the picture as it is shown.
    let orientation: Orientation
    /// Whether items of metadata other than EXIF and XMP stay.
    let keepsOtherMetadata: Bool

    /// A turn of the picture with the number `page`, from 1.
    package init(page: Int, by orientation: Orientation, keepsOtherMetadata: Bool) {
      self.page = page
      self.orientation = orientation
      self.keepsOtherMetadata = keepsOtherMetadata
    }
  }

  /// An editor that puts `metadata` in.
  package init(
    _ metadata: EditedMetadata, dropsOthers: Bool = false, dropsDensity: Bool = false,
    turning: Turning? = nil
  ) {
    self.metadata = metadata
    self.dropsOthers = dropsOthers
    self.dropsDensity = dropsDensity
    self.turning = turning
  }

  /// Whether metadata of a file of this format can be separated from the rest, so that the rest is copied.
  package static func canCopy(_ format: PictureFormat) -> Bool {
    format != .jpeg && format != .tiff
  }

  /// Whether EXIF holds the orientation in this format.
  package static func isLaidDownByEXIF(_ format: PictureFormat) -> Bool {
    !format.isHEIF
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

  func big(_ offset: Int, _ size: Int = 4) -> Int? { data.number(offset, size, .big) }

  func little(_ offset: Int, _ size: Int = 4) -> Int? { data.number(offset, size, .little) }

  func name(_ offset: Int) -> String? {
    guard offset >= 0, offset <= count - 4 else { return nil }
    return String(decoding: self[offset..<offset + 4], as: UTF8.self)
  }
}
