#if canImport(UIKit)
  import CropCore
  import CropJPEG
  import ImageIO
  import UIKit
  import UniformTypeIdentifiers

  /// An image file, to crop into another file that keeps its metadata and color profile.
  public struct PictureFile: Sendable {
    /// The bytes of the file.
    public let data: Data

    /// A file with these bytes; they are not read yet.
    public init(_ data: Data) {
      self.data = data
    }

    /// Crops the file and returns the bytes of the result.
    ///
    /// A JPEG is cut without decoding it if `lossless` allows it; turns and mirrors are then stored
    /// as its orientation. A JPEG with a gain map is decoded anyway, unless `keepsHDR` is false,
    /// because only the system can write the gain map of the crop. All other images are decoded by
    /// the system and written upright, in the file's format if the system can write it, otherwise
    /// as JPEG. If the shape is not a rectangle, the result is a PNG instead of a JPEG.
    ///
    /// - Parameters:
    ///   - recipe: the recipe of the crop.
    ///   - quality: the quality of lossy formats, 0 to 1.
    ///   - metadata: which metadata to keep. Metadata that could show the part that was cut off
    ///     is never kept.
    ///   - lossless: when to cut a JPEG without decoding it: `exact` if the left and top edges of
    ///     the stored crop are on its block grid; `snap` moves the crop there; `strict` requires
    ///     all four edges on the grid; `outward` moves them there.
    ///   - keepsHDR: whether to crop the gain map, which makes parts of the image brighter on an
    ///     HDR screen, with the image. A shape other than a rectangle drops it.
    ///   - canvas: the canvas around the result; nil for none. With a canvas, the result is
    ///     re-encoded and has no gain map, and a shape makes a PNG only if the canvas is
    ///     transparent.
    ///   - print: the size on paper, of which the recipe has the ratio: a crop with more pixels than
    ///     it needs is scaled down, one with fewer keeps them, with a lower density. It replaces the
    ///     recipe's size and `density`.
    ///   - density: what the result states for printing; nil for the file's own density, which a
    ///     result of another size does not have.
    /// - Throws: ``PictureError``.
    @concurrent
    public func cropped(
      by recipe: CropRecipe, quality: Double = 0.9, metadata: MetadataPolicy = .keep,
      lossless: LosslessMode = .exact, keepsHDR: Bool = true, on canvas: ResultCanvas? = nil,
      print: CropPrint? = nil, density: PixelDensity? = nil
    ) async throws -> Data {
      let canvas = await canvas?.resolved()
      guard let print else {
        return try made(
          by: recipe, of: nil, quality: quality, metadata, lossless, keepsHDR: keepsHDR,
          on: canvas, density: density
        ).data
      }
      guard let picture = CropPicture(data) else { throw PictureError.unreadable }
      let (sized, fit) = print.sized(recipe, on: picture.size)
      return try made(
        by: sized, of: picture, quality: quality, metadata, lossless, keepsHDR: keepsHDR,
        on: canvas, density: fit?.density
      ).data
    }

    /// A result as a file.
    struct Made {
      let data: Data
      /// The upright pixels; nil if none were made, because a JPEG was cut without decoding it.
      let pixels: CGImage?
      let maps: [GainMapData]
    }

    /// Makes a result synchronously.
    ///
    /// - Parameter picture: the file's image if it exists already, so that it is decoded only once.
    func made(
      by recipe: CropRecipe, of picture: CropPicture?, quality: Double,
      _ metadata: MetadataPolicy, _ lossless: LosslessMode = .exact, keepsHDR: Bool = true,
      on canvas: ResultCanvas? = nil, density: PixelDensity? = nil
    ) throws(PictureError) -> Made {
      let source = source
      let maps = source.map { GainMapData.all(in: $0) } ?? []
      if canvas == nil, !keepsHDR || maps.isEmpty,
        let cut = losslessCut(by: recipe, metadata, lossless, density)
      {
        return Made(data: cut, pixels: nil, maps: maps)
      }
      guard let source, let picture = picture ?? CropPicture(data) else { throw .unreadable }
      let pixels = try picture.uprightCut(by: recipe, on: canvas)
      let isTranslucent =
        canvas.map { $0.fill == .transparent } ?? (recipe.shape != .rectangle)
      let type = Self.type(of: source, isTranslucent: isTranslucent)
      let cut =
        keepsHDR && canvas == nil ? picture.gainMaps(maps, as: type, by: recipe) : []
      let crop = try? recipe.resolved(for: picture.size)
      let stated = StatedDensity(
        density: density, isScaled: crop.map { $0.output != $0.rectSize || $0.quad != nil } ?? true)
      let data = try encoded(
        pixels, of: source, as: type, quality: quality, metadata, cut, stated)
      return Made(data: data, pixels: pixels, maps: maps)
    }

    /// The file as ImageIO reads it; nil if it can't.
    var source: CGImageSource? { Self.source(of: data) }

    static func source(of data: Data) -> CGImageSource? {
      CGImageSourceCreateWithData(NSData(data: data) as CFData, nil)
    }

    /// Pixels as a file of a type, with the metadata of this one.
    private func encoded(
      _ result: CGImage, of source: CGImageSource, as type: String, quality: Double,
      _ metadata: MetadataPolicy, _ maps: [(type: CFString, info: CFDictionary)],
      _ stated: StatedDensity
    ) throws(PictureError) -> Data {
      let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [String: Any] ?? [:]
      let written = NSMutableData()
      guard
        let destination = CGImageDestinationCreateWithData(
          written as CFMutableData, type as CFString, 1, nil)
      else { throw .unwritable }
      // CropKit corrects a JPEG's metadata after ImageIO has encoded the pixels, unless a second
      // image follows, which would be lost.
      let isJPEG = type == UTType.jpeg.identifier && maps.isEmpty
      var kept = isJPEG ? [:] : Self.kept(properties, of: result, metadata)
      stated.write(to: &kept)
      if !maps.isEmpty, let light = Self.appleLight(in: properties) {
        kept[kCGImagePropertyMakerAppleDictionary as String] = light
      }
      kept[kCGImageDestinationLossyCompressionQuality as String] = quality
      kept[kCGImageDestinationEmbedThumbnail as String] = false
      CGImageDestinationAddImage(
        destination, result, NSDictionary(dictionary: kept) as CFDictionary)
      for map in maps {
        CGImageDestinationAddAuxiliaryDataInfo(destination, map.type, map.info)
      }
      guard CGImageDestinationFinalize(destination) else { throw .unwritable }
      let encoded = Data(referencing: written)
      guard isJPEG else { return encoded }
      let isSRGB =
        result.colorSpace?.name.map { $0 as String == CGColorSpace.sRGB as String } ?? true
      return withMetadata(encoded, isSRGB: isSRGB, metadata, stated) ?? encoded
    }

    /// What a result states about its density.
    struct StatedDensity {
      var density: PixelDensity?
      /// Whether the density of the file is not valid, because pixels were resized.
      var isScaled = false

      /// Changes the properties of a result.
      func write(to properties: inout [String: Any]) {
        guard density != nil || isScaled else { return }
        properties[kCGImagePropertyDPIWidth as String] = density?.across
        properties[kCGImagePropertyDPIHeight as String] = density?.down
        for dictionary in [
          kCGImagePropertyTIFFDictionary, kCGImagePropertyJFIFDictionary,
          kCGImagePropertyPNGDictionary,
        ] {
          guard var inner = properties[dictionary as String] as? [String: Any] else { continue }
          // ImageIO writes them from the two numbers above.
          for key in [
            kCGImagePropertyTIFFXResolution, kCGImagePropertyTIFFYResolution,
            kCGImagePropertyTIFFResolutionUnit, kCGImagePropertyJFIFXDensity,
            kCGImagePropertyJFIFYDensity, kCGImagePropertyJFIFDensityUnit,
            kCGImagePropertyPNGXPixelsPerMeter, kCGImagePropertyPNGYPixelsPerMeter,
          ] {
            inner[key as String] = nil
          }
          properties[dictionary as String] = inner
        }
      }
    }

    /// The type to write: that of the file if the system can write it and it supports the result.
    private static func type(of source: CGImageSource, isTranslucent: Bool) -> String {
      let known = CGImageDestinationCopyTypeIdentifiers() as? [String] ?? []
      let own = CGImageSourceGetType(source).map { $0 as String }
      let type = own.flatMap { known.contains($0) ? $0 : nil } ?? UTType.jpeg.identifier
      return isTranslucent && type == UTType.jpeg.identifier ? UTType.png.identifier : type
    }

    /// The metadata that is still valid for the result: without thumbnail, size and orientation of
    /// the source.
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
        // The position of the subject in the complete image.
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
