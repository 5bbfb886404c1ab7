/// The location of the bytes of a line's input or output.
enum BatchContent: Equatable, Sendable {
  /// In a file with this name.
  case file(String)
  /// In the stream, directly after the line, with the number of bytes; nil while unknown.
  case bytes(Int?)

  /// The name of the file; nil for bytes.
  var name: String? { if case .file(let name) = self { name } else { nil } }
}

extension BatchContent: Encodable {
  /// A name, or `{"bytes": N}`.
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .file(let name):
      var value = encoder.singleValueContainer()
      try value.encode(name)
    case .bytes(let count):
      var fields = encoder.container(keyedBy: BytesKey.self)
      try fields.encode(count, forKey: .bytes)
    }
  }
}

/// The input in a line: the name of a file, or `{"bytes": N}`.
struct BatchInputField: Decodable {
  let content: BatchContent

  init(from decoder: any Decoder) throws {
    content = try decoder.content { fields in
      let count = try fields.decode(Int.self, forKey: .bytes)
      guard count >= 0 else {
        throw DecodingError.dataCorruptedError(
          forKey: .bytes, in: fields, debugDescription: "it must be 0 or more, not \(count)")
      }
      return count
    }
  }
}

/// The output in a line: the name of a file, or `{"bytes": true}`.
struct BatchOutputField: Decodable {
  let content: BatchContent

  init(from decoder: any Decoder) throws {
    content = try decoder.content { fields in
      guard try fields.decode(Bool.self, forKey: .bytes) else {
        throw DecodingError.dataCorruptedError(
          forKey: .bytes, in: fields, debugDescription: "it must be true; or name a file")
      }
      return nil
    }
  }
}

private enum BytesKey: String, CodingKey, CaseIterable { case bytes }

extension Decoder {
  /// The name, or bytes; `count` reads how many there are.
  fileprivate func content(
    _ count: (KeyedDecodingContainer<BytesKey>) throws -> Int?
  ) throws -> BatchContent {
    if let name = try? singleValueContainer().decode(String.self) { return .file(name) }
    guard (try? container(keyedBy: BytesKey.self)) != nil else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: "it must be the name of a file"))
    }
    return .bytes(try count(strictContainer(keyedBy: BytesKey.self)))
  }
}
