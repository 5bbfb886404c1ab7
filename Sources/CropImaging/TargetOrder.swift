import CropCore

/// A photo's targets, and how their files are written.
public struct TargetOrder: Sendable {
  /// How the photo is laid down, the focus, and the targets.
  public var document: TargetDocument
  /// How the files are written.
  public var options: ResultOptions
  /// Whether crops of fewer pixels than their target's size are scaled up to it.
  public var enlarges: Bool

  /// An order for the targets of a document.
  public init(
    _ document: TargetDocument, options: ResultOptions = ResultOptions(), enlarges: Bool = false
  ) {
    self.document = document
    self.options = options
    self.enlarges = enlarges
  }
}

/// A target's crop on a picture, and how its file is written.
public struct PlannedTarget: Sendable {
  /// The target.
  public let target: PhotoTarget
  /// What is cut.
  public let crop: TargetCrop
  /// How the file is written.
  public var options: ResultOptions
  /// The format of the file.
  public let format: PictureFormat
}

/// Why one target of a photo can't be made, though others may be.
public struct TargetFailure: Error, Sendable, Equatable {
  /// The target's name.
  public let target: String
  /// What is wrong.
  public let error: CropError

  /// A failure of the target of a name.
  public init(target: String, error: CropError) {
    self.target = target
    self.error = error
  }

  /// One line for a person, which begins with the target's name.
  public var message: String { "\(CropError.line(target)): \(error.message)" }
}

extension TargetOrder {
  /// What is to be made of a picture that was opened for this order.
  ///
  /// - Throws: `CropError.invalidRecipe`.
  public func plan(
    _ target: PhotoTarget, on picture: OpenedPicture
  ) throws(CropError) -> PlannedTarget {
    let (info, name) = (picture.info, picture.source.name)
    let crop: TargetCrop
    do throws(RecipeError) {
      crop = try document.crop(of: target, on: info.shown, enlarges: enlarges)
    } catch {
      throw .invalidRecipe(file: name, detail: error.message(for: info.shown))
    }
    let options = options.keepingShape(of: crop.recipe, from: info.format)
    return PlannedTarget(
      target: target, crop: crop, options: options, format: options.format ?? info.format)
  }
}

extension CropEngine {
  /// Reads the structure of the file once, for the crops of all targets: what has to be decoded for them is
  /// decoded once, as for several recipes.
  ///
  /// - Throws: as ``info(_:isLenient:page:)``.
  public func open(
    _ source: PictureSource, for order: TargetOrder
  ) throws(CropError) -> OpenedPicture {
    try open(source, isLenient: order.options.isLenient, page: order.options.page.first) { image in
      order.document.targets.compactMap { target in
        try? order.document.crop(of: target, on: image, enlarges: order.enlarges).recipe
      }
    }
  }

  /// Makes a target's crop of a picture that was opened for its order, with what a person should know of it.
  ///
  /// - Throws: as ``crop(_:recipe:options:into:isReplacing:dropsRest:)``.
  public func crop(
    _ picture: OpenedPicture, _ planned: PlannedTarget, into file: ResultFile? = nil
  ) throws(CropError) -> CropResult {
    var result = try crop(
      picture, recipe: planned.crop.recipe, options: planned.options, into: file)
    result.warnings += CropWarning.all(of: planned.crop, for: planned.target)
    return result
  }
}

extension CropError {
  /// Whether other crops of the same picture may be made all the same.
  public var isOfOneCrop: Bool {
    switch self {
    case .usage, .invalidRecipe, .corrupt, .truncated, .limitExceeded, .tooManyBytes,
      .unsupportedFormat, .unsupportedFeature, .workerDied, .timedOut, .outOfMemory:
      true
    case .empty, .inputMissing, .inputUnreadable, .componentMissing, .resourceUnavailable,
      .outputExists, .outputIsInput, .outputChanged, .wouldLoseData, .outputUncreatable,
      .readFailed, .writeFailed, .diskFull, .notFlushed:
      false
    }
  }
}
