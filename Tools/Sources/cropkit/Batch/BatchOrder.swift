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
  /// What is to be done, or what is wrong with the line.
  var task: Result<CropTask, CropError>

  /// The crop of an input that the command line names.
  init(_ number: Int, _ input: FileArgument, _ task: Result<CropTask, CropError>) {
    line = number
    self.input = input.name
    output = try? task.get().output.name
    self.task = task
  }

  /// Reads a line. What it leaves out of the options is as in `options`.
  init(_ line: BatchManifest.Line, folder: PathBytes?, options: ResultOptions = ResultOptions()) {
    self.line = line.number
    guard let bytes = line.bytes else {
      task = .failure(.usage(detail: "the line is longer than a megabyte"))
      return
    }
    // Names are any bytes, so what is not UTF-8 is carried through as arguments are.
    let text = RawArguments.text(for: bytes)
    do {
      let decoder = JSONDecoder()
      if let base = ResultOptions.base { decoder.userInfo[base] = options }
      let fields = try decoder.decode(Fields.self, from: Data(text.utf8))
      input = fields.input.map(Self.shown)
      output = fields.output.map(Self.shown)
      task = Result { () throws(CropError) in try fields.task(in: folder) }
    } catch {
      task = .failure(.usage(detail: DecodingError.words(for: error, in: Array(text.utf8))))
    }
  }

  /// The input a line names; nil for one that names none.
  static func input(of line: BatchManifest.Line, folder: PathBytes?) -> FileArgument? {
    guard let bytes = line.bytes else { return nil }
    let text = RawArguments.text(for: bytes)
    let fields = try? JSONDecoder().decode(InputAlone.self, from: Data(text.utf8))
    return fields.map { FileArgument($0.input, in: folder) }
  }

  fileprivate static func shown(_ name: String) -> String {
    String(decoding: RawArguments.bytes(of: name), as: UTF8.self)
  }
}

/// The part of a line that is of interest to other lines.
private struct InputAlone: Decodable {
  let input: String
}

/// A line's keys.
private struct Fields: Decodable {
  private(set) var input: String?
  private(set) var output: String?
  private var what = WhatToCut()
  private var options = ResultOptions()
  private var problem: CropError?

  private enum Key: String, CodingKey, CaseIterable {
    case input, output, recipe, options
    // What is to be cut without a recipe.
    case rect, inset, aspect, gravity, turn, mirror, tilt, shape, size, maxSide
  }

  /// Reads as much as there is, so that the outcome of a line with a mistake still names its files.
  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    do {
      input = try fields.decodeIfPresent(String.self, forKey: .input)
      output = try fields.decodeIfPresent(String.self, forKey: .output)
      _ = try decoder.strictContainer(keyedBy: Key.self)
      _ = try fields.decode(String.self, forKey: .input)
      _ = try fields.decode(String.self, forKey: .output)
      var words = try WhatWords(from: decoder.container(keyedBy: WhatWords.Key.self))
      words.hasRecipe = fields.contains(.recipe)
      if let wrong = words.problem {
        problem = .usage(detail: wrong)
        return
      }
      guard words.hasRecipe || !words.isEmpty else {
        throw DecodingError.keyNotFound(
          Key.recipe, .init(codingPath: [], debugDescription: "there is no recipe"))
      }
      what = words.values
      options = ResultOptions.base.flatMap { decoder.userInfo[$0] as? ResultOptions } ?? options
      options = try fields.decodeIfPresent(ResultOptions.self, forKey: .options) ?? options
    } catch {
      problem = .usage(detail: DecodingError.words(for: error))
      return
    }
    do {
      if fields.contains(.recipe) {
        what.recipe = try fields.decode(CropRecipe.self, forKey: .recipe)
      }
    } catch {
      problem = .invalidRecipe(
        file: BatchOrder.shown(input ?? ""), detail: DecodingError.words(for: error))
    }
  }

  func task(in folder: PathBytes?) throws(CropError) -> CropTask {
    if let problem { throw problem }
    for (key, name) in [("input", input ?? ""), ("output", output ?? "")] {
      guard name != "-", !name.isEmpty else {
        throw .usage(detail: "the \(key) must be the name of a file")
      }
    }
    return CropTask(
      input: FileArgument(input ?? "", in: folder), output: FileArgument(output ?? "", in: folder),
      what: what, options: options)
  }
}

extension FileArgument {
  /// The file that `name` leads to from `folder`, which ends with a slash.
  fileprivate init(_ name: String, in folder: PathBytes?) {
    let prefix = name.hasPrefix("/") ? [] : folder?.bytes ?? []
    self.init(argument: RawArguments.text(for: prefix) + name)
  }
}
