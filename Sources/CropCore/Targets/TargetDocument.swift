/// One photo for several places: how it is laid down, what every crop should keep, and the places.
///
/// A crop of each place follows from the focus until a person makes one by hand; that one survives every
/// change of the focus. How files are written and named is no part of it.
public struct TargetDocument: Hashable, Sendable {
  /// How the picture is laid down, the same for every crop.
  public var picture: Laying
  /// What every crop should keep; nil is the middle.
  public var focus: FocusBox?
  /// The places, in the order of the person who made the list. Their names differ.
  public var targets: [PhotoTarget]

  /// Mirror, turns and tilt, in the order of a recipe.
  public struct Laying: Hashable, Sendable {
    /// The mirror and the quarter turns.
    public var orientation: Orientation
    /// The clockwise tilt, −45° to 45°.
    public var tilt: Angle

    /// A way to lay a picture down; as it is, unless said.
    public init(
      orientation: Orientation = Orientation(isMirrored: false, quarterTurns: 0),
      tilt: Angle = .zero
    ) {
      self.orientation = orientation
      self.tilt = tilt
    }
  }

  /// A document without targets, unless some are given.
  public init(picture: Laying = Laying(), focus: FocusBox? = nil, targets: [PhotoTarget] = []) {
    self.picture = picture
    self.focus = focus
    self.targets = targets
  }
}

/// A place where the photo is to be shown.
public struct PhotoTarget: Hashable, Sendable {
  /// What it is called, such as `square`.
  public var name: String
  /// What it asks for.
  public var frame: Frame
  /// The fewest pixels that are enough, if that is said; a size asks for its own.
  public var minimum: FrameSize?
  /// The crop that a person made by hand; nil where it follows from the focus.
  public var recipe: CropRecipe?

  /// What a place asks for.
  public enum Frame: Hashable, Sendable {
    /// A ratio of width to height.
    case ratio(AspectRatio)
    /// A size in pixels, to which larger crops are scaled down.
    case size(FrameSize)
  }

  /// A target whose crop follows from the focus, unless a recipe is given.
  public init(name: String, frame: Frame, minimum: FrameSize? = nil, recipe: CropRecipe? = nil) {
    self.name = name
    self.frame = frame
    self.minimum = minimum
    self.recipe = recipe
  }

  /// The ratio that is asked for; nil for a size without pixels.
  public var ratio: AspectRatio? {
    switch frame {
    case .ratio(let ratio): ratio
    case .size(let size): AspectRatio(size.width, size.height)
    }
  }
}

/// The crop of one target.
public struct TargetCrop: Hashable, Sendable {
  /// What is cut.
  public let recipe: CropRecipe
  /// Whether a person made it by hand.
  public let isByHand: Bool
  /// Whether a part of the focus is cut off.
  public let cutsFocus: Bool
  /// Whether it has fewer pixels than the target asks for.
  public let isTooSmall: Bool
}

extension TargetDocument {
  /// The crop of a target on a picture of the given upright size. Where it `enlarges`, one of fewer
  /// pixels than the target's size is scaled up to it.
  ///
  /// - Throws: `RecipeError` for a tilt or a recipe that can't be, and for a recipe that lays the
  ///   picture down in another way than the document.
  public func crop(
    of target: PhotoTarget, on image: ImageSize, enlarges: Bool = false
  ) throws(RecipeError) -> TargetCrop {
    guard !image.isEmpty else { throw .emptyPicture }
    var recipe =
      target.recipe
      ?? CropRecipe(
        quarterTurns: picture.orientation.quarterTurns, isMirrored: picture.orientation.isMirrored,
        tilt: picture.tilt)
    try recipe.checkNumbers()
    // A target is a part of the picture as it is laid down; its neighbours would not be straightened.
    if recipe.normalized().quad != nil { throw .quadInTarget }
    guard recipe.orientation == picture.orientation, recipe.tilt == picture.tilt else {
      throw .otherLaying
    }
    let frame = OrientationMap<ImageSpace, FrameSpace>(picture.orientation, of: image).target
    let tilted = TiltedPicture(frame: frame, tilt: picture.tilt)
    let kept = focus?.bounds(in: tilted, of: image, picture.orientation)
    if target.recipe == nil {
      guard let ratio = target.ratio else { throw .outputSize(width: 0, height: 0) }
      recipe.rect = DerivedCrop(ratio, of: tilted, focus: kept).rect
      recipe.output = output(of: target, from: recipe.rect, enlarges)
    }
    let crop = try recipe.resolved(for: image)
    let isTooSmall = target.leastSize.map { !crop.rect.holds($0) }
    return TargetCrop(
      recipe: recipe, isByHand: target.recipe != nil,
      cutsFocus: DerivedCrop.cuts(kept, crop.rect),
      isTooSmall: isTooSmall ?? false)
  }

  private func output(of target: PhotoTarget, from rect: FrameRect?, _ enlarges: Bool)
    -> OutputSize?
  {
    guard case .size(let size) = target.frame, let rect else { return nil }
    return rect.holds(size) || enlarges ? .exact(width: size.width, height: size.height) : nil
  }
}

extension FrameRect {
  /// Whether it has at least so many pixels each way: a crop of it is then no smaller than a target asks, and
  /// one that has a size is scaled down to it.
  public func holds(_ size: FrameSize) -> Bool {
    width >= Double(size.width) && height >= Double(size.height)
  }
}

extension CropRecipe {
  /// The recipe of the same part of a picture that is laid down otherwise, as a session would turn, mirror and
  /// tilt it. Where it has `ratio`, it keeps that.
  ///
  /// - Throws: why it, or the laying, does not fit the picture.
  public func relaid(
    as laying: TargetDocument.Laying, on image: ImageSize, keeping ratio: AspectRatio? = nil
  ) throws(RecipeError) -> CropRecipe {
    var session = CropSession(style: .studio)
    session.settings.keepsRatio = true
    session.document.edit.ratio = ratio.map { .fixed($0) } ?? .free
    session.open(image)
    _ = try session.restore(self)
    guard !session.lay(laying).contains(.refused), var relaid = session.recipe else {
      throw .otherLaying
    }
    relaid.output = output
    _ = try relaid.resolved(for: image)
    return relaid
  }
}

extension PhotoTarget {
  /// The fewest pixels that are enough; nil where any number is.
  public var leastSize: FrameSize? {
    switch frame {
    case .size(let size): minimum ?? size
    case .ratio: minimum
    }
  }
}
