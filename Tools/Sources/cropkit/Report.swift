import CropCore
import CropImaging

/// What `cropkit crop --json` says of a crop.
struct CropReport: Encodable {
  let input: String
  let output: String
  let format: PictureFormat
  let width: Int
  let height: Int
  let bytes: Int
  let lossless: Bool
  /// What was cut, in pixels of the turned picture.
  let rect: FrameRect?
  let obstacle: LosslessObstacle?
  let warnings: [CropWarning]

  /// Of a crop of `asked`, unless the result says that it is of more.
  init(_ result: CropResult, of asked: FrameRect?, input: FileArgument, output: FileArgument) {
    self.input = input.name
    self.output = output.name
    format = result.format
    width = result.size.width
    height = result.size.height
    bytes = result.byteCount
    lossless = result.isLossless
    rect = result.rect?.rect ?? asked
    obstacle = result.obstacle
    warnings = result.warnings
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
  let error: Reason

  init(_ error: CropError, input: FileArgument) {
    self.input = input.name
    self.error = Reason(code: error.code, message: error.message, exitStatus: error.exitStatus)
  }
}

/// What `cropkit info --json` says of a picture.
struct InfoReport: Encodable {
  let input: String
  let info: ImageInfo

  private enum Key: String, CodingKey { case input }

  /// The properties of the picture beside its name.
  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(input, forKey: .input)
    try info.encode(to: encoder)
  }
}
