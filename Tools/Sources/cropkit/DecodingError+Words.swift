extension DecodingError {
  /// What is wrong with JSON, for a person.
  static func words(for error: any Error) -> String {
    switch error as? DecodingError {
    case .dataCorrupted(let context):
      // What is no JSON at all is told without a path, in the words of whoever reads it.
      return context.codingPath.isEmpty && context.underlyingError != nil
        ? "it is not JSON" : placed(context.debugDescription, context)
    case .typeMismatch(let type, let context):
      return placed("it must be \(kind(of: type))", context)
    case .valueNotFound(let type, let context):
      return placed("it must be \(kind(of: type)), not null", context)
    case .keyNotFound(let key, let context):
      let path = (context.codingPath + [key]).map(\.stringValue).joined(separator: ".")
      return "\"\(path)\" is missing"
    default: return "it is not JSON"
    }
  }

  private static func placed(_ words: String, _ context: Context) -> String {
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return path.isEmpty ? words : "\(path): \(words)"
  }

  /// What JSON calls values of a type.
  private static func kind(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "text"
    case is Bool.Type: "true or false"
    case is Double.Type, is Int.Type: "a number"
    default: "an object in braces"
    }
  }
}
