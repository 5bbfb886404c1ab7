import CropImaging

extension CropTask {
  /// Warnings about options of this task that have no effect on its result, or an odd one.
  func remarks(on format: ImageFormat, isLossless: Bool) -> [CropWarning] {
    var remarks: [CropWarning] = []
    if isLossless, format.hasQuality, let quality = options.quality?.level {
      remarks.append(.qualityUnused(quality))
    }
    if options.format != nil, let named = try? output.format(), named != format {
      remarks.append(.otherExtension(format, output.fileExtension ?? ""))
    }
    return remarks
  }
}

extension PlannedCrop {
  /// Makes the crop of a task, as ``result(by:into:isReplacing:dropsRest:)`` does, with warnings
  /// about the task's options.
  func result(
    of task: CropTask, by engine: CropEngine, into file: ResultFile?
  ) throws(CropError) -> CropResult {
    var result = try result(
      by: engine, into: file, isReplacing: task.isInPlace, dropsRest: task.dropsRest)
    result.warnings += task.remarks(on: result.format, isLossless: result.isLossless)
    return result
  }
}

extension CropWarning {
  /// A quality was given for a result that is lossless.
  fileprivate static func qualityUnused(_ quality: Int) -> Self {
    Self(
      code: "quality-unused",
      message: "the crop is lossless, so a quality of \(quality) has no effect; re-encode it with "
        + "--lossless never")
  }

  /// The name of a result has the extension of another format.
  fileprivate static func otherExtension(_ format: ImageFormat, _ name: String) -> Self {
    Self(
      code: "other-extension",
      message: "it is \(format.displayName) because of --format, but its name ends in .\(name), "
        + "which some programs will not open")
  }
}
