import CropCore
import CropImaging
import FoundationEssentials

/// One picture to crop, and where the result goes.
struct CropTask: Sendable, Equatable {
  var input: FileArgument
  /// The input's bytes, where they come with what is asked for and are in no file.
  var bytes: Data?
  /// The input itself in place.
  var output: FileArgument
  /// The folder of the output, where it is made if it is not there.
  var folder: FileArgument?
  var isInPlace = false
  /// Whether what else the input holds may be lost in place.
  var dropsRest = false
  var what = WhatToCut()
  var options = ResultOptions()

  /// What messages call an input that is in no file.
  static let nameOfBytes = "the input's bytes"

  /// The format that the options or the output's name ask for; nil for the input's own.
  ///
  /// - Throws: `CropError.usage` for an extension that stands for none of the formats, and for an output
  ///   that is no file's address.
  func namedFormat() throws(CropError) -> PictureFormat? {
    try output.checkIsLocal()
    if let format = options.format { return format }
    return isInPlace ? nil : try output.format()
  }

  /// The options with the format that the result of a picture has.
  ///
  /// - Throws: `CropError.usage` for an extension that stands for none of the formats, and for another
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
