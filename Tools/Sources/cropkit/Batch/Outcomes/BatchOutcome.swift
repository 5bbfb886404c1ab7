import CropCore
import CropImaging
import FoundationEssentials

/// The outcome of one line, as printed on standard output.
struct BatchOutcome: Encodable, Sendable {
  let line: Int
  let id: BatchID?
  let input: BatchContent?
  let output: BatchContent?
  let target: String?
  let result: Result<Done, CropError>
  /// The message of the error; nil if it succeeded.
  let message: String?
  /// The elapsed time; nil if it is not reported.
  var seconds: Double?

  /// A finished crop.
  struct Done: Sendable {
    let format: ImageFormat
    let width: Int
    let height: Int
    let bytes: Int?
    let isLossless: Bool
    let warnings: [CropWarning]
    /// Whether an earlier run had already made it.
    var isSkipped = false
    /// The report of `cropkit crop`; nil if it was skipped.
    var report: CropReport?
    /// The result, if it follows the line; nil if it is in a file.
    var content: CropResult?
  }

  init(_ request: BatchRequest, _ result: Result<Done, CropError>) {
    line = request.line
    id = request.id
    input = request.input
    output = request.output
    target = request.target
    self.result = result
    let task = try? request.task.get()
    let files = [task?.input.name, task?.output.name, input?.name, output?.name]
    if case .failure(let error) = result {
      message = error.batchMessage(about: files.compactMap(\.self))
    } else {
      message = nil
    }
  }

  /// Records the elapsed time, to the microsecond.
  mutating func took(_ duration: Duration) {
    seconds = (duration / .microseconds(1)).rounded() / 1_000_000
  }

  /// The error; nil if it succeeded.
  var error: CropError? {
    if case .failure(let error) = result { error } else { nil }
  }

  /// The finished crop; nil if it failed.
  var done: Done? { try? result.get() }

  /// The output for the report, with the number of bytes instead of the bytes.
  private var reportedOutput: BatchContent? {
    guard case .bytes = output else { return output }
    return (done?.content).map { .bytes($0.byteCount) }
  }

  private enum Key: String, CodingKey {
    case line, id, input, output, target, ok, skipped, format, size, bytes, lossless, warnings,
      error
    case rect, gainMap, requantized, seconds
  }

  private struct Size: Encodable {
    let width: Int
    let height: Int
  }

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(line, forKey: .line)
    try fields.encodeIfPresent(id, forKey: .id)
    try fields.encodeIfPresent(input, forKey: .input)
    try fields.encodeIfPresent(reportedOutput, forKey: .output)
    try fields.encodeIfPresent(target, forKey: .target)
    try fields.encodeIfPresent(seconds, forKey: .seconds)
    switch result {
    case .success(let done):
      try fields.encode(true, forKey: .ok)
      if done.isSkipped { try fields.encode(true, forKey: .skipped) }
      try fields.encode(done.format, forKey: .format)
      try fields.encode(Size(width: done.width, height: done.height), forKey: .size)
      try fields.encodeIfPresent(done.bytes, forKey: .bytes)
      try fields.encode(done.isLossless, forKey: .lossless)
      try fields.encodeIfPresent(done.report?.rect, forKey: .rect)
      try fields.encodeIfPresent(done.report?.gainMap, forKey: .gainMap)
      try fields.encodeIfPresent(done.report?.requantized, forKey: .requantized)
      try fields.encode(done.warnings.map(\.inKeys), forKey: .warnings)
    case .failure(let error):
      try fields.encode(false, forKey: .ok)
      try fields.encode(
        CropFailure.Reason(
          code: error.code, message: message ?? error.message, exitStatus: error.exitStatus),
        forKey: .error)
    }
  }
}

extension BatchOutcome.Done {
  init(_ result: CropResult, _ report: CropReport) {
    self.report = report
    format = result.format
    width = result.size.width
    height = result.size.height
    bytes = result.byteCount
    isLossless = result.isLossless
    warnings = result.warnings
  }

  /// The note next to the file for a later run: `KEY[+KEY] FORMAT WIDTH HEIGHT l|r [WARNINGS]`.
  ///
  /// The Python package reads it too, in `Python/src/cropkit/_existing.py`.
  func note(_ keys: [String]) -> String? {
    guard !keys.isEmpty else { return nil }
    var words = [
      keys.joined(separator: "+"), format.rawValue, "\(width)", "\(height)",
    ]
    words.append(isLossless ? "l" : "r")
    if !warnings.isEmpty {
      guard let json = try? JSONEncoder().encode(warnings) else { return nil }
      words.append(String(decoding: json, as: UTF8.self))
    }
    return words.joined(separator: " ")
  }

  /// Parses the note of a file with this many bytes; nil if it has none of the keys.
  init?(note: String, _ byteCount: Int, _ keys: [String]) {
    let words = note.split(separator: " ", maxSplits: 5)
    guard words.count >= 5,
      words[0].split(separator: "+").contains(where: { keys.contains(String($0)) }),
      let format = ImageFormat(rawValue: String(words[1])),
      let width = Int(words[2]), let height = Int(words[3])
    else { return nil }
    self.format = format
    self.width = width
    self.height = height
    bytes = byteCount
    isLossless = words[4] == "l"
    if words.count > 5 {
      let json = Data(words[5].utf8)
      guard let list = try? JSONDecoder().decode([CropWarning].self, from: json) else { return nil }
      warnings = list
    } else {
      warnings = []
    }
    isSkipped = true
  }
}

extension CropError {
  /// The message about one of these files, with advice that applies to a batch.
  fileprivate func batchMessage(about files: [String]) -> String {
    switch self {
    case .outputIsInput(let path):
      "\(path.onOneLine): is the input of another crop; choose another output"
    default: LineWords.text(message, about: files)
    }
  }
}
