import CropCore
import CropImaging
import FoundationEssentials

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
      let fields = try StrictJSON.decode(BatchFields.self, from: Data(text.utf8), by: decoder)
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
      order.task = .failure(.usage(detail: DecodingError.words(for: error)))
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
