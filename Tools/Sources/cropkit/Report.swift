import CropCore
import CropImaging

/// The report of `cropkit crop` about a crop; also as JSON for programs.
struct CropReport: Encodable, Sendable {
  let input: String
  let output: String
  let target: String?
  let format: ImageFormat
  let width: Int
  let height: Int
  let bytes: Int
  let lossless: Bool
  /// The crop rectangle, in pixels of the frame.
  let rect: FrameRect?
  let obstacle: LosslessObstacle?
  /// How the gain map was cropped; nil if there is none.
  let gainMap: GainMapOutcome?
  /// The border of a lossless crop whose blocks were re-encoded.
  let requantized: RequantizedBorder?
  let warnings: [CropWarning]
  /// The report in one line, for users.
  private let summary: String

  private enum CodingKeys: CodingKey {
    case input, output, target, format, width, height, bytes, lossless, rect, obstacle
    case gainMap, requantized, warnings
  }

  init(_ result: CropResult, of planned: PlannedCrop, _ task: CropTask) {
    input = task.input.name
    output = task.output.name
    target = task.what.target?.target.name
    format = result.format
    width = result.size.width
    height = result.size.height
    bytes = result.byteCount
    lossless = result.isLossless
    // The result has a rectangle if it covers more than was requested.
    rect = result.rect?.rect ?? (try? planned.resolved().rect)
    obstacle = result.obstacle
    gainMap = result.gainMap
    requantized = result.requantized
    warnings = result.warnings
    let name = task.output.isStandardStream ? "standard output" : task.output.name
    summary = "\(name): \(CropSummary(result, of: planned).text)"
  }

  /// Prints it on standard error and, as JSON, on standard output.
  ///
  /// - Throws: `CropError.writeFailed` or `.diskFull`.
  func print(isJSON: Bool, isQuiet: Bool) throws(CropError) {
    let name = output == "-" ? "standard output" : output
    for warning in warnings { Terminal.warn("\(name): warning: \(warning.message)") }
    if !isQuiet { Terminal.warn(summary) }
    if isJSON { try Terminal.print(json: self) }
  }
}

/// The output of `--json` for an image that failed.
struct CropFailure: Encodable {
  /// The error.
  struct Reason: Encodable {
    let code: String
    let message: String
    let exitStatus: Int32
  }

  let input: String
  let target: String?
  let error: Reason

  init(_ error: CropError, input: String, target: String? = nil) {
    self.input = input
    self.target = target
    self.error = Reason(code: error.code, message: error.message, exitStatus: error.exitStatus)
  }
}

/// The output of `cropkit info --json` for an image.
struct InfoReport: Encodable {
  let input: String
  let info: ImageInfo
  /// Which changes need no new encoding.
  let lossless: LosslessChanges
  /// The crop that another program stored in the image.
  let mark: MarkReport?

  private enum Key: String, CodingKey { case input, lossless, mark }

  init(_ source: ImageSource, _ picture: OpenedImage, input: String) {
    self.input = input
    info = picture.info
    lossless = picture.losslessChanges
    mark = MarkReport(source, info)
  }

  /// Encodes the properties of the image next to its name.
  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(input, forKey: .input)
    try info.encode(to: encoder)
    try fields.encode(lossless, forKey: .lossless)
    try fields.encode(mark, forKey: .mark)
  }
}

/// The output of `cropkit info` for another program's crop in an image.
struct MarkReport: Encodable {
  let program: CropMark.Program?
  /// The recipe; nil if the crop is already applied or can't be reproduced.
  let recipe: CropRecipe?
  let isApplied: Bool
  /// Why it can't be reproduced.
  let problem: String?

  /// Nil if the image has no such crop.
  init?(_ source: ImageSource, _ info: ImageInfo) {
    do throws(CropError) {
      guard let mark = try CropMark(in: source, info) else { return nil }
      program = mark.program
      recipe = mark.isApplied ? nil : mark.recipe
      isApplied = mark.isApplied
      problem = nil
    } catch {
      (program, recipe, isApplied) = (nil, nil, false)
      if case .invalidRecipe(_, let detail, _) = error { problem = detail } else { return nil }
    }
  }

  /// The report for users.
  var words: String {
    if let problem { return problem }
    guard let program else { return "" }
    if isApplied { return "cropped in \(program.displayName), already applied" }
    var words = ["cropped in \(program.displayName)"]
    if let rect = recipe?.rect {
      words.append("\(Int(rect.width)) × \(Int(rect.height))")
    }
    if let tilt = recipe?.tilt.degrees, tilt != 0 {
      words.append("tilted by \((tilt * 100).rounded() / 100)°")
    }
    return words.joined(separator: ", ") + "; --crop-from xmp applies it"
  }
}
