import CropCore
import CropImaging

/// What `cropkit crop` says of a crop; as JSON, what a program wants to know.
struct CropReport: Encodable, Sendable {
  let input: String
  let output: String
  /// The name of the target that it is for.
  let target: String?
  let format: PictureFormat
  let width: Int
  let height: Int
  let bytes: Int
  let lossless: Bool
  /// What was cut, in pixels of the turned picture.
  let rect: FrameRect?
  let obstacle: LosslessObstacle?
  /// How the gain map was made; nil where there is none.
  let gainMap: GainMapOutcome?
  /// Where blocks of a lossless cut were quantised again.
  let requantized: RequantizedBorder?
  let warnings: [CropWarning]
  /// The same in one line, for a person.
  private let summary: String

  private enum CodingKeys: CodingKey {
    case input, output, target, format, width, height, bytes, lossless, rect, obstacle
    case gainMap, requantized, warnings
  }

  init(
    _ result: CropResult, of info: ImageInfo, _ recipe: CropRecipe, _ options: ResultOptions,
    _ task: CropTask
  ) {
    input = task.input.name
    output = task.output.name
    target = task.what.target?.target.name
    format = result.format
    width = result.size.width
    height = result.size.height
    bytes = result.byteCount
    lossless = result.isLossless
    // The result says when it is of more than was asked.
    rect = result.rect?.rect ?? (try? recipe.resolved(for: info.shown).rect)
    obstacle = result.obstacle
    gainMap = result.gainMap
    requantized = result.requantized
    warnings = result.warnings
    let name = task.output.isStandardStream ? "standard output" : task.output.name
    summary = "\(name): \(CropSummary(result, of: info, recipe, options).text)"
  }

  /// Tells it on standard error and, as JSON, on standard output.
  ///
  /// - Throws: `CropError.writeFailed` or `.diskFull`.
  func tell(isJSON: Bool, isQuiet: Bool) throws(CropError) {
    let name = output == "-" ? "standard output" : output
    for warning in warnings { Terminal.complain("\(name): warning: \(warning.message)") }
    if !isQuiet { Terminal.complain(summary) }
    if isJSON { try Terminal.print(json: self) }
  }
}

/// What `--json` says of a picture that was refused.
struct CropFailure: Encodable {
  /// The reason.
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

/// What `cropkit info --json` says of a picture.
struct InfoReport: Encodable {
  let input: String
  let info: ImageInfo
  /// The crop that another program left in the picture.
  let mark: MarkReport?

  private enum Key: String, CodingKey { case input, mark }

  /// The properties of the picture beside its name.
  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(input, forKey: .input)
    try info.encode(to: encoder)
    try fields.encode(mark, forKey: .mark)
  }
}

/// What `cropkit info` says of the crop that another program left in a picture.
struct MarkReport: Encodable {
  let program: CropMark.Program?
  /// What is to be cut; nil where it is carried out already or can't be repeated here.
  let recipe: CropRecipe?
  let isApplied: Bool
  /// Why it can't be repeated.
  let problem: String?

  /// Nil for a picture without one.
  init?(_ source: PictureSource, _ info: ImageInfo) {
    do throws(CropError) {
      guard let mark = try CropMark(in: source, info) else { return nil }
      program = mark.program
      recipe = mark.isApplied ? nil : mark.recipe
      isApplied = mark.isApplied
      problem = nil
    } catch {
      (program, recipe, isApplied) = (nil, nil, false)
      if case .invalidRecipe(_, let detail) = error { problem = detail } else { return nil }
    }
  }

  /// The same for a person.
  var words: String {
    if let problem { return problem }
    guard let program else { return "" }
    if isApplied { return "cropped in \(program.displayName), already carried out" }
    var words = ["cropped in \(program.displayName)"]
    if let rect = recipe?.rect {
      words.append("\(Int(rect.width)) × \(Int(rect.height))")
    }
    if let tilt = recipe?.tilt.degrees, tilt != 0 {
      words.append("tilted by \((tilt * 100).rounded() / 100)°")
    }
    return words.joined(separator: ", ") + "; --crop-from xmp carries it out"
  }
}
