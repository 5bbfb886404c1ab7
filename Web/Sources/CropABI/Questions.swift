import CropCore
import CropKernels
import CropWire

// Questions that do not involve the session, except for its JPEG.

extension Bridge {
  /// For the session's image, the crop is aligned to the grid of its JPEG.
  func target(
    image: ImageSize, transform: PictureTransform, focus: FocusBox?, ratio: AspectRatio,
    size: FrameSize?, minimum: FrameSize?, made: FrameRect?, isContained: Bool
  ) -> PlacedTarget? {
    let fit = isContained ? PhotoTarget.Fit.contain : .cover
    var made = made
    if isContained, made == nil {
      let frame = OrientationMap<ImageSpace, FrameSpace>(transform.orientation, of: image).target
      made = TiltedPicture(frame: frame, tilt: transform.tilt).largestCentered
    }
    guard
      let crop = DerivedCrop(
        ratio, of: image, transform, focus: focus,
        jpeg: session.image == image ? session.jpeg : nil, made: made),
      let resolved = try? CropRecipe(
        rect: crop.rect, quarterTurns: transform.orientation.quarterTurns,
        isMirrored: transform.orientation.isMirrored, tilt: transform.tilt
      ).resolved(for: image)
    else { return nil }
    return PlacedTarget(
      rect: crop.rect, cutsFocus: crop.cutsFocus,
      isTooSmall: (minimum ?? size).map { !fit.isEnough(crop.rect, for: $0) } ?? false,
      isScaled: fit == .cover && size.map { crop.rect.holds($0) } ?? false,
      map: resolved.drawing.map)
  }

  func focusFrame(image: ImageSize, transform: PictureTransform, focus: FocusBox?) -> FocusFrame? {
    let orientation = transform.orientation
    let recipe = CropRecipe(
      quarterTurns: orientation.quarterTurns, isMirrored: orientation.isMirrored)
    guard let whole = try? recipe.resolved(for: image) else { return nil }
    return FocusFrame(
      rect: whole.rect, map: whole.drawing.map,
      focus: focus?.rect(of: image, orientation) ?? whole.rect,
      visible: focus?.visibleRect(of: image, orientation) ?? whole.rect)
  }

  func canvasLayout(canvas: FilledCanvas, crop: FrameSize) -> FilledLayout? {
    canvas.canvas.layout(of: crop).map {
      FilledLayout(
        width: $0.size.width, height: $0.size.height, crop: $0.crop,
        backdrop: CanvasBackdrop(of: $0.crop.size, on: $0.size))
    }
  }

  func printedCrop(
    width: Double, height: Double, unit: PrintUnit, bleed: Double, dpi: Int, part: FrameSize
  ) -> PrintedCrop? {
    guard let width = PrintLength(width, unit), let height = PrintLength(height, unit),
      CropPrint.densities.contains(dpi)
    else { return nil }
    let print = CropPrint(
      PrintSize(width: width, height: height), bleed: PrintLength(bleed, .millimeter), dpi: dpi)
    let fit = print.fit(part)
    return PrintedCrop(
      ratio: print.whole.ratio, needed: print.pixels, size: fit.size,
      dpi: min(fit.density.across, fit.density.down), isShort: fit.isShort)
  }

  func quality(best: Int, hasQuality: Bool, areSmallEnough: [UInt8]) -> Int? {
    var search = QualitySearch(from: best)
    for isSmallEnough in areSmallEnough {
      search.note(isSmallEnough: isSmallEnough != 0, hasQuality: hasQuality)
    }
    return search.next
  }

  mutating func recipeError(image: ImageSize, recipe: CropRecipe) {
    do throws(RecipeError) {
      _ = try recipe.resolved(for: image)
    } catch {
      output.append(error.tell(of: image) { _ in }.rawValue)
      _ = error.tell(of: image) { output.append($0) }
    }
  }

  mutating func exported(image: ImageSize, orientation: Int, recipe: CropRecipe) {
    guard let stored = Orientation(rawValue: orientation),
      let crop = try? recipe.resolved(for: image)
    else { return }
    let exported = ExportedCrop(crop, stored: stored)
    output.append(exported.conditions)
    exported.tell { output.append($0) }
  }
}
