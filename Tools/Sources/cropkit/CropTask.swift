import ArgumentParser
import CropCore
import CropImaging
import FoundationEssentials

/// One image to crop, and its output.
struct CropTask: Sendable, Equatable {
  var input: FileArgument
  /// The input's bytes, if they are sent with the request instead of in a file.
  var bytes: Data?
  /// The output; the same as the input if the crop is in place.
  var output: FileArgument
  /// The pattern of the output's name, if it has the size of a result that only the pixels
  /// determine; until the crop is planned, `output` has zeros instead.
  var lateName: LateName?
  /// The output's folder, which is created if it does not exist.
  var folder: FileArgument?
  var isInPlace = false
  /// The suffix for the copy of an input that is replaced in place; nil if no copy is made.
  var backup: BackupSuffix?
  /// Whether a crop in place may lose the other data in the input.
  var dropsRest = false
  var what = CropSpec()
  var options = ResultOptions()
  /// What the sender of a line identifies the version of the input, the crop and the options by; nil
  /// for nothing.
  var key: String?

  /// The name in messages for an input that is not a file.
  static let nameOfBytes = "the input's bytes"

  /// The format from the options or the output's name; nil for the input's format.
  ///
  /// - Throws: `CropError.usage` for an extension of an unsupported format, and for an output URL
  ///   that is not a file's.
  func namedFormat() throws(CropError) -> ImageFormat? {
    try output.checkIsLocal()
    if let format = options.format { return format }
    return isInPlace ? nil : try output.format()
  }

  /// The options with the format for an image's result.
  ///
  /// - Throws: `CropError.usage` for an extension of an unsupported format, and for a change of
  ///   format in place.
  func options(for info: ImageInfo) throws(CropError) -> ResultOptions {
    var options = options
    options.format = try namedFormat() ?? info.format
    if isInPlace, let format = options.format, format != info.format {
      throw .usage(
        detail: "\(input.name) is \(info.format.displayName) and keeps its name in place, so it "
          + "can't become \(format.displayName); use -o or -d")
    }
    return options
  }
}

extension CropTask {
  /// Sets the output's name from a pattern.
  ///
  /// - Throws: as `ResultNames.output`; if the name contains the size, also an error of the image
  ///   or the recipe.
  mutating func name(
    _ names: ResultNames, number: Int, in folder: FileArgument
  ) throws(CropError) {
    let name = LateName(names: names, number: number, folder: folder)
    // A border is found by decoding the image, which happens once, under limits, when it is cropped.
    let isLate = names.hasSize && what.needsPixels
    output = try name.output(of: self, size: names.hasSize && !isLate ? plannedSize() : nil)
    lateName = isLate ? name : nil
  }

  /// The task with its final output, for the crop that was planned from it.
  ///
  /// - Throws: `CropError.invalidRecipe`, `CropError.usage`.
  func named(for planned: PlannedCrop) throws(CropError) -> CropTask {
    guard let lateName else { return self }
    var task = self
    task.output = try lateName.output(of: self, size: planned.size())
    task.lateName = nil
    return task
  }

  /// The size of the result, computed from the image's header.
  private func plannedSize() throws(CropError) -> FrameSize {
    // Limits apply to images that are decoded.
    let limits = Limits(pixels: .max, bytes: .max)
    let source = try input.source(limits: limits)
    let engine = CropEngine.command(limits: limits)
    let picture = try engine.open(source, options: options)
    var task = self
    task.output = FileArgument(argument: "-")
    task.options.format = options.format ?? picture.info.format
    return try PlannedCrop(task, of: picture, in: source, by: engine).size()
  }
}

/// What determines an output's name in addition to its task and its size.
struct LateName: Equatable {
  let names: ResultNames
  let number: Int
  let folder: FileArgument

  /// The output of a task; without a size, with zeros instead.
  ///
  /// - Throws: as `ResultNames.output`.
  func output(of task: CropTask, size: FrameSize?) throws(CropError) -> FileArgument {
    try names.output(
      of: task.input, number: number, target: task.what.target?.target.name,
      format: task.options.format, size: size, in: folder)
  }
}

/// The suffix for the name of a file's copy, such as `.orig`.
struct BackupSuffix: ExpressibleByArgument, Equatable {
  let bytes: [UInt8]

  /// Nil if it is not valid in a file name.
  init?(argument: String) {
    bytes = RawArguments.bytes(of: argument)
    guard !bytes.isEmpty, !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")) else { return nil }
  }
}
