#if canImport(UIKit)
  import Foundation
  import ImageIO

  extension PictureFile {
    /// What a file holds besides its picture and metadata.
    public enum Part: Sendable, CaseIterable {
      /// What makes a picture brighter on an HDR screen.
      case gainMap
      /// How far things are.
      case depth
      /// The outline of people in portrait mode.
      case portraitMatte

      fileprivate var types: [CFString] {
        switch self {
        case .gainMap: [kCGImageAuxiliaryDataTypeHDRGainMap]
        case .depth: [kCGImageAuxiliaryDataTypeDepth, kCGImageAuxiliaryDataTypeDisparity]
        case .portraitMatte: [kCGImageAuxiliaryDataTypePortraitEffectsMatte]
        }
      }
    }

    /// The parts of this file that a cropped one does not have: they are of the whole picture, and
    /// nothing here cuts them.
    public var partsLost: [Part] {
      guard let source = CGImageSourceCreateWithData(NSData(data: data) as CFData, nil) else {
        return []
      }
      return Part.allCases.filter { part in
        part.types.contains { CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, $0) != nil }
      }
    }
  }
#endif
