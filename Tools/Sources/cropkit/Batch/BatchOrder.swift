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

  fileprivate init(line: Int, task: Result<CropTask, CropError>) {
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

  static func shown(_ name: String) -> String {
    String(decoding: RawArguments.bytes(of: name), as: UTF8.self)
  }
}

/// What a line asks for, and what follows it.
struct LineOrders {
  private(set) var orders: [BatchOrder]
  /// How many bytes follow the line; nil for none.
  private(set) var byteCount: Int?
  /// Whether bytes may follow the line, and nobody knows how many.
  private(set) var isEndUnclear = false
  /// Whether it is no object of JSON.
  private(set) var isUnreadable = false

  /// Whether anything is to be done.
  var isUnderstood: Bool { orders.contains { (try? $0.task.get()) != nil } }

  /// Reads a line. Bytes in place of files are refused unless `takesBytes`.
  init(_ line: BatchLine, folder: PathBytes?, options: ResultOptions, takesBytes: Bool) {
    var order = BatchOrder(line: line.number, task: .failure(.usage(detail: "")))
    guard let bytes = line.bytes else {
      order.task = .failure(.usage(detail: "the line is longer than a megabyte"))
      orders = [order]
      isUnreadable = true
      return
    }
    // Names are any bytes, so what is not UTF-8 is carried through as arguments are.
    let text = RawArguments.text(for: bytes)
    do {
      let decoder = JSONDecoder()
      if let base = ResultOptions.base { decoder.userInfo[base] = options }
      let fields = try decoder.decode(BatchFields.self, from: Data(text.utf8))
      isEndUnclear = fields.isEndUnclear
      if case .bytes(let count) = fields.input { byteCount = count }
      (order.id, order.input) = (fields.id, fields.input?.shown)
      order.output = fields.output?.shown
      let hasBytes = byteCount != nil || fields.output == .bytes(nil)
      guard takesBytes || !hasBytes else {
        throw CropError.usage(detail: "bytes in place of a file are for cropkit batch --stream")
      }
      orders = try fields.tasks(in: folder).map { order.with($0, in: fields.directory) }
    } catch let error as CropError {
      order.task = .failure(error)
      orders = [order]
    } catch {
      order.task = .failure(.usage(detail: DecodingError.words(for: error, in: Array(text.utf8))))
      orders = [order]
      isUnreadable = true
      isEndUnclear = text.contains("\"bytes\"")
    }
  }

  /// Takes the bytes that followed the line, or why there are none; as many as followed it are held.
  mutating func take(_ bytes: Result<Data, CropError>, holding count: Int) {
    for index in orders.indices {
      orders[index].heldBytes = count
      orders[index].task = orders[index].task.flatMap { task in
        bytes.map { bytes in
          var task = task
          task.bytes = bytes
          return task
        }
      }
    }
  }
}

extension BatchOrder {
  /// The same for one crop of its line, which may be one of several in a folder.
  fileprivate func with(_ task: Result<CropTask, CropError>, in directory: String?) -> Self {
    var one = self
    one.task = task
    if let directory, let task = try? task.get() {
      let last = task.output.name.split(separator: "/").last ?? ""
      let folder = Self.shown(directory)
      one.output = .file(folder + (directory.hasSuffix("/") ? "" : "/") + last)
      one.target = task.what.target?.target.name
    }
    return one
  }
}

extension BatchContent {
  /// The same for an answer.
  fileprivate var shown: Self {
    if case .file(let name) = self { .file(BatchOrder.shown(name)) } else { self }
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
