import CropCore
import CropImaging
import FoundationEssentials

/// The crops of a line, and the bytes that follow it.
struct LineRequests {
  private(set) var requests: [BatchRequest]
  /// How many bytes follow the line; nil for none.
  private(set) var byteCount: Int?
  /// Whether an unknown number of bytes may follow the line.
  private(set) var payloadLengthUnknown = false
  /// Whether the line is not a JSON object.
  private(set) var isUnreadable = false

  /// Whether the line has a valid crop.
  var isUnderstood: Bool { requests.contains { (try? $0.task.get()) != nil } }

  /// Parses a line. Bytes instead of files are an error unless `takesBytes`.
  init(_ line: BatchLine, folder: PathBytes?, options: ResultOptions, takesBytes: Bool) {
    var request = BatchRequest(line: line.number, task: .failure(.usage(detail: "")))
    guard let bytes = line.bytes else {
      request.task = .failure(.usage(detail: "the line is longer than a megabyte"))
      requests = [request]
      isUnreadable = true
      return
    }
    // Names can have any bytes, so invalid UTF-8 is encoded as for arguments.
    let text = RawArguments.text(for: bytes)
    do {
      let decoder = JSONDecoder()
      if let base = ResultOptions.base { decoder.userInfo[base] = options }
      let fields = try StrictJSON.decode(BatchFields.self, from: Data(text.utf8), by: decoder)
      payloadLengthUnknown = fields.payloadLengthUnknown
      if case .bytes(let count) = fields.input { byteCount = count }
      (request.id, request.input) = (fields.id, fields.input?.shown)
      request.output = fields.output?.shown
      let hasBytes = byteCount != nil || fields.output == .bytes(nil)
      guard takesBytes || !hasBytes else {
        throw CropError.usage(detail: "bytes instead of a file need cropkit batch --stream")
      }
      requests = try fields.tasks(in: folder).map { request.with($0, in: fields.directory) }
    } catch let error as CropError {
      request.task = .failure(error)
      requests = [request]
    } catch {
      request.task = .failure(.usage(detail: LineWords.text(for: error)))
      requests = [request]
      isUnreadable = true
      payloadLengthUnknown = text.contains("\"bytes\"")
    }
  }

  /// Adds the bytes that followed the line, or the error; `count` bytes of memory are held.
  mutating func take(_ bytes: Result<Data, CropError>, holding count: Int) {
    for index in requests.indices {
      requests[index].heldBytes = count
      requests[index].task = requests[index].task.flatMap { task in
        bytes.map { bytes in
          var task = task
          task.bytes = bytes
          return task
        }
      }
    }
  }
}

extension BatchRequest {
  /// A copy with another task: for one crop of its line, which may be one of several in a folder.
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
  /// The printable form.
  fileprivate var shown: Self {
    if case .file(let name) = self { .file(BatchRequest.shown(name)) } else { self }
  }
}
