import CropCore

/// The size of a result.
public enum ResultSize: Sendable, Hashable {
  /// Exactly this many pixels.
  case pixels(FrameSize)
  /// A size on paper: as many pixels as its density needs, if the crop has them.
  case print(PrintSize)

  /// Parses `1200x630` or `35x45mm`; nil for anything else.
  public init?(text: String) {
    if let size = FrameSize(text: text) {
      self = .pixels(size)
    } else if let size = PrintSize(text: text) {
      self = .print(size)
    } else {
      return nil
    }
  }

  var json: OptionValue {
    switch self {
    case .pixels(let size): .name("\(size.width)x\(size.height)")
    case .print(let size): .name(size.text)
    }
  }
}

/// The size of a sheet of paper, as users give it: a size or a name, such as `a4`.
public struct PaperSize: Sendable, Hashable {
  /// The size.
  public let size: PrintSize

  /// Paper of the given size.
  public init(_ size: PrintSize) { self.size = size }

  /// Parses `10x15cm` or a name such as `a4`; nil for anything else.
  public init?(text: String) {
    guard let size = PrintSize(paper: text) else { return nil }
    self.size = size
  }

  var json: OptionValue { .name(size.text) }
}

extension PrintLength {
  var json: OptionValue { .name(text) }
}

extension ResultOptions {
  /// The print that the result becomes; nil if no size on paper is asked for.
  public var print: CropPrint? {
    guard case .print(let size) = size else { return nil }
    return CropPrint(size, bleed: bleed, dpi: dpi)
  }

  /// A recipe with the size that these options ask for, on an upright image of the given size.
  ///
  /// - Throws: `CropError.usage` if they ask for two sizes, or for something that needs a size on
  ///   paper without one.
  public func sized(
    _ recipe: CropRecipe, on image: ImageSize
  ) throws(CropError) -> CropRecipe {
    try fitted(recipe, on: image).recipe
  }

  /// The same, and how the pixels of the crop become a print, if they do.
  func fitted(
    _ recipe: CropRecipe, on image: ImageSize
  ) throws(CropError) -> (recipe: CropRecipe, fit: CropPrint.Fit?) {
    guard maxSide == nil || size == nil else {
      throw .usage(detail: "a maximum side and a size can't be used together")
    }
    if let print { return print.sized(recipe, on: image, enlarges: enlarges) }
    if let problem = printProblem { throw .usage(detail: problem) }
    var result = recipe
    if case .pixels(let size) = size {
      result.output = .exact(width: size.width, height: size.height)
    }
    if let maxSide { result = recipe.limited(toSide: maxSide) }
    return (result, nil)
  }

  /// Why options for prints have no effect; nil if there are none, or a size on paper.
  private var printProblem: String? {
    let name =
      bleed != nil ? "a bleed" : sheet != nil ? "a print sheet" : enlarges ? "enlarging" : nil
    return name.map { "\($0) needs a size in mm, cm or in" }
  }

  /// The sheet of prints that a crop of this size and density is repeated on; nil if there is none.
  ///
  /// - Throws: `CropError.usage` for a sheet that is too small or too large, or on a canvas.
  package func printSheet(
    of size: FrameSize, _ density: PixelDensity
  ) throws(CropError) -> PrintSheet? {
    guard let sheet, let print else { return nil }
    guard surroundings == nil else {
      throw .usage(detail: "a print sheet and a canvas can't be used together")
    }
    do throws(PrintSheet.Fault) {
      return try PrintSheet(sheet.size, of: print, size, density)
    } catch {
      throw .usage(
        detail: error == .tooSmall
          ? "a print of \(print.whole.shown) does not fit on a sheet of \(sheet.size.shown)"
          : "more than \(PrintSheet.most) prints would fit on the sheet; choose a smaller one")
    }
  }

  /// The same options without a size; those of a sheet keep the size of its prints.
  var withoutSize: Self {
    var options = self
    options.maxSide = nil
    guard sheet == nil else { return options }
    (options.size, options.bleed, options.enlarges) = (nil, nil, false)
    return options
  }
}
