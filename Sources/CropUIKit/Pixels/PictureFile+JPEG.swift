#if canImport(UIKit)
  import CropCore
  import CropJPEG
  import Foundation

  /// Crops JPEGs with the same code as the page and the engine.
  extension PictureFile {
    /// The grid on which the file can be cut without decoding; nil if it can't, also because of its
    /// gain map, which must be decoded to know.
    @concurrent
    func storedJPEG() async -> StoredJPEG? {
      guard let grid, !holdsGainMap else { return nil }
      return grid
    }

    private var grid: StoredJPEG? {
      data.withUnsafeBytes { bytes in
        guard let file = try? JPEGFile(JPEGInput(bytes)), file.isCuttable else { return nil }
        return file.stored
      }
    }

    /// A JPEG cut without decoding; nil if that is impossible: another format, a recipe that needs
    /// new pixels, edges off the block grid (unless they snap to it), a damaged file.
    ///
    /// Turns and mirrors are stored in the orientation flag; the metadata contain nothing of what
    /// was cut off.
    func losslessCut(
      by recipe: CropRecipe, _ metadata: MetadataPolicy, _ mode: LosslessMode = .exact,
      _ density: PixelDensity? = nil
    ) -> Data? {
      data.withUnsafeBytes { bytes -> Data? in
        guard let file = try? JPEGFile(JPEGInput(bytes)),
          let plan = try? file.plan(recipe, mode: mode), plan.way == .lossless
        else { return nil }
        return try? Self.collected { sink throws(JPEGError) in
          try file.crop(plan, metadata: metadata, density: density, into: sink)
        }
      }
    }

    /// Adds this file's EXIF, XMP, IPTC and comments, corrected, to an encoded result; nil unless
    /// both are JPEG files.
    func withMetadata(
      _ encoded: Data, isSRGB: Bool, _ metadata: MetadataPolicy,
      _ stated: StatedDensity = StatedDensity()
    ) -> Data? {
      data.withUnsafeBytes { bytes -> Data? in
        encoded.withUnsafeBytes { result -> Data? in
          guard let file = try? JPEGFile(JPEGInput(bytes)) else { return nil }
          return try? Self.collected { sink throws(JPEGError) in
            try file.copyMetadata(
              to: JPEGInput(result), metadata: metadata, isSRGB: isSRGB,
              isScaled: stated.isScaled, density: stated.density, into: sink)
          }
        }
      }
    }

    /// Collects the bytes that `write` passes to its sink.
    private static func collected(
      _ write: (JPEGSink) throws(JPEGError) -> Void
    ) throws(JPEGError) -> Data {
      var bytes = Data()
      try write { piece in bytes.append(contentsOf: piece) }
      return bytes
    }
  }
#endif
