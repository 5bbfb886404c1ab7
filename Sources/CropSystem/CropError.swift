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
  /// The result has more bytes than it may have, also with the least quality that is taken; nil where
  /// its format has none.
  case tooManyBytes(file: String, reached: Int, allowed: Int, quality: Int?)

  /// There is no such file.
  case inputMissing(file: String)
  /// The file is there and can't be read (permission, a folder).
  case inputUnreadable(file: String, detail: String)

  /// The content is none of the formats; `found` names it where it is known.
  case unsupportedFormat(file: String, found: String?)
  /// The format is known, this kind of it is not read or written.
  case unsupportedFeature(file: String, feature: String)
  /// A program or library that belongs to CropKit is not there.
  case componentMissing(component: String, advice: String)
  /// A process or thread can't be started, or a file opened, as a limit of the system is reached.
  case resourceUnavailable(what: String, detail: String)

  /// The process that decoded the picture died.
  case workerDied(file: String, detail: String)
  /// The picture took longer than the limit, in seconds.
  case timedOut(file: String, seconds: Int)
  /// The picture needed more memory than the limit, in bytes: ``Limits/memory``, or one that was set for the
  /// program by what `outer` says (`ulimit -v`).
  case outOfMemory(file: String, allowed: Int, outer: String? = nil)

  /// The output is there already and replacing it was not allowed.
  case outputExists(path: String)
  /// The output is the input, by whatever name.
  case outputIsInput(path: String)
  /// Another program saved the file that was to be replaced; what it saved is there. An earlier file
  /// that was in the way is beside it under the name `kept`.
  case outputChanged(path: String, kept: String?)
  /// Replacing the picture at `path` would lose what else its file holds, `losses`.
  case wouldLoseData(path: String, losses: [DataLoss])
  /// The output can't be made (no such folder, permission, a folder is in its place).
  case outputUncreatable(path: String, detail: String)

  /// Reading broke off.
  case readFailed(file: String, detail: String)
  /// Writing broke off.
  case writeFailed(path: String, detail: String)
  /// There is no room for the output.
  case diskFull(path: String)
  /// The output is in its place, whole, but the disk did not confirm that it will stay there.
  case notFlushed(path: String, detail: String)

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
    case .tooManyBytes: "too-many-bytes"
    case .inputMissing: "input-missing"
    case .inputUnreadable: "input-unreadable"
    case .unsupportedFormat: "unsupported-format"
    case .unsupportedFeature: "unsupported-feature"
    case .componentMissing: "component-missing"
    case .resourceUnavailable: "resource-unavailable"
    case .workerDied: "worker-died"
    case .timedOut: "timed-out"
    case .outOfMemory: "out-of-memory"
    case .outputExists: "output-exists"
    case .outputIsInput: "output-is-input"
    case .outputChanged: "output-changed"
    case .wouldLoseData: "would-lose-data"
    case .outputUncreatable: "output-uncreatable"
    case .readFailed: "read-failed"
    case .writeFailed: "write-failed"
    case .diskFull: "disk-full"
    case .notFlushed: "not-flushed"
    }
  }

  /// The status a command ends with.
  public var exitStatus: Int32 {
    switch self {
    case .usage, .invalidRecipe: 64
    case .empty, .corrupt, .truncated, .limitExceeded, .tooManyBytes: 65
    case .inputMissing, .inputUnreadable: 66
    case .unsupportedFormat, .unsupportedFeature, .componentMissing: 69
    case .workerDied, .timedOut, .outOfMemory: 70
    case .resourceUnavailable: 71
    case .outputExists, .outputIsInput, .outputChanged, .wouldLoseData, .outputUncreatable: 73
    case .readFailed, .writeFailed, .diskFull, .notFlushed: 74
    }
  }

  /// The status a server answers with.
  public var httpStatus: Int {
    switch self {
    case .usage: 400
    case .invalidRecipe, .empty, .corrupt, .truncated, .tooManyBytes: 422
    case .limitExceeded: 413
    case .inputMissing, .inputUnreadable: 404
    case .unsupportedFormat, .unsupportedFeature: 415
    case .componentMissing: 501
    case .resourceUnavailable: 503
    case .workerDied, .outOfMemory, .readFailed, .writeFailed, .notFlushed: 500
    case .timedOut: 504
    case .outputExists, .outputIsInput, .outputChanged, .wouldLoseData, .outputUncreatable: 409
    case .diskFull: 507
    }
  }
}
