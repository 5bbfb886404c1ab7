#if canImport(UIKit)
  import CropCore
  import CropKernels
  import Foundation
  import ImageIO
  import UniformTypeIdentifiers

  /// The samples and metadata of a gain map, which makes parts of the image brighter on an HDR
  /// screen, as ImageIO returns them.
  struct GainMapData {
    /// The type: Apple's or that of ISO 21496-1.
    let type: CFString
    /// All information of ImageIO about the map. Metadata and color space are copied unchanged.
    private let info: [String: Any]
    private let samples: Data
    private let size: BitmapSize
    private let channels: Int
    private let bytesPerRow: Int

    static var types: [CFString] {
      guard #available(iOS 18, visionOS 2, *) else { return [kCGImageAuxiliaryDataTypeHDRGainMap] }
      return [kCGImageAuxiliaryDataTypeHDRGainMap, kCGImageAuxiliaryDataTypeISOGainMap]
    }

    /// The gain maps of a file whose samples are one plane of bytes.
    static func all(in source: CGImageSource) -> [Self] {
      types.compactMap { type in
        let info = CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, type) as? [String: Any]
        return info.flatMap { Self(type, $0) }
      }
    }

    /// Core Video pixel formats, with the number of bytes per sample.
    private static let formats: [UInt32: Int] = [0x4C30_3038: 1, 0x4247_5241: 4]  // L008, BGRA

    private init?(_ type: CFString, _ info: [String: Any]) {
      guard let samples = info[kCGImageAuxiliaryDataInfoData as String] as? Data,
        let description = info[kCGImageAuxiliaryDataInfoDataDescription as String]
          as? [String: Any]
      else { return nil }
      func number(_ key: CFString) -> Int? {
        (description[key as String] as? NSNumber).map { $0.intValue }
      }
      guard let format = number(kCGImagePropertyPixelFormat),
        let channels = Self.formats[UInt32(truncatingIfNeeded: format)],
        let width = number(kCGImagePropertyWidth), let height = number(kCGImagePropertyHeight),
        let bytesPerRow = number(kCGImagePropertyBytesPerRow), width > 0, height > 0,
        width <= bytesPerRow / channels, bytesPerRow <= samples.count / height
      else { return nil }
      self.type = type
      self.info = info
      self.samples = samples
      self.channels = channels
      self.bytesPerRow = bytesPerRow
      size = BitmapSize(width: width, height: height)
    }

    /// The data of the map of an upright crop; nil if the crop has none.
    ///
    /// - Parameters:
    ///   - crop: the crop of the upright image.
    ///   - base: the size of the stored pixels, which are oriented by `orientation`.
    func cut(
      by crop: ResolvedCrop, of base: BitmapSize, _ orientation: CropCore.Orientation
    ) -> CFDictionary? {
      guard let cut = GainMapCut(crop, map: size, base: base, orientation: orientation) else {
        return nil
      }
      var plane = [UInt8](repeating: 0, count: size.width * channels * size.height)
      for row in 0..<size.height {
        let start = samples.startIndex + row * bytesPerRow
        let width = size.width * channels
        plane.replaceSubrange(row * width..<(row + 1) * width, with: samples[start..<start + width])
      }
      let stride = cut.size.width * channels
      var made = Data(count: stride * cut.size.height)
      let whole = BitmapRect(x: 0, y: 0, width: size.width, height: size.height)
      plane.withUnsafeBufferPointer { plane in
        made.withUnsafeMutableBytes { (all: UnsafeMutableRawBufferPointer) in
          guard let from = plane.baseAddress,
            let to = all.baseAddress?.assumingMemoryBound(to: UInt8.self)
          else { return }
          let rows = GainMapRows(from, of: whole, channels: channels, cut: cut)
          for row in 0..<cut.size.height { rows.write(row: row, to: to + row * stride) }
        }
      }
      var description =
        info[kCGImageAuxiliaryDataInfoDataDescription as String] as? [String: Any] ?? [:]
      description[kCGImagePropertyWidth as String] = cut.size.width
      description[kCGImagePropertyHeight as String] = cut.size.height
      description[kCGImagePropertyBytesPerRow as String] = stride
      if description[kCGImagePropertyOrientation as String] != nil {
        description[kCGImagePropertyOrientation as String] = 1
      }
      var result = info
      result[kCGImageAuxiliaryDataInfoData as String] = made
      result[kCGImageAuxiliaryDataInfoDataDescription as String] = description
      return NSDictionary(dictionary: result) as CFDictionary
    }
  }

  extension CropPicture {
    /// The gain maps of a crop for ImageIO; empty if the file type can't store them, or if they would
    /// show what a shape hides.
    func gainMaps(
      _ maps: [GainMapData], as type: String, by recipe: CropRecipe
    ) -> [(type: CFString, info: CFDictionary)] {
      guard [UTType.jpeg.identifier, UTType.heic.identifier].contains(type),
        let crop = try? recipe.resolved(for: size), crop.shape == .rectangle
      else { return [] }
      let base = BitmapSize(width: bitmap.width, height: bitmap.height)
      return maps.compactMap { map in
        map.cut(by: crop, of: base, orientation).map { (map.type, $0) }
      }
    }
  }

  extension PictureFile {
    /// Whether the file has a gain map that can be cropped.
    var holdsGainMap: Bool {
      source.map { !GainMapData.all(in: $0).isEmpty } ?? false
    }

    /// The fields 33 and 48 of Apple's maker note, which its gain map requires.
    static func appleLight(in properties: [String: Any]) -> [String: Any]? {
      let note = properties[kCGImagePropertyMakerAppleDictionary as String] as? [String: Any]
      let light = note?.filter { ["33", "48"].contains($0.key) }
      return light.flatMap { $0.isEmpty ? nil : $0 }
    }
  }
#endif
