import CropCore
import FoundationEssentials

/// The edits that Immich stores for a photo, as `GET /api/assets/{id}/edits` returns them; ids are
/// ignored.
public struct ImmichEdits: Codable, Sendable, Equatable {
  /// The edits, in the order in which they are applied.
  public let edits: [Edit]

  /// An edit: a crop, a rotation or a mirror.
  public struct Edit: Codable, Sendable, Equatable {
    let action: String
    let parameters: Parameters
  }

  struct Parameters: Codable, Sendable, Equatable {
    let x: Double?
    let y: Double?
    let width: Double?
    let height: Double?
    let axis: String?
    let angle: Double?
  }
}

/// The crop that the edits amount to: a part in pixels of the upright original, then mirrors and
/// turns by multiples of 90°.
struct ImmichCrop {
  /// The part to keep, in pixels of the upright image; nil for the complete image.
  private var area: ImageRect?
  /// The orientation that is applied after the crop.
  private var orientation = Orientation.up

  /// Reads the edits; nil if there are none.
  ///
  /// - Throws: `CropError.corrupt`, or `.invalidRecipe` for edits that can't be reproduced.
  init?(json: [UInt8], name: String) throws(CropError) {
    let edits: [ImmichEdits.Edit]
    do {
      edits = try StrictJSON.decode(ImmichEdits.self, from: Data(json)).edits
    } catch {
      throw .corrupt(file: name, detail: "the edits of Immich are not understood")
    }
    guard !edits.isEmpty else { return nil }
    for (index, edit) in edits.enumerated() {
      switch edit.action {
      case "crop":
        guard index == 0 else {
          throw .invalidRecipe(
            file: name, detail: "Immich's crop follows another edit, which can't be reproduced")
        }
        area = try edit.parameters.area(name)
      case "mirror": orientation = orientation.followed(by: try edit.parameters.mirror(name))
      case "rotate": orientation = orientation.followed(by: try edit.parameters.turn(name))
      default:
        let action = String(edit.action.unicodeScalars.prefix(40))
        throw .invalidRecipe(file: name, detail: "Immich's edit \"\(action)\" is not supported")
      }
    }
  }

  /// The recipe that gives the same image.
  ///
  /// - Throws: `CropError.invalidRecipe` if the crop is outside the image.
  func recipe(for image: ImageSize, name: String) throws(CropError) -> CropRecipe {
    let whole = ImageRect(x: 0, y: 0, width: image.width, height: image.height)
    let area = area ?? whole
    guard whole.rect.contains(area.rect) else {
      throw .invalidRecipe(
        file: name,
        detail: "its crop is partly outside the photo, which is \(image.width) × "
          + "\(image.height) pixels")
    }
    let toFrame = OrientationMap<ImageSpace, FrameSpace>(orientation, of: image)
    var recipe = CropRecipe(rect: toFrame(area).rect)
    recipe.orientation = orientation
    return recipe
  }
}

extension ImmichEdits.Parameters {
  fileprivate func area(_ name: String) throws(CropError) -> ImageRect {
    let sides = [x, y, width, height].compactMap { $0.flatMap { Int(exactly: $0) } }
    guard sides.count == 4, sides[0] >= 0, sides[1] >= 0, sides[2] > 0, sides[3] > 0,
      // No image is that large, and sums of smaller numbers don't overflow.
      sides.allSatisfy({ $0 < 1 << 30 })
    else { throw .corrupt(file: name, detail: "Immich's crop has no position or size") }
    return ImageRect(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
  }

  fileprivate func mirror(_ name: String) throws(CropError) -> Orientation {
    switch axis {
    case "horizontal": return .upMirrored
    case "vertical": return .downMirrored
    default: throw .corrupt(file: name, detail: "Immich's flip has no known axis")
    }
  }

  fileprivate func turn(_ name: String) throws(CropError) -> Orientation {
    guard let angle, let turns = Int(exactly: angle / 90), abs(turns) < 1 << 20 else {
      throw .invalidRecipe(file: name, detail: "Immich's rotation is not a multiple of 90 degrees")
    }
    return Orientation(isMirrored: false, quarterTurns: turns)
  }
}
