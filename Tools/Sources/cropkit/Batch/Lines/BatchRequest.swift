import CropCore
import CropImaging
import FoundationEssentials

/// One crop of a batch, from a manifest line or the command line.
struct BatchRequest: Sendable {
  /// The number of the line or input, from 1.
  let line: Int
  /// The line's id; nil if it has none.
  var id: BatchID?
  /// The line's input and output; nil if it has none.
  var input: BatchContent?
  var output: BatchContent?
  /// The name of its target; nil if it has none.
  var target: String?
  /// The task, or the error of the line.
  var task: Result<CropTask, CropError>
  /// Identifies the output, which no other line may write to at the same time; nil if that can't
  /// happen.
  var claim: UInt64?
  /// The number of bytes that it holds in memory.
  var heldBytes = 0

  /// The crop of an input on the command line.
  init(_ number: Int, _ input: FileArgument, _ task: Result<CropTask, CropError>) {
    line = number
    self.input = .file(input.name)
    self.task = task
    let understood = try? task.get()
    output = (understood?.output.name).map(BatchContent.file)
    target = understood?.what.target?.target.name
  }

  /// A line of which only the number is known.
  init(line: Int, task: Result<CropTask, CropError>) {
    self.line = line
    self.task = task
  }

  /// Parses a manifest line, which has one crop or several targets. Missing options default to
  /// `options`.
  static func all(
    of line: BatchLine, folder: PathBytes?, options: ResultOptions = ResultOptions()
  ) -> [Self] {
    LineRequests(line, folder: folder, options: options, takesBytes: false).requests
  }

  /// The input in a line, nil if it has none, and the number of crops in the line.
  static func input(
    of line: BatchLine, folder: PathBytes?
  ) -> (input: FileArgument?, count: Int) {
    guard let bytes = line.bytes else { return (nil, 1) }
    let text = RawArguments.text(for: bytes)
    let fields = try? JSONDecoder().decode(InputOnly.self, from: Data(text.utf8))
    guard let fields else { return (nil, 1) }
    let count = fields.hasTargets ? all(of: line, folder: folder).count : 1
    return (FileArgument(fields.input, in: folder), count)
  }

  /// The printable form of a string in a line: invalid UTF-8 is replaced.
  static func shown(_ name: String) -> String {
    String(decoding: RawArguments.bytes(of: name), as: UTF8.self)
  }
}

/// Decodes only the input of a line.
private struct InputOnly: Decodable {
  let input: String
  let hasTargets: Bool

  private enum Key: String, CodingKey { case input, targets }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    input = try fields.decode(String.self, forKey: .input)
    hasTargets = fields.contains(.targets)
  }
}

extension FileArgument {
  /// The file `name`, relative to `folder`, which ends with a slash.
  init(_ name: String, in folder: PathBytes?) {
    let isWhole = name.hasPrefix("/") || Address(RawArguments.bytes(of: name)) != nil
    let prefix = isWhole ? [] : folder?.bytes ?? []
    self.init(argument: RawArguments.text(for: prefix) + name)
  }
}

/// The client's id of a line, returned with its result.
enum BatchID: Equatable, Sendable {
  case text(String)
  /// A number with all its digits.
  case number(Decimal)
}

extension BatchID: Codable {
  /// - Throws: `DecodingError` if it is neither a string nor a number.
  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let text = try? value.decode(String.self) {
      self = .text(BatchRequest.shown(text))
      return
    }
    do {
      self = .number(try value.decode(Decimal.self))
    } catch DecodingError.typeMismatch {
      throw DecodingError.dataCorruptedError(
        in: value, debugDescription: "it must be a string or a number")
    } catch {
      throw DecodingError.dataCorruptedError(
        in: value, debugDescription: "the number is too large")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .text(let text): try value.encode(text)
    case .number(let number): try value.encode(number)
    }
  }
}
