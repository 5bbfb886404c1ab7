#if canImport(UIKit)
  import CropCore
  import CropJPEG
  import ImageIO
  import UIKit
  import UniformTypeIdentifiers

  /// A picture's file, cropped into another file: metadata and colour profile stay.
  public struct PictureFile: Sendable {
    /// The bytes.
    public let data: Data

    /// The file with these bytes; nothing is read yet.
    public init(_ data: Data) {
      self.data = data
    }

    /// The result's bytes.
    ///
    /// A JPEG is cut without being decoded where `lossless` allows it; turns and
    /// mirrors then go into the orientation flag. All else is decoded by the system and written
    /// upright, in the file's own type where the system can write it, else as JPEG. A shape other
    /// than the rectangle makes a PNG of a JPEG.
    ///
    /// - Parameters:
    ///   - recipe: what to cut.
    ///   - quality: of lossy types, 0 to 1.
    ///   - metadata: what of the metadata stays; nothing of what was cut away ever does.
    ///   - lossless: when a JPEG is cut without being decoded; `outward` moves edges outward to its
    ///     grid of blocks.
    /// - Throws: ``PictureError``.
    @concurrent
    public func cropped(
      by recipe: CropRecipe, quality: Double = 0.9, metadata: MetadataPolicy = .keep,
      lossless: LosslessMode = .strict
    ) async throws -> Data {
      if let cut = losslessCut(by: recipe, metadata, lossless) { return cut }
      return try recoded(by: recipe, quality: quality, metadata)
    }

    /// The result written anew by the system.
    func recoded(
      by recipe: CropRecipe, quality: Double, _ metadata: MetadataPolicy
    ) throws(PictureError) -> Data {
      guard let source = CGImageSourceCreateWithData(NSData(data: data) as CFData, nil),
        let picture = CropPicture(data)
      else { throw .unreadable }
      let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [String: Any] ?? [:]
      let result = try picture.uprightCut(by: recipe)
      let type = Self.type(of: source, for: recipe.shape)
      let written = NSMutableData()
      guard
        let destination = CGImageDestinationCreateWithData(
          written as CFMutableData, type as CFString, 1, nil)
      else { throw .unwritable }
      // A JPEG's metadata is put right by our own code, after ImageIO has encoded the pixels.
      let isJPEG = type == UTType.jpeg.identifier
      var kept = isJPEG ? [:] : Self.kept(properties, of: result, metadata)
      kept[kCGImageDestinationLossyCompressionQuality as String] = quality
      kept[kCGImageDestinationEmbedThumbnail as String] = false
      CGImageDestinationAddImage(
        destination, result, NSDictionary(dictionary: kept) as CFDictionary)
      guard CGImageDestinationFinalize(destination) else { throw .unwritable }
      let encoded = Data(referencing: written)
      guard isJPEG else { return encoded }
      let isSRGB =
        result.colorSpace?.name.map { $0 as String == CGColorSpace.sRGB as String } ?? true
      return withMetadata(encoded, isSRGB: isSRGB, metadata) ?? encoded
    }

    /// The type to write: the file's own where there is a writer and it can hold the shape.
    private static func type(of source: CGImageSource, for shape: CropShape) -> String {
      let own = CGImageSourceGetType(source).map { $0 as String } ?? UTType.jpeg.identifier
      let holdsAlpha = own != UTType.jpeg.identifier
      if shape != .rectangle, !holdsAlpha { return UTType.png.identifier }
      let known = CGImageDestinationCopyTypeIdentifiers() as? [String] ?? []
      return known.contains(own) ? own : UTType.jpeg.identifier
    }

    /// The metadata that is still true of the result: no thumbnail, no size or orientation of the
    /// source.
    static func kept(
      _ properties: [String: Any], of result: CGImage, _ metadata: MetadataPolicy
    ) -> [String: Any] {
      if metadata == .stripAll { return [:] }
      var kept = properties
      if metadata == .stripLocation { kept[kCGImagePropertyGPSDictionary as String] = nil }
      for key in [
        kCGImagePropertyPixelWidth, kCGImagePropertyPixelHeight,
        kCGImagePropertyMakerAppleDictionary,
      ] {
        kept[key as String] = nil
      }
      kept[kCGImagePropertyOrientation as String] = 1
      if var tiff = kept[kCGImagePropertyTIFFDictionary as String] as? [String: Any] {
        tiff[kCGImagePropertyTIFFOrientation as String] = 1
        kept[kCGImagePropertyTIFFDictionary as String] = tiff
      }
      if var exif = kept[kCGImagePropertyExifDictionary as String] as? [String: Any] {
        exif[kCGImagePropertyExifPixelXDimension as String] = result.width
        exif[kCGImagePropertyExifPixelYDimension as String] = result.height
        // Where the subject lay in the whole picture.
        exif[kCGImagePropertyExifSubjectArea as String] = nil
        exif[kCGImagePropertyExifSubjectLocation as String] = nil
        kept[kCGImagePropertyExifDictionary as String] = exif
      }
      if var more = kept[kCGImagePropertyExifAuxDictionary as String] as? [String: Any] {
        // Faces, under a key that has no constant.
        more["Regions"] = nil
        kept[kCGImagePropertyExifAuxDictionary as String] = more
      }
      return kept
    }
  }
#endif
