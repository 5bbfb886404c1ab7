#if canImport(UIKit)
  import CropCore
  import UIKit

  /// What comes out of a crop screen.
  public struct CropResult: Sendable {
    /// The result at full resolution; the scale is 1.
    public let image: UIImage
    /// The result as a file, with metadata and colour profile; nil where the picture came as an image.
    public let data: Data?
    /// What was done, to be stored, shown again or applied to the original.
    public let recipe: CropRecipe
    /// What the source file holds besides its picture that is not in ``data``.
    public let lost: [PictureFile.Part]

    /// The part that was kept, in pixels of the picture after its quarter turns and mirror, from its top
    /// left, as other croppers tell it.
    public var rect: CGRect {
      guard let rect = recipe.rect else { return CGRect(origin: .zero, size: image.size) }
      return CGRect(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    }

    /// The quarter turns clockwise, in degrees: 0, 90, 180 or 270.
    public var angle: Int { recipe.quarterTurns * 90 }

    /// The tilt that straightens, in degrees clockwise, from -45 to 45.
    public var tilt: Double { recipe.tilt.degrees }

    /// Whether left and right are swapped, after the turns.
    public var isMirrored: Bool { recipe.isMirrored }
  }
#endif
