import CropCore
import CropKernels

// Four corners of raw pixels, which have no file.
extension Bridge {
  mutating func planCorners(width: Int, height: Int, found: Quad?) -> CornersPlan? {
    problem = []
    if let conflict = options.conflict {
      note(conflict)
      return nil
    }
    let image = ImageSize(width: width, height: height)
    guard let recipe = straightening(image, found), let crop = resolved(recipe, image) else {
      return nil
    }
    guard recipe.quad != nil else {
      refuse(.noCorners)
      return nil
    }
    guard crop.shape == .rectangle else {
      refuse(.cornersShape)
      return nil
    }
    // Corners that are those of whole pixels are resolved to a rectangle.
    let (quad, part) = (crop.quad ?? Quad(crop.rect), crop.neededPart)
    return CornersPlan(
      orientation: recipe.orientation.rawValue, part: part,
      corners: quad.map { FramePoint(x: $0.x - Double(part.x), y: $0.y - Double(part.y)) },
      outputWidth: crop.output.width, outputHeight: crop.output.height)
  }

  private mutating func straightening(_ image: ImageSize, _ found: Quad?) -> CropRecipe? {
    do throws(CropDescription.NotSquare) {
      guard findsCorners else { return try described.recipe(for: image, jpeg: nil).recipe }
      guard let found else {
        refuse(.noSheet)
        return nil
      }
      let wanted = described
      var recipe = try wanted.withoutArea.recipe(for: image, jpeg: nil).recipe
      let shown = FrameSize(width: image.width, height: image.height)
      let map = OrientationMap<FrameSpace, FrameSpace>(recipe.orientation, of: shown)
      let whole = found.map {
        FramePoint(x: $0.x.rounded(.toNearestOrEven), y: $0.y.rounded(.toNearestOrEven))
      }
      wanted.straighten(whole.map { map($0) }.clockwise, &recipe, in: map.target)
      return try wanted.finished(recipe, on: image)
    } catch {
      refuse(.notSquare, Double(error.rect.width), Double(error.rect.height))
      return nil
    }
  }
}
