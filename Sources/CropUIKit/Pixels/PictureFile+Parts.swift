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
    public var partsLost: [Part] { partsLost(hidesPixels: false) }

    /// The parts of this file that a result does not have. One that `hidesPixels`, by a canvas or a
    /// shape, also has no gain map.
    func partsLost(hidesPixels: Bool) -> [Part] {
      guard let source = CGImageSourceCreateWithData(NSData(data: data) as CFData, nil) else {
        return []
      }
      return Part.allCases.filter { part in
        if part == .gainMap, !hidesPixels, !GainMapData.all(in: source).isEmpty { return false }
        return part.types.contains {
          CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, $0) != nil
        }
      }
    }
  }
#endif
