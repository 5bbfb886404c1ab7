/// Why a picture was not read, cropped or saved.
///
/// Every case has a stable ``code``, a one-line ``message`` that says what, which file and what to do,
/// an ``exitStatus`` (sysexits) and an ``httpStatus``. `file` and `path` are names for a person.
public enum CropError: Error, Sendable, Equatable, Codable {
  /// An option, an argument or a setting that can't be.
  case usage(detail: String)
  /// A recipe that can't be carried out on this picture.
  case invalidRecipe(file: String, detail: String)

  /// The file has no bytes.
  case empty(file: String)
  /// The file is damaged.
  case corrupt(file: String, detail: String)
  /// The file ends before the picture does.
  case truncated(file: String, detail: String)
  /// The picture costs more than a limit allows.
  case limitExceeded(file: String, limit: Limit, actual: Int, allowed: Int)

  /// There is no such file.
  case inputMissing(file: String)
  /// The file is there and can't be read (permission, a folder).
  case inputUnreadable(file: String, detail: String)

  /// The content is none of the seven formats; `found` names it where it is known.
  case unsupportedFormat(file: String, found: String?)
  /// The format is known, this kind of it is not read or written.
  case unsupportedFeature(file: String, feature: String)
  /// A program or library that belongs to CropKit is not there.
  case componentMissing(component: String, advice: String)

  /// The process that decoded the picture died.
  case workerDied(file: String, detail: String)
  /// The picture took longer than the limit, in seconds.
  case timedOut(file: String, seconds: Int)
  /// The picture needed more memory than the limit, in bytes.
  case outOfMemory(file: String, allowed: Int)

  /// The output is there already and replacing it was not allowed.
  case outputExists(path: String)
  /// The output is the input, by whatever name.
  case outputIsInput(path: String)
  /// The output can't be made (no such folder, permission, a folder is in its place).
  case outputUncreatable(path: String, detail: String)

  /// Reading broke off.
  case readFailed(file: String, detail: String)
  /// Writing broke off.
  case writeFailed(path: String, detail: String)
  /// There is no room for the output.
  case diskFull(path: String)

  /// Which limit was exceeded.
  public enum Limit: String, Sendable, Codable, CaseIterable {
    /// ``Limits/pixels``.
    case pixels
    /// ``Limits/bytes``.
    case bytes
    /// ``Limits/scans``.
    case scans
    /// ``Limits/memory``, estimated from the header.
    case memory
  }
}

extension CropError {
  /// The stable name, in kebab-case.
  public var code: String {
    switch self {
    case .usage: "usage"
    case .invalidRecipe: "invalid-recipe"
    case .empty: "empty"
    case .corrupt: "corrupt"
    case .truncated: "truncated"
    case .limitExceeded(_, let limit, _, _): "limit-\(limit.rawValue)"
    case .inputMissing: "input-missing"
    case .inputUnreadable: "input-unreadable"
    case .unsupportedFormat: "unsupported-format"
    case .unsupportedFeature: "unsupported-feature"
    case .componentMissing: "component-missing"
    case .workerDied: "worker-died"
    case .timedOut: "timed-out"
    case .outOfMemory: "out-of-memory"
    case .outputExists: "output-exists"
    case .outputIsInput: "output-is-input"
    case .outputUncreatable: "output-uncreatable"
    case .readFailed: "read-failed"
    case .writeFailed: "write-failed"
    case .diskFull: "disk-full"
    }
  }

  /// The status a command ends with.
  public var exitStatus: Int32 {
    switch self {
    case .usage, .invalidRecipe: 64
    case .empty, .corrupt, .truncated, .limitExceeded: 65
    case .inputMissing, .inputUnreadable: 66
    case .unsupportedFormat, .unsupportedFeature, .componentMissing: 69
    case .workerDied, .timedOut, .outOfMemory: 70
    case .outputExists, .outputIsInput, .outputUncreatable: 73
    case .readFailed, .writeFailed, .diskFull: 74
    }
  }

  /// The status a server answers with.
  public var httpStatus: Int {
    switch self {
    case .usage: 400
    case .invalidRecipe, .empty, .corrupt, .truncated: 422
    case .limitExceeded: 413
    case .inputMissing, .inputUnreadable: 404
    case .unsupportedFormat, .unsupportedFeature: 415
    case .componentMissing: 501
    case .workerDied, .outOfMemory, .readFailed, .writeFailed: 500
    case .timedOut: 504
    case .outputExists, .outputIsInput, .outputUncreatable: 409
    case .diskFull: 507
    }
  }
}
