import CropCore
import CropImaging
import Foundation

/// One crop, as a line of the manifest tells it.
struct BatchOrder: Sendable {
  /// The number of the line, from 1.
  let line: Int
  /// The names as the line has them; nil where it has none.
  var input: String?
  var output: String?
  /// What is to be done, or what is wrong with the line.
  var task: Result<Task, CropError>

  /// What is to be done.
  struct Task: Sendable {
    let input: FileArgument
    let output: FileArgument
    let recipe: CropRecipe
  }

  /// Reads a line.
  init(_ line: BatchManifest.Line, folder: PathBytes?) {
    self.line = line.number
    guard let bytes = line.bytes else {
      task = .failure(.usage(detail: "the line is longer than a megabyte"))
      return
    }
    do {
      // Names are any bytes, so what is not UTF-8 is carried through as arguments are.
      let text = RawArguments.text(for: bytes)
      let fields = try JSONDecoder().decode(Fields.self, from: Data(text.utf8))
      input = fields.input.map(Self.shown)
      output = fields.output.map(Self.shown)
      task = Result { () throws(CropError) in try fields.task(in: folder) }
    } catch {
      task = .failure(.usage(detail: DecodingError.words(for: error)))
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
  private var recipe = CropRecipe()
  private var problem: CropError?

  private enum Key: String, CodingKey, CaseIterable { case input, output, recipe }

  /// Reads as much as there is, so that a line with a mistake still tells which one it is.
  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    do {
      let all = try decoder.container(keyedBy: AnyKey.self)
      input = try fields.decodeIfPresent(String.self, forKey: .input)
      output = try fields.decodeIfPresent(String.self, forKey: .output)
      if let unknown = all.allKeys.first(where: { Key(stringValue: $0.stringValue) == nil }) {
        throw DecodingError.dataCorruptedError(
          forKey: unknown, in: all,
          debugDescription: "\"\(unknown.stringValue)\" is not known; known here: "
            + "input, output, recipe")
      }
      _ = try fields.decode(String.self, forKey: .input)
      _ = try fields.decode(String.self, forKey: .output)
      guard fields.contains(.recipe) else {
        throw DecodingError.keyNotFound(
          Key.recipe, .init(codingPath: [], debugDescription: "there is no recipe"))
      }
    } catch {
      problem = .usage(detail: DecodingError.words(for: error))
      return
    }
    do {
      recipe = try fields.decode(CropRecipe.self, forKey: .recipe)
    } catch {
      problem = .invalidRecipe(
        file: BatchOrder.shown(input ?? ""), detail: DecodingError.words(for: error))
    }
  }

  func task(in folder: PathBytes?) throws(CropError) -> BatchOrder.Task {
    if let problem { throw problem }
    for (key, name) in [("input", input ?? ""), ("output", output ?? "")] {
      guard name != "-", !name.isEmpty else {
        throw .usage(detail: "the \(key) must be the name of a file")
      }
    }
    return BatchOrder.Task(
      input: FileArgument(input ?? "", in: folder), output: FileArgument(output ?? "", in: folder),
      recipe: recipe)
  }
}

private struct AnyKey: CodingKey {
  let stringValue: String
  let intValue: Int? = nil
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension FileArgument {
  /// The file that `name` leads to from `folder`, which ends with a slash.
  fileprivate init(_ name: String, in folder: PathBytes?) {
    let prefix = name.hasPrefix("/") ? [] : folder?.bytes ?? []
    self.init(argument: RawArguments.text(for: prefix) + name)
  }
}
