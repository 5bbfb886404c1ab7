import CropCore
import FoundationEssentials

/// Replaces the metadata in a finished file without changing its pixels.
///
/// The file's EXIF, XMP, IPTC and texts are removed, then the new ones are inserted.
package struct FileEditor {
  let metadata: EditedMetadata
  /// Whether to remove also everything else that does not show the image, such as private chunks
  /// and trailers.
  let dropsOthers: Bool
  /// What happens to the density of a PNG or TIFF, as stored.
  let density: DensityEdit
  /// The turn of an image of a HEIC or AVIF, which then becomes the only one in the file.
  let turning: Turning?

  /// An image of a file and its turn.
  package struct Turning: Sendable {
    /// The number of the image, from 1.
    let page: Int
    /// The change of the image's orientation.
    let orientation: Orientation
    /// Whether to keep metadata items other than EXIF and XMP.
    let keepsOtherMetadata: Bool

    /// A turn of the image `page`, counted from 1.
    package init(page: Int, by orientation: Orientation, keepsOtherMetadata: Bool) {
      self.page = page
      self.orientation = orientation
      self.keepsOtherMetadata = keepsOtherMetadata
    }
  }

  /// An editor that inserts `metadata`.
  package init(
    _ metadata: EditedMetadata, dropsOthers: Bool = false, density: DensityEdit = .kept,
    turning: Turning? = nil
  ) {
    self.metadata = metadata
    self.dropsOthers = dropsOthers
    self.density = density
    self.turning = turning
  }

  /// The file with other metadata; nil if the file's structure is invalid.
  ///
  /// JPEGs are edited by other code.
  package func edited(_ file: Data, _ format: ImageFormat) -> Data? {
    format.edited(file, self)
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
