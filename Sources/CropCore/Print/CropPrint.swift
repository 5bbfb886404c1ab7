/// A print of a crop: its size on paper, and how many pixels an inch needs.
public struct CropPrint: Hashable, Sendable {
  /// The size of the cut print.
  public var size: PrintSize
  /// What the crop shows beyond the size on every side, to be cut off; nil for nothing.
  public var bleed: PrintLength?
  /// The pixels per inch that are asked for; nil for ``usualDPI``.
  public var dpi: Int?

  /// A print; by default without a bleed, with the usual density.
  public init(_ size: PrintSize, bleed: PrintLength? = nil, dpi: Int? = nil) {
    self.size = size
    self.bleed = bleed
    self.dpi = dpi
  }

  /// The density of prints for which none is asked, in pixels per inch.
  public static var usualDPI: Int { 300 }

  /// The densities that may be asked for, in pixels per inch: as much as a JPEG can state.
  public static var densities: ClosedRange<Int> { 1...65_535 }

  /// The pixels per inch.
  public var density: Double { Double(dpi ?? Self.usualDPI) }

  /// The size with its bleed.
  public var whole: PrintSize { size.with(bleed: bleed) }

  /// The size with its bleed in pixels, each side to the nearest one.
  public var pixels: FrameSize { whole.pixels(density) }

  /// How the pixels of a crop become a print.
  public struct Fit: Hashable, Sendable {
    /// The size of the crop, in pixels of the image.
    public let part: FrameSize
    /// The size of the result, in pixels.
    public let size: FrameSize
    /// The density with which the result has the print's size.
    public let density: PixelDensity
    /// Whether the crop has so few pixels that the density, in whole pixels per inch, would be less
    /// than what is asked for.
    public let isShort: Bool
  }
}

extension CropPrint {
  /// The print of a crop of `part` pixels, which has the print's ratio: scaled down to ``pixels``;
  /// a smaller one keeps its pixels, with a lower density, unless it `enlarges`.
  public func fit(_ part: FrameSize, enlarges: Bool = false) -> Fit {
    let needed = pixels
    let isEnough = part.width >= needed.width && part.height >= needed.height
    let own = PixelDensity(
      across: Double(part.width) / whole.width.inches,
      down: Double(part.height) / whole.height.inches)
    let isExact = isEnough || enlarges
    return Fit(
      part: part, size: isExact ? needed : part,
      density: isExact ? PixelDensity(across: density, down: density) : own,
      isShort: !isEnough && min(own.across, own.down).rounded() < density)
  }

  /// A recipe whose result is a print of its crop, as ``fit(_:enlarges:)`` says, and how its pixels
  /// become that print; nil for a recipe that does not fit the image, or a crop of another ratio,
  /// which is refused with the recipe.
  public func sized(
    _ recipe: CropRecipe, on image: ImageSize, enlarges: Bool = false
  ) -> (recipe: CropRecipe, fit: Fit?) {
    var result = recipe
    result.output = nil
    let needed = OutputSize.exact(width: pixels.width, height: pixels.height)
    guard let crop = try? result.resolved(for: image) else { return (recipe, nil) }
    // The area between four corners gets any ratio.
    let part = crop.quad?.size(.exactly(whole.ratio), in: crop.frame) ?? crop.rectSize
    guard
      (try? CropRecipe.outputSize(needed, of: part, isStretched: crop.quad != nil)) != nil
    else {
      result.output = needed
      return (result, nil)
    }
    let fit = fit(part, enlarges: enlarges)
    if fit.size != crop.rectSize {
      result.output = .exact(width: fit.size.width, height: fit.size.height)
    }
    return (result, fit)
  }
}
