/// Where the bytes of a line's input or output are.
enum BatchContent: Equatable, Sendable {
  /// In the file of this name.
  case file(String)
  /// In the stream, right behind the line; so many, nil as long as nobody knows.
  case bytes(Int?)

  /// The name of the file; nil for bytes.
  var name: String? { if case .file(let name) = self { name } else { nil } }
}

extension BatchContent: Encodable {
  private enum Key: String, CodingKey { case bytes }

  /// A name, or `{"bytes": N}`.
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .file(let name):
      var value = encoder.singleValueContainer()
      try value.encode(name)
    case .bytes(let count):
      var fields = encoder.container(keyedBy: Key.self)
      try fields.encode(count, forKey: .bytes)
    }
  }
}

/// An input as a line says it: the name of a file, or `{"bytes": N}`.
struct BatchInputField: Decodable {
  let content: BatchContent

  private enum Key: String, CodingKey, CaseIterable { case bytes }

  init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      content = .file(name)
      return
    }
    let fields = try decoder.nameOrBytes(keyedBy: Key.self)
    let count = try fields.decode(Int.self, forKey: .bytes)
    guard count >= 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .bytes, in: fields, debugDescription: "\(count) is less than none")
    }
    content = .bytes(count)
  }
}

/// An output as a line says it: the name of a file, or `{"bytes": true}`.
struct BatchOutputField: Decodable {
  let content: BatchContent

  private enum Key: String, CodingKey, CaseIterable { case bytes }

  init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      content = .file(name)
      return
    }
    let fields = try decoder.nameOrBytes(keyedBy: Key.self)
    guard try fields.decode(Bool.self, forKey: .bytes) else {
      throw DecodingError.dataCorruptedError(
        forKey: .bytes, in: fields, debugDescription: "it can only be true; or name a file")
    }
    content = .bytes(nil)
  }
}

extension Decoder {
  /// The keys of what is no text.
  fileprivate func nameOrBytes<Key: CodingKey & CaseIterable>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard (try? container(keyedBy: type)) != nil else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: "it must be text, the name of a file"))
    }
    return try strictContainer(keyedBy: type)
  }
}
