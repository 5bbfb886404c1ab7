import CropCore
import CropImaging

/// The keys of a line.
struct BatchFields: Decodable {
  private(set) var id: BatchID?
  private(set) var input: BatchContent?
  private(set) var output: BatchContent?
  /// Whether an unknown number of bytes may follow the line.
  private(set) var payloadLengthUnknown = false
  private var what = CropSpec()
  private var options = ResultOptions()
  private var targets: TargetFields?
  /// The value for the source of another program's crop.
  private var cropFrom: String?
  private var key: String?
  private var problem: CropError?

  private enum Key: String, CodingKey, CaseIterable {
    case id, input, output, recipe, cropFrom, options, key
    // For several crops; a focus applies to one crop or to all targets.
    case targets, focus, directory, name
  }

  /// The value for the folder of several targets' results; nil for one crop.
  var directory: String? { targets?.directory }

  /// Decodes as much as possible, so that the outcome of an invalid line still names its files.
  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    do {
      try readInput(in: fields)
      id = try fields.decodeIfPresent(BatchID.self, forKey: .id)
      output = try fields.decodeIfPresent(BatchOutputField.self, forKey: .output)?.content
      _ = try decoder.strictContainer(
        keyedBy: Key.self, besides: SpecArguments.Key.allCases.map(\.rawValue))
      let what = try decoder.container(keyedBy: SpecArguments.Key.self)
      _ = try fields.decode(BatchInputField.self, forKey: .input)
      options = ResultOptions.base.flatMap { decoder.userInfo[$0] as? ResultOptions } ?? options
      let usual = options
      options = try fields.decodeIfPresent(ResultOptions.self, forKey: .options) ?? options
      if TargetFields.arePresent(in: try decoder.container(keyedBy: TargetFields.Key.self)) {
        let ofOneCrop =
          [Key.output, .recipe, .cropFrom, .key].filter(fields.contains).map(\.rawValue)
          + SpecArguments.Key.allCases.filter {
            $0 != .focus && $0 != .enlarge && what.contains($0)
          }.map(\.rawValue)
        if let key = ofOneCrop.first {
          problem = .usage(detail: "a line has either targets and directory, or \(key)")
          return
        }
        let targets = try TargetFields(from: decoder)
        // Defaults of the command may be for other lines.
        if usual.canvasProblem(of: targets.document.targets) == nil {
          problem = options.canvasProblem(of: targets.document.targets).map { .usage(detail: $0) }
        }
        self.targets = targets
        return
      }
      _ = try fields.decode(BatchOutputField.self, forKey: .output)
      key = try fields.decodeIfPresent(BatchKey.self, forKey: .key)?.text
      var arguments = try SpecArguments(from: what)
      arguments.hasRecipe = fields.contains(.recipe)
      cropFrom = try fields.decodeIfPresent(String.self, forKey: .cropFrom)
      arguments.hasMark = cropFrom != nil
      if let wrong = arguments.problem {
        problem = .usage(detail: wrong)
        return
      }
      // Without anything else, the options apply to the whole image.
      let isWhole = arguments.isEmpty && fields.contains(.options)
      guard arguments.hasRecipe || arguments.hasMark || !arguments.isEmpty || isWhole else {
        throw DecodingError.keyNotFound(
          Key.recipe, .init(codingPath: [], debugDescription: "there is no recipe"))
      }
      self.what = arguments.values
      if isWhole, !arguments.hasRecipe, !arguments.hasMark { self.what.recipe = CropRecipe() }
    } catch {
      problem = .usage(detail: LineWords.text(for: error))
      return
    }
    do {
      if fields.contains(.recipe) {
        what.recipe = try fields.decode(CropRecipe.self, forKey: .recipe)
      }
    } catch {
      problem = .invalidRecipe(
        file: BatchRequest.shown(input?.name ?? CropTask.nameOfBytes),
        detail: LineWords.text(for: error))
    }
  }

  private mutating func readInput(in fields: KeyedDecodingContainer<Key>) throws {
    do {
      input = try fields.decodeIfPresent(BatchInputField.self, forKey: .input)?.content
    } catch {
      payloadLengthUnknown = (try? fields.nestedContainer(keyedBy: Key.self, forKey: .input)) != nil
      throw error
    }
  }

  /// The tasks of the line.
  ///
  /// - Throws: `CropError` if the line is invalid.
  func tasks(in folder: PathBytes?) throws(CropError) -> [Result<CropTask, CropError>] {
    if let problem { throw problem }
    let places = [
      ("input", input?.name),
      targets.map { ("directory", $0.directory) } ?? ("output", output?.name),
    ]
    for case (let key, let name?) in places where name.isEmpty || name == "-" {
      throw .usage(
        detail: key == "directory"
          ? "the directory must be the name of a folder" : "the \(key) must be the name of a file")
    }
    // Bytes without a name are handled like a standard stream: the name does not imply a format.
    let file = FileArgument(input?.name ?? "-", in: input?.name == nil ? nil : folder)
    if let targets {
      guard input?.name != nil else {
        throw .usage(detail: "a line with targets needs the name of a file as its input")
      }
      return try TargetPlan(
        input: file, document: targets.document,
        folder: FileArgument(targets.directory, in: folder),
        names: targets.names, enlarges: targets.enlarges, options: options
      ).tasks()
    }
    var what = what
    what.mark = cropFrom.map { MarkChoice($0, in: folder) }
    let result = FileArgument(output?.name ?? "-", in: output?.name == nil ? nil : folder)
    return [
      .success(
        CropTask(
          input: file, output: result, folder: result.isStandardStream ? nil : result.folder,
          what: what, options: options, key: key))
    ]
  }
}

/// A line's `key`, a word that a note can hold.
private struct BatchKey: Decodable {
  let text: String

  /// The maximum number of characters. File systems store short notes at no cost.
  private static let maxLength = 16

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    text = try value.decode(String.self)
    let isWord = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    guard isWord, !text.isEmpty, text.utf8.count <= Self.maxLength else {
      throw DecodingError.dataCorruptedError(
        in: value,
        debugDescription: "it must be 1 to \(Self.maxLength) letters, digits, - or _")
    }
  }
}

/// A line's keys for targets.
struct TargetFields: Decodable {
  let document: TargetDocument
  let directory: String
  let names: ResultNames?
  let enlarges: Bool

  enum Key: String, CodingKey { case targets, focus, directory, name, enlarge }

  /// Whether a line has any of these keys.
  static func arePresent(in fields: KeyedDecodingContainer<Key>) -> Bool {
    fields.allKeys.contains { $0 != .focus && $0 != .enlarge }
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    var document = try Self.document(in: fields)
    document.focus = try fields.decodeIfPresent(FocusBox.self, forKey: .focus) ?? document.focus
    self.document = document
    directory = try fields.decode(String.self, forKey: .directory)
    names = try fields.decodeIfPresent(String.self, forKey: .name).map { text in
      guard let names = ResultNames(argument: text) else {
        throw DecodingError.dataCorruptedError(
          forKey: .name, in: fields,
          debugDescription:
            "\"\(text)\" is not understood; expected {name}, {target}, {number}, {width}, {height} or {ext}"
        )
      }
      return names
    }
    enlarges = try fields.decodeIfPresent(Bool.self, forKey: .enlarge) ?? false
  }

  /// The name of a built-in set, or a document.
  private static func document(
    in fields: KeyedDecodingContainer<Key>
  ) throws -> TargetDocument {
    guard let name = try? fields.decode(String.self, forKey: .targets) else {
      return try fields.decode(TargetDocument.self, forKey: .targets)
    }
    guard let set = TargetSet(name: name) else {
      let known = TargetSet.all.map(\.name).joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        forKey: .targets, in: fields,
        debugDescription: "\"\(name)\" is not a set; expected one of \(known)")
    }
    return TargetDocument(targets: set.targets)
  }
}
