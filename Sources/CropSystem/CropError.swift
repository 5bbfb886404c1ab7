/// Why an image was not read, cropped or saved.
///
/// Every case has a stable ``code``, a one-line ``message`` that states what happened, to which
/// file and what to do, an ``exitStatus`` (sysexits) and an ``httpStatus``. `file` and `path` are
/// names for users.
public enum CropError: Error, Sendable, Equatable, Codable {
  /// An invalid option, argument or setting.
  case usage(detail: String)
  /// A recipe that is invalid for this image.
  case invalidRecipe(file: String, detail: String)

  /// The file has no bytes.
  case empty(file: String)
  /// The file is damaged.
  case corrupt(file: String, detail: String)
  /// The file ends in the middle of the image data.
  case truncated(file: String, detail: String)
  /// The image exceeds a limit; `actual` and `allowed` are in the unit of that limit.
  case limitExceeded(file: String, limit: Limit, actual: Int, allowed: Int)
  /// The result exceeds the requested number of bytes, even at the lowest quality that is tried.
  /// `quality` is that quality, nil if the format has no quality setting.
  case tooManyBytes(file: String, reached: Int, allowed: Int, quality: Int?)

  /// There is no such file.
  case inputMissing(file: String)
  /// The file exists but can't be read (permissions, or a folder).
  case inputUnreadable(file: String, detail: String)

  /// The file is in none of the supported formats; `found` names its format if it was recognised.
  case unsupportedFormat(file: String, found: String?)
  /// The format is supported, but this variant of it can't be read or written.
  case unsupportedFeature(file: String, feature: String)
  /// A program or library that belongs to CropKit is missing.
  case componentMissing(component: String, advice: String)
  /// A process or thread can't be started, or a file can't be opened, because a system limit is
  /// reached.
  case resourceUnavailable(what: String, detail: String)

  /// The work was cancelled (``CropStop``).
  case cancelled
  /// The process that decoded the image crashed or was killed.
  case workerDied(file: String, detail: String)
  /// The image took longer than the limit, in seconds of processor time.
  case timedOut(file: String, seconds: Int)
  /// The image needed more memory than the limit, in bytes: ``Limits/memory`` or a smaller one set
  /// for the process, which `outer` names (`ulimit -v`).
  case outOfMemory(file: String, allowed: Int, outer: String? = nil)

  /// The output exists, and overwriting was not allowed.
  case outputExists(path: String)
  /// The output is the input file, possibly under another name.
  case outputIsInput(path: String)
  /// Another program saved the file that was to be replaced; its version stays in place. `kept` is
  /// the new name of a file that had to be moved aside, if any.
  case outputChanged(path: String, kept: String?)
  /// Replacing the file at `path` would lose other content of it: `losses`.
  case wouldLoseData(path: String, losses: [DataLoss])
  /// The output can't be created (missing folder, permissions, or a folder with that name).
  case outputUncreatable(path: String, detail: String)

  /// The file could not be read to its end.
  case readFailed(file: String, detail: String)
  /// The file could not be written to its end.
  case writeFailed(path: String, detail: String)
  /// The disk is full.
  case diskFull(path: String)
  /// The output is complete and in place, but the disk did not confirm that it is stored.
  case notFlushed(path: String, detail: String)

  /// Which limit was exceeded.
  public enum Limit: String, Sendable, Codable, CaseIterable {
    /// ``Limits/pixels``.
    case pixels
    /// ``Limits/output``.
    case output
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
    case .cancelled: "cancelled"
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

  /// The exit status of a command that fails with this error (sysexits).
  public var exitStatus: Int32 {
    switch self {
    case .usage, .invalidRecipe: 64
    case .empty, .corrupt, .truncated, .limitExceeded, .tooManyBytes: 65
    case .inputMissing, .inputUnreadable: 66
    case .unsupportedFormat, .unsupportedFeature, .componentMissing: 69
    case .cancelled, .workerDied, .timedOut, .outOfMemory: 70
    case .resourceUnavailable: 71
    case .outputExists, .outputIsInput, .outputChanged, .wouldLoseData, .outputUncreatable: 73
    case .readFailed, .writeFailed, .diskFull, .notFlushed: 74
    }
  }

  /// The HTTP status of the response.
  public var httpStatus: Int {
    switch self {
    case .usage: 400
    case .invalidRecipe, .empty, .corrupt, .truncated, .tooManyBytes: 422
    case .limitExceeded: 413
    case .inputMissing, .inputUnreadable: 404
    case .unsupportedFormat, .unsupportedFeature: 415
    case .componentMissing: 501
    case .resourceUnavailable, .cancelled: 503
    case .workerDied, .outOfMemory, .readFailed, .writeFailed, .notFlushed: 500
    case .timedOut: 504
    case .outputExists, .outputIsInput, .outputChanged, .wouldLoseData, .outputUncreatable: 409
    case .diskFull: 507
    }
  }
}

/// Content of a file other than its image that replacing the file would lose.
public struct DataLoss: Hashable, Sendable, Codable {
  /// The stable name, in kebab-case, such as `gain-map`.
  public let code: String
  /// The name for users, such as `gain map` or `2 other pages`.
  public let name: String

  /// A loss with the given code and name.
  public init(code: String, name: String) {
    self.code = code
    self.name = name
  }

  /// The names of `losses`, separated by commas, such as `gain map, video`.
  public static func names(_ losses: [Self]) -> String {
    losses.map(\.name).joined(separator: ", ")
  }
}
