/// What a line is called by whoever wrote it; its answer has the same.
enum BatchID: Equatable, Sendable {
  case text(String)
  case whole(Int)
  case number(Double)
}

extension BatchID: Codable {
  /// - Throws: `DecodingError` for what is neither text nor a number.
  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let text = try? value.decode(String.self) {
      self = .text(BatchOrder.shown(text))
    } else if let number = try? value.decode(Int.self) {
      self = .whole(number)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else {
      throw DecodingError.dataCorruptedError(
        in: value, debugDescription: "it must be text or a number")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .text(let text): try value.encode(text)
    case .whole(let number): try value.encode(number)
    case .number(let number): try value.encode(number)
    }
  }
}
