extension DecodingError {
  /// The path to the invalid value.
  public var path: [any CodingKey] {
    switch self {
    case .dataCorrupted(let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context):
      context.codingPath
    case .keyNotFound(let key, let context): context.codingPath + [key]
    @unknown default: []
    }
  }

  /// What is wrong with the JSON, in one line that starts with the path to the value, such as
  /// `targets[0].ratio`.
  public var words: String { words(about: Self.name(of: path)) }

  /// The name of the value at `path`, such as `targets[0].ratio`.
  public static func name(of path: [any CodingKey]) -> String {
    path.reduce(into: "") { name, key in
      if let index = key.intValue {
        name += "[\(index)]"
      } else {
        name += (name.isEmpty ? "" : ".") + key.stringValue
      }
    }
  }

  private func words(about name: String) -> String {
    let words: String
    switch self {
    case .keyNotFound: return "\"\(name)\" is missing"
    case .typeMismatch(let type, _): words = "it must be \(Self.kind(of: type))"
    case .valueNotFound(let type, _): words = "it must be \(Self.kind(of: type)), not null"
    // The decoder's own words.
    case .dataCorrupted(let context) where context.debugDescription.hasPrefix("The given data"):
      words = "it is not JSON"
    case .dataCorrupted(let context): words = context.debugDescription
    @unknown default: words = "it is not JSON"
    }
    return name.isEmpty ? words : "\(name): \(words)"
  }

  /// What is wrong with JSON whose syntax ``StrictJSON`` has checked, in one line.
  ///
  /// Foundation's decoder throws an error of a private type for a number that is too large. `name`
  /// makes the name of the value from its path.
  public static func words(
    for error: any Error, naming name: ([any CodingKey]) -> String = name(of:)
  ) -> String {
    guard let error = error as? DecodingError else { return "a number is too large" }
    return error.words(about: name(error.path))
  }

  /// The JSON name for a type.
  private static func kind(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is Double.Type, is Int.Type: "a number"
    default: "a JSON object"
    }
  }
}
