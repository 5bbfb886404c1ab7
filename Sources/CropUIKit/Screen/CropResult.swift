#if canImport(UIKit)
  import CropCore
  import UIKit

  /// The result of a crop screen.
  public struct CropResult: Sendable {
    /// The result at full resolution, at scale 1.
    public let image: UIImage
    /// The result as a file, with metadata and color profile; nil if the source was an image and
    /// not a file.
    public let data: Data?
    /// The recipe, which can be stored, shown again or applied to the original.
    public let recipe: CropRecipe
    /// The parts of the source file, in addition to its image, that ``data`` does not have.
    public let lost: [PictureFile.Part]

    /// The crop rectangle, in pixels of the image after its quarter turns and mirror, from its top
    /// left, as other croppers report it. For four corners, it is the rectangle around them.
    public var rect: CGRect {
      guard let rect = recipe.quad?.bounds ?? recipe.rect else {
        return CGRect(origin: .zero, size: image.size)
      }
      return CGRect(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    }

    /// The four corners that were straightened, in the same pixels, clockwise from the one that is
    /// at the top left of the result; nil if a rectangle was cut.
    public var corners: [CGPoint]? {
      recipe.quad.map { quad in (0..<4).map { CGPoint(x: quad[$0].x, y: quad[$0].y) } }
    }

    /// The clockwise quarter turns, in degrees: 0, 90, 180 or 270.
    public var angle: Int { recipe.quarterTurns * 90 }

    /// The clockwise tilt, in degrees, from −45 to 45.
    public var tilt: Double { recipe.tilt.degrees }

    /// Whether the image is mirrored left–right before its quarter turns.
    public var isMirrored: Bool { recipe.isMirrored }
  }
#endif
