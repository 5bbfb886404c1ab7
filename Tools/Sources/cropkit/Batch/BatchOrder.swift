import CropCore
import CropImaging
import FoundationEssentials

/// One crop of many, as a line of a manifest or the command line describes it.
struct BatchOrder: Sendable {
  /// The number of the line or of the input, from 1.
  let line: Int
  /// The names as the line has them; nil where it has none.
  var input: String?
  var output: String?
  /// The name of the target that it is for; nil where it is for none.
  var target: String?
  /// What is to be done, or what is wrong with the line.
  var task: Result<CropTask, CropError>

  /// The crop of an input that the command line names.
  init(_ number: Int, _ input: FileArgument, _ task: Result<CropTask, CropError>) {
    line = number
    self.input = input.name
    self.task = task
    let understood = try? task.get()
    output = understood?.output.name
    target = understood?.what.target?.target.name
  }

  private init(line: Int, task: Result<CropTask, CropError>) {
    self.line = line
    self.task = task
  }

  /// Reads a line, which has one crop or those of several targets. What it leaves out of the options is
  /// as in `options`.
  static func all(
    of line: BatchManifest.Line, folder: PathBytes?, options: ResultOptions = ResultOptions()
  ) -> [Self] {
    var order = Self(line: line.number, task: .failure(.usage(detail: "")))
    guard let bytes = line.bytes else {
      order.task = .failure(.usage(detail: "the line is longer than a megabyte"))
      return [order]
    }
    // Names are any bytes, so what is not UTF-8 is carried through as arguments are.
    let text = RawArguments.text(for: bytes)
    do {
      let decoder = JSONDecoder()
      if let base = ResultOptions.base { decoder.userInfo[base] = options }
      let fields = try decoder.decode(BatchFields.self, from: Data(text.utf8))
      order.input = fields.input.map(shown)
      order.output = fields.output.map(shown)
      return try fields.tasks(in: folder).map { task in
        var one = order
        one.task = task
        if let directory = fields.directory, let task = try? task.get() {
          let last = task.output.name.split(separator: "/").last ?? ""
          one.output = shown(directory) + (directory.hasSuffix("/") ? "" : "/") + last
          one.target = task.what.target?.target.name
        }
        return one
      }
    } catch let error as CropError {
      order.task = .failure(error)
    } catch {
      order.task = .failure(.usage(detail: DecodingError.words(for: error, in: Array(text.utf8))))
    }
    return [order]
  }

  /// The input a line names, nil for one that names none, and how many crops the line has.
  static func input(
    of line: BatchManifest.Line, folder: PathBytes?
  ) -> (input: FileArgument?, count: Int) {
    guard let bytes = line.bytes else { return (nil, 1) }
    let text = RawArguments.text(for: bytes)
    let fields = try? JSONDecoder().decode(InputAlone.self, from: Data(text.utf8))
    guard let fields else { return (nil, 1) }
    let count = fields.hasTargets ? all(of: line, folder: folder).count : 1
    return (FileArgument(fields.input, in: folder), count)
  }

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
    let prefix = name.hasPrefix("/") ? [] : folder?.bytes ?? []
    self.init(argument: RawArguments.text(for: prefix) + name)
  }
}
