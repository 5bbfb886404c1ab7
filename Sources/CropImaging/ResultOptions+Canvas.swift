import CropCore
import CropFormats

extension ResultOptions {
  /// The canvas around the crop; nil if none is requested.
  public var surroundings: CropCanvas? {
    guard canvas != nil || margin != nil else { return nil }
    return CropCanvas(extent: canvas ?? .crop, margin: margin ?? .pixels(0), gravity: place)
  }

  /// What fills the canvas.
  package var canvasFill: CanvasFill { fill ?? .color(background) }

  /// The canvas around the crop and its fill; nil if there is none.
  public var filledCanvas: FilledCanvas? {
    surroundings.map { FilledCanvas($0, fill: canvasFill) }
  }

  /// Why the options for the canvas contradict each other; nil if they do not.
  public var canvasProblem: String? {
    guard surroundings == nil else { return nil }
    if fill != nil { return "a fill needs a canvas or a margin" }
    return place == .center ? nil : "a place needs a canvas or a margin"
  }

  /// Why the options for a canvas or a print have no effect on any of these targets; nil if they do
  /// not exist or have one.
  public func canvasProblem(of targets: [PhotoTarget]) -> String? {
    if bleed != nil || sheet != nil, !targets.contains(where: { $0.print != nil }) {
      return "a bleed or a print sheet needs a target with a size in mm, cm or in"
    }
    guard surroundsTargets, !targets.contains(where: { $0.fit == .contain }) else { return nil }
    return "a margin, place or fill needs a target with \"fit\": \"contain\""
  }

  /// Whether there are options for the canvas of a target.
  public var surroundsTargets: Bool { margin != nil || fill != nil || place != .center }

  /// The same options without a canvas.
  public var withoutCanvas: Self {
    var options = self
    (options.canvas, options.margin, options.place, options.fill) = (nil, nil, .center, nil)
    return options
  }

  /// The options for a recipe whose shape or canvas needs transparency: the format becomes PNG, if
  /// none is chosen and the source's format does not support transparency.
  ///
  /// Code that writes to a given file name (`CropEngine.crop`) does not use this: it keeps the
  /// source's format and fills the area around the shape with ``background``.
  public func keepingShape(of recipe: CropRecipe, from source: ImageFormat) -> ResultOptions {
    let isClear =
      surroundings == nil ? recipe.normalized().shape != .rectangle : canvasFill == .transparent
    guard format == nil, isClear, !source.holdsAlpha else { return self }
    var options = self
    options.format = .png
    return options
  }

  /// The position and size of `crop` on the canvas; nil without a canvas.
  ///
  /// - Throws: `CropError.usage` for options that contradict each other, or an invalid canvas.
  public func layout(
    of crop: ResolvedCrop, file: String
  ) throws(CropError) -> CanvasLayout? {
    if let problem = canvasProblem { throw .usage(detail: problem) }
    guard let around = surroundings else { return nil }
    if let layout = around.layout(of: crop.output) { return layout }
    let bare = CropCanvas(extent: around.extent).layout(of: crop.output)
    throw .usage(
      detail: bare == nil
        ? "\(file): the canvas would be larger than \(CropCanvas.largestSide) pixels per side; choose "
          + "a smaller one"
        : "\(file): this margin is not allowed; use 0 pixels or more, or less than 50%, and "
          + "leave room for the crop")
  }
}

extension ResultOptions {
  /// The options for the crop of a target, with the canvas that it needs. Margin, gravity and fill
  /// of these options apply to targets with `contain` that do not set them, and are ignored for
  /// others.
  ///
  /// - Throws: `CropError.usage` if these options also request a canvas or a size.
  public func fitted(to crop: TargetCrop) throws(CropError) -> Self {
    guard canvas == nil else {
      throw .usage(
        detail: "targets have separate canvases; use \"fit\": \"contain\" instead of a canvas")
    }
    guard maxSide == nil, size == nil else {
      throw .usage(detail: "targets have separate sizes; use \"size\" of a target instead")
    }
    var options = self
    if let print = crop.print {
      (options.bleed, options.dpi) = (print.bleed, print.dpi ?? CropPrint.usualDPI)
      options.enlarges = crop.isEnlarged
    }
    guard let extent = crop.canvas else {
      options.size = crop.print.map { .print($0.size) }
      if crop.print == nil { options.bleed = nil }
      return options.withoutCanvas
    }
    options.bleed = nil
    options.canvas = extent
    options.margin = crop.margin ?? margin
    options.place = crop.place ?? place
    options.fill = crop.fill ?? fill
    return options
  }
}

extension CanvasLayout {
  /// Whether any of the fill is visible, beside the crop or through it.
  func shows(_ fill: CanvasFill, beside crop: ResolvedCrop, of info: ImageInfo) -> Bool {
    guard self.crop.size == size else { return true }
    return fill != .transparent && (info.hasAlpha || crop.shape != .rectangle)
  }
}
