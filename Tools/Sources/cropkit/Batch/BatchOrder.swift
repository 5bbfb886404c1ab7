import CropCore
import CropImaging
import FoundationEssentials

/// One crop of many, as a line of a manifest or the command line describes it.
struct BatchOrder: Sendable {
  /// The number of the line or of the input, from 1.
  let line: Int
  /// What the line is called; nil where it has no such name.
  var id: BatchID?
  /// As the line has them; nil where it has none.
  var input: BatchContent?
  var output: BatchContent?
  /// The name of the target that it is for; nil where it is for none.
  var target: String?
  /// What is to be done, or what is wrong with the line.
  var task: Result<CropTask, CropError>
  /// The place that no other line at work may write to; nil if that is sure without.
  var claim: UInt64?
  /// How many bytes are held in memory for it.
  var heldBytes = 0

  /// The crop of an input that the command line names.
  init(_ number: Int, _ input: FileArgument, _ task: Result<CropTask, CropError>) {
    line = number
    self.input = .file(input.name)
    self.task = task
    let understood = try? task.get()
    output = (understood?.output.name).map(BatchContent.file)
    target = understood?.what.target?.target.name
  }

  /// What is to be said of a line of this number, before more is known of it.
  init(line: Int, task: Result<CropTask, CropError>) {
    self.line = line
    self.task = task
  }

  /// Reads a line of a manifest, which has one crop or those of several targets. What it leaves out of the
  /// options is as in `options`.
  static func all(
    of line: BatchLine, folder: PathBytes?, options: ResultOptions = ResultOptions()
  ) -> [Self] {
    LineOrders(line, folder: folder, options: options, takesBytes: false).orders
  }

  /// The input a line names, nil for one that names none, and how many crops the line has.
  static func input(
    of line: BatchLine, folder: PathBytes?
  ) -> (input: FileArgument?, count: Int) {
    guard let bytes = line.bytes else { return (nil, 1) }
    let text = RawArguments.text(for: bytes)
    let fields = try? JSONDecoder().decode(InputAlone.self, from: Data(text.utf8))
    guard let fields else { return (nil, 1) }
    let count = fields.hasTargets ? all(of: line, folder: folder).count : 1
    return (FileArgument(fields.input, in: folder), count)
  }

  /// Text of a line as an answer has it: what is not UTF-8 is replaced.
  static func shown(_ name: String) -> String {
    String(decoding: RawArguments.bytes(of: name), as: UTF8.self)
  }
}

/// The part of a line that is of interest to other lines.
private struct InputAlone: Decodable {
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
  /// The file that `name` leads to from `folder`, which ends with a slash.
  init(_ name: String, in folder: PathBytes?) {
    let isWhole = name.hasPrefix("/") || Address(RawArguments.bytes(of: name)) != nil
    let prefix = isWhole ? [] : folder?.bytes ?? []
    self.init(argument: RawArguments.text(for: prefix) + name)
  }
}
