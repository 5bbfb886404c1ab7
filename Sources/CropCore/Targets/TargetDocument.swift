/// One photo for several targets: its transform, the focus, and the targets.
///
/// The crop of each target is computed from the focus until the user makes one; that crop stays
/// when the focus changes. How files are written and named is not part of the document.
public struct TargetDocument: Hashable, Sendable {
  /// The mirror, turns and tilt, the same for every crop.
  public var picture: PictureTransform
  /// The part that every crop should keep; nil for the center.
  public var focus: FocusBox?
  /// The targets, in list order. Their names are unique.
  public var targets: [PhotoTarget]

  /// A document; by default without targets.
  public init(
    picture: PictureTransform = PictureTransform(), focus: FocusBox? = nil,
    targets: [PhotoTarget] = []
  ) {
    self.picture = picture
    self.focus = focus
    self.targets = targets
  }
}

/// A mirror, quarter turns and a tilt, applied to an image in this order, as in a recipe.
public struct PictureTransform: Hashable, Sendable {
  /// The mirror and the quarter turns.
  public var orientation: Orientation
  /// The clockwise tilt, −45° to 45°.
  public var tilt: CropAngle

  /// A transform; by default the identity.
  public init(
    orientation: Orientation = Orientation(isMirrored: false, quarterTurns: 0),
    tilt: CropAngle = .zero
  ) {
    self.orientation = orientation
    self.tilt = tilt
  }
}

/// A place where the photo is shown, with its ratio or size.
public struct PhotoTarget: Hashable, Sendable {
  /// The name, such as `square`.
  public var name: String
  /// The required ratio or size.
  public var requirement: Requirement
  /// The smallest size of the crop, in pixels. If nil, a target with a required size needs that
  /// size; any other has no minimum.
  public var minimum: FrameSize?
  /// The crop that the user made; nil if it is computed from the focus, or if the complete photo is
  /// used.
  public var recipe: CropRecipe?
  /// How the photo is fitted to the ratio.
  public var fit: Fit
  /// The margin on every side of a contained crop; nil for the margin of the result options.
  public var margin: CropLength?
  /// The position of a contained crop on its canvas; nil for the position of the result options.
  public var place: Gravity?
  /// The fill of the canvas of a contained crop; nil for the fill of the result options.
  public var fill: CanvasFill?

  /// The ratio or size that a target requires.
  public enum Requirement: Hashable, Sendable {
    /// A ratio of width to height.
    case ratio(AspectRatio)
    /// A size in pixels; larger crops are scaled down to it.
    case size(FrameSize)
    /// A size on paper; larger crops are scaled down to its pixels.
    case print(CropPrint)
  }

  /// How a photo is fitted to the ratio of a target, in CSS terms.
  public enum Fit: String, Hashable, Sendable, CaseIterable {
    /// A part of the photo fills the target.
    case cover
    /// The complete photo, or the complete crop that the user made, is placed on a canvas that
    /// fills the target.
    case contain
  }

  /// A target. Its crop is computed from the focus unless a recipe is given.
  public init(
    name: String, requirement: Requirement, minimum: FrameSize? = nil,
    recipe: CropRecipe? = nil, fit: Fit = .cover, margin: CropLength? = nil, place: Gravity? = nil,
    fill: CanvasFill? = nil
  ) {
    self.name = name
    self.requirement = requirement
    self.minimum = minimum
    self.recipe = recipe
    self.fit = fit
    (self.margin, self.place, self.fill) = (margin, place, fill)
  }

  /// The required ratio; nil if the required size has no pixels.
  public var ratio: AspectRatio? {
    switch requirement {
    case .ratio(let ratio): ratio
    case .size(let size): AspectRatio(size.width, size.height)
    case .print(let print): print.whole.ratio
    }
  }

  /// The size on paper; nil if none is required.
  public var print: CropPrint? {
    if case .print(let print) = requirement { print } else { nil }
  }
}

/// The crop of one target.
public struct TargetCrop: Hashable, Sendable {
  /// The recipe of the crop.
  public let recipe: CropRecipe
  /// Whether the user made the crop.
  public let isByHand: Bool
  /// Whether part of the focus is cut off.
  public let cutsFocus: Bool
  /// Whether the crop has fewer pixels than the target requires.
  public let isTooSmall: Bool
  /// The size of the canvas that the crop is placed on; nil if it has no canvas.
  public let canvas: CropCanvas.Extent?
  /// The target's margin around the crop on its canvas, the position of the crop, and the fill; nil
  /// for those that the target does not set.
  public let margin: CropLength?, place: Gravity?, fill: CanvasFill?
  /// The print that the crop becomes; nil if the target has no size on paper.
  public let print: CropPrint?
  /// Whether a crop with too few pixels is enlarged.
  public let isEnlarged: Bool
}

extension TargetDocument {
  /// The crop of a target on an image of the given upright size, which may be stored in a `jpeg`.
  /// If `enlarges` is true, a crop that is smaller than the target's size is scaled up to it.
  ///
  /// - Throws: `RecipeError` for an invalid tilt or recipe, and for a recipe with another
  ///   orientation or tilt than the document.
  public func crop(
    of target: PhotoTarget, on image: ImageSize, jpeg: StoredJPEG? = nil, enlarges: Bool = false
  ) throws(RecipeError) -> TargetCrop {
    guard !image.isEmpty else { throw .emptyPicture }
    var recipe =
      target.recipe
      ?? CropRecipe(
        quarterTurns: picture.orientation.quarterTurns, isMirrored: picture.orientation.isMirrored,
        tilt: picture.tilt)
    try recipe.checkNumbers()
    // A target is a part of the image under the document's transform; other targets would not be
    // straightened.
    if recipe.normalized().quad != nil { throw .quadInTarget }
    guard recipe.orientation == picture.orientation, recipe.tilt == picture.tilt else {
      throw .otherTransform
    }
    let frame = OrientationMap<ImageSpace, FrameSpace>(picture.orientation, of: image).target
    let tilted = TiltedPicture(frame: frame, tilt: picture.tilt)
    let kept = focus?.bounds(in: tilted, of: image, picture.orientation)
    if target.recipe == nil {
      guard let ratio = target.ratio else { throw .outputSize(width: 0, height: 0) }
      let grid = jpeg.map { FrameGrid($0, orientation: picture.orientation) }
      recipe.rect =
        target.fit == .cover
        ? DerivedCrop(ratio, of: tilted, focus: kept, on: grid).rect : tilted.largestCentered
      recipe.output = output(of: target, from: recipe.rect, enlarges)
    }
    if let print = target.print, target.fit == .cover {
      recipe = print.sized(recipe, on: image, enlarges: enlarges).recipe
    }
    let crop = try recipe.resolved(for: image)
    let isTooSmall = target.leastSize.map { !target.fit.isEnough(crop.rect, for: $0) }
    return TargetCrop(
      recipe: recipe, isByHand: target.recipe != nil,
      cutsFocus: DerivedCrop.cuts(kept, crop.rect),
      isTooSmall: isTooSmall ?? false, canvas: target.canvas, margin: target.margin,
      place: target.place, fill: target.fill, print: target.print,
      isEnlarged: enlarges)
  }

  private func output(of target: PhotoTarget, from rect: FrameRect?, _ enlarges: Bool)
    -> OutputSize?
  {
    guard let rect else { return nil }
    let size: FrameSize
    switch target.requirement {
    case .ratio: return nil
    case .size(let asked): size = asked
    case .print(let print):
      // Filled, it gets its size with any recipe.
      guard target.fit == .contain else { return nil }
      size = print.pixels
    }
    if target.fit == .contain {
      // The canvas scales down to its size.
      return enlarges && !target.fit.isEnough(rect, for: size) ? rect.enlarged(into: size) : nil
    }
    return rect.holds(size) || enlarges ? .exact(width: size.width, height: size.height) : nil
  }
}

extension PhotoTarget {
  /// The size of the canvas that the crop is placed on; nil if the crop fills the target.
  public var canvas: CropCanvas.Extent? {
    guard fit == .contain else { return nil }
    switch requirement {
    case .ratio(let ratio): return .ratio(ratio)
    case .size(let size): return .size(size)
    case .print(let print): return .size(print.pixels)
    }
  }
}

extension PhotoTarget.Fit {
  /// Whether a crop has enough pixels for `size`: in both directions or, on a canvas, in at least
  /// one.
  public func isEnough(_ rect: FrameRect, for size: FrameSize) -> Bool {
    self == .cover
      ? rect.holds(size)
      : rect.width >= Double(size.width) || rect.height >= Double(size.height)
  }
}

extension FrameRect {
  /// The size of this ratio, to the nearest pixel, that just fits into `size`.
  fileprivate func enlarged(into size: FrameSize) -> OutputSize {
    let scale = min(Double(size.width) / width, Double(size.height) / height)
    return .exact(
      width: min(size.width, max(1, Int((width * scale).rounded()))),
      height: min(size.height, max(1, Int((height * scale).rounded()))))
  }

  /// Whether the size is at least `size` in both directions, so that a crop of that size is not too
  /// small for the target and is only ever scaled down.
  public func holds(_ size: FrameSize) -> Bool {
    width >= Double(size.width) && height >= Double(size.height)
  }
}

extension PhotoTarget {
  /// The smallest size that is enough; nil if any size is.
  public var leastSize: FrameSize? {
    switch requirement {
    case .size(let size): minimum ?? size
    // One that fills its print has another warning.
    case .print(let print): minimum ?? (fit == .contain ? print.pixels : nil)
    case .ratio: minimum
    }
  }
}

extension TargetDocument {
  /// The document with these values for prints that don't set them.
  public func printing(dpi: Int?, bleed: PrintLength?) -> Self {
    var document = self
    for index in targets.indices {
      guard var print = targets[index].print else { continue }
      print.dpi = print.dpi ?? dpi
      print.bleed = print.bleed ?? bleed
      document.targets[index].requirement = .print(print)
    }
    return document
  }
}

#if !hasFeature(Embedded)
  /// A built-in list of targets, chosen by name.
  public struct TargetSet: Hashable, Sendable {
    /// The identifier, such as `social`.
    public let name: String
    /// Where the ratios and sizes come from, in words.
    public let source: String
    /// The day on which the source was read, such as `2026-11-30`.
    public let date: String
    /// The targets, in list order.
    public let targets: [PhotoTarget]

    /// The built-in set with the given name; nil if there is none.
    public init?(name: String) {
      guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
      self = found
    }

    init(_ name: String, source: String, date: String, _ targets: [PhotoTarget?]) {
      self.name = name
      self.source = source
      self.date = date
      self.targets = targets.compactMap(\.self)
    }
  }
#endif
