#if canImport(UIKit)
  import Foundation
  import ImageIO

  extension PictureFile {
    /// A part of a file in addition to its image and metadata.
    public enum Part: Sendable, CaseIterable {
      /// The gain map, which makes parts of the image brighter on an HDR screen.
      case gainMap
      /// The depth map.
      case depth
      /// The portrait matte: the outline of people in portrait mode.
      case portraitMatte

      fileprivate var types: [CFString] {
        switch self {
        case .gainMap: GainMapData.types
        case .depth: [kCGImageAuxiliaryDataTypeDepth, kCGImageAuxiliaryDataTypeDisparity]
        case .portraitMatte: [kCGImageAuxiliaryDataTypePortraitEffectsMatte]
        }
      }
    }

    /// The parts of this file that a cropped file does not have, because they show the complete
    /// image and can't be cropped. A gain map is one of them only if its samples can't be read.
    ///
    /// Decodes these parts, so read it outside the main thread.
    public var partsLost: [Part] {
      source.map { Part.lost(from: $0, GainMapData.all(in: $0), hidesPixels: false) } ?? []
    }
  }

  extension PictureFile.Part {
    /// The parts of a file with these gain maps that a result does not have. One that
    /// `hidesPixels`, by a canvas or a shape, also has no gain map.
    static func lost(
      from source: CGImageSource, _ maps: [GainMapData], hidesPixels: Bool
    ) -> [Self] {
      allCases.filter { part in
        if part == .gainMap, !maps.isEmpty { return hidesPixels }
        return part.isPresent(in: source)
      }
    }

    /// Whether a file has this part.
    func isPresent(in source: CGImageSource) -> Bool {
      types.contains { CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, $0) != nil }
    }
  }
#endif
