#if canImport(UIKit)
  import CropCore
  import CropJPEG
  import Foundation

  /// JPEG to JPEG, by the same code as the page and the engine.
  extension PictureFile {
    /// The grid on which the file can be cut without being decoded; nil where it can't be.
    var storedJPEG: StoredJPEG? {
      data.withUnsafeBytes { bytes in
        guard let file = try? JPEGFile(JPEGInput(bytes)), file.isCuttable else { return nil }
        return file.stored
      }
    }

    /// A JPEG cut without being decoded; nil where that can't be: another format, a recipe that
    /// needs new pixels, edges off the block grid (unless they snap to it), a damaged file.
    ///
    /// Turns and mirrors go into the orientation flag; nothing of what was cut away stays in the
    /// metadata.
    func losslessCut(
      by recipe: CropRecipe, _ metadata: MetadataPolicy, _ mode: LosslessMode = .strict
    ) -> Data? {
      data.withUnsafeBytes { bytes -> Data? in
        guard let file = try? JPEGFile(JPEGInput(bytes)),
          let plan = try? file.plan(recipe, mode: mode), plan.way == .lossless
        else { return nil }
        return try? Self.collected { sink throws(JPEGError) in
          try file.crop(plan, metadata: metadata, into: sink)
        }
      }
    }

    /// Gives an encoded result this file's EXIF, XMP, IPTC and comments, put right; nil unless both
    /// are JPEG files.
    func withMetadata(_ encoded: Data, isSRGB: Bool, _ metadata: MetadataPolicy) -> Data? {
      data.withUnsafeBytes { bytes -> Data? in
        encoded.withUnsafeBytes { result -> Data? in
          guard let file = try? JPEGFile(JPEGInput(bytes)) else { return nil }
          return try? Self.collected { sink throws(JPEGError) in
            try file.copyMetadata(
              to: JPEGInput(result), metadata: metadata, isSRGB: isSRGB, into: sink)
          }
        }
      }
    }

    /// The bytes that `write` hands to its sink.
    private static func collected(
      _ write: (JPEGSink) throws(JPEGError) -> Void
    ) throws(JPEGError) -> Data {
      var bytes = Data()
      try write { piece in bytes.append(contentsOf: piece) }
      return bytes
    }
  }
#endif
