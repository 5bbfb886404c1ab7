import CropCore
import CropFormats

/// The targets of a photo, and how to write their files.
public struct TargetRequest: Sendable {
  /// The photo's transform, the focus, and the targets.
  public var document: TargetDocument
  /// How to write the files.
  public var options: ResultOptions
  /// Whether a crop that is smaller than its target's size is scaled up to it.
  public var enlarges: Bool

  /// A request for the targets of a document; prints that set no density or bleed have those of
  /// `options`.
  public init(
    _ document: TargetDocument, options: ResultOptions = ResultOptions(), enlarges: Bool = false
  ) {
    self.document = document.printing(dpi: options.dpi, bleed: options.bleed)
    self.options = options
    self.enlarges = enlarges
  }
}

/// Why the crop of one target can't be made; other targets may succeed.
public struct TargetFailure: Error, Sendable, Equatable {
  /// The target's name.
  public let target: String
  /// The reason.
  public let error: CropError

  /// A failure of the target with the given name.
  public init(target: String, error: CropError) {
    self.target = target
    self.error = error
  }

  /// A one-line message that starts with the target's name.
  public func message(for reader: CropError.Reader) -> String {
    "\(CropError.line(target)): \(error.message(for: reader))"
  }
}

extension TargetRequest {
  /// The crop of a target, for an image that was opened for this request.
  ///
  /// - Throws: `CropError.invalidRecipe`.
  public func plan(
    _ target: PhotoTarget, on picture: OpenedImage
  ) throws(CropError) -> PlannedCrop {
    let info = picture.info
    let crop: TargetCrop
    do throws(RecipeError) {
      crop = try document.crop(
        of: target, on: info.shown, jpeg: info.storedJPEG, enlarges: enlarges)
    } catch {
      throw .invalidRecipe(file: picture.source.name, detail: error.message(for: info.shown))
    }
    let planned = PlannedCrop(
      crop.recipe, of: picture,
      options: try options.fitted(to: crop).keepingShape(of: crop.recipe, from: info.format),
      warnings: CropWarning.all(of: crop, for: target))
    _ = try planned.resolved()
    return planned
  }
}

extension CropEngine {
  /// Reads the structure of a file once, for the crops of all targets. The pixels that they need
  /// are decoded once, as for several recipes.
  ///
  /// - Throws: as ``info(_:isLenient:page:)``; `CropError.usage` for options of a canvas that no
  ///   target has.
  public func open(
    _ source: ImageSource, for request: TargetRequest
  ) throws(CropError) -> OpenedImage {
    if let problem = request.options.canvasProblem(of: request.document.targets) {
      throw .usage(detail: problem)
    }
    return try open(source, options: request.options) { info in
      request.document.targets.compactMap { target in
        try? request.document.crop(
          of: target, on: info.shown, jpeg: info.storedJPEG, enlarges: request.enlarges
        ).recipe
      }
    }
  }
}

extension CropError {
  /// Whether the error concerns only one crop, so that other crops of the same image may succeed.
  public var isOfOneCrop: Bool {
    switch self {
    case .usage, .invalidRecipe, .corrupt, .truncated, .limitExceeded, .tooManyBytes,
      .unsupportedFormat, .unsupportedFeature, .workerDied, .timedOut, .outOfMemory:
      true
    case .busy, .cancelled, .empty, .inputMissing, .inputUnreadable, .componentMissing,
      .resourceUnavailable,
      .outputExists, .outputIsInput, .outputChanged, .wouldLoseData, .outputUncreatable,
      .readFailed, .writeFailed, .diskFull, .notFlushed:
      false
    }
  }
}

extension TargetRequest {
  /// Checks, before any target is written, that the results of all targets together have no more
  /// pixels than a single result may have. Targets that can't be made are not counted.
  ///
  /// - Parameters:
  ///   - picture: the image that the targets are cropped from.
  ///   - name: the image's name in messages.
  ///   - limits: the limits, of which the pixels of a result count here.
  /// - Throws: `CropError.limitExceeded`.
  public func checkPixels(of picture: OpenedImage, called name: String, _ limits: Limits)
    throws(CropError)
  {
    var all = 0
    for target in document.targets {
      guard let planned = try? plan(target, on: picture),
        let size = try? planned.size()
      else { continue }
      let pixels = size.width.multipliedReportingOverflow(by: size.height)
      let sum = all.addingReportingOverflow(pixels.partialValue)
      all = pixels.overflow || sum.overflow ? .max : sum.partialValue
      let allowed = max(limits.pixels, limits.output ?? 0)
      guard all <= allowed else {
        throw .limitExceeded(
          file: "\(name), all targets together", limit: .pixels, actual: all, allowed: allowed)
      }
    }
  }
}

extension CropWarning {
  /// Part of the focus is outside the crop.
  public static var focusCut: Self {
    Self(code: "focus-cut", message: "part of the focus is cut off")
  }

  /// The crop has fewer pixels than its target requires.
  public static func tooSmall(_ has: FrameSize, asked: FrameSize) -> Self {
    Self(
      code: "too-small",
      message: "the crop has only \(has.width) × \(has.height) pixels; "
        + "its target needs \(asked.width) × \(asked.height)")
  }

  /// The warnings about the crop of a target.
  public static func all(of crop: TargetCrop, for target: PhotoTarget) -> [Self] {
    var warnings: [Self] = crop.cutsFocus ? [.focusCut] : []
    if crop.isTooSmall, let rect = crop.recipe.rect, let asked = target.leastSize {
      warnings.append(
        .tooSmall(FrameSize(width: Int(rect.width), height: Int(rect.height)), asked: asked))
    }
    return warnings
  }
}
