extension DecodingError {
  /// A message about a JSON error.
  static func words(for error: any Error) -> String {
    switch error as? DecodingError {
    case .dataCorrupted(let context):
      // The decoder's built-in errors have no position and a different wording.
      return context.codingPath.isEmpty && context.debugDescription.hasPrefix("The given data")
        ? "it is not JSON" : placed(context.debugDescription, context)
    case .typeMismatch(let type, let context):
      return placed("it must be \(kind(of: type))", context)
    case .valueNotFound(let type, let context):
      return placed("it must be \(kind(of: type)), not null", context)
    case .keyNotFound(let key, let context):
      return "\"\(path(context.codingPath + [key]))\" is missing"
    default: return "it is not JSON"
    }
  }

  private static func placed(_ words: String, _ context: Context) -> String {
    context.codingPath.isEmpty ? words : "\(path(context.codingPath)): \(words)"
  }

  /// The path to a value, such as `targets[0].ratio`.
  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce(into: "") { path, key in
      if let index = key.intValue {
        path += "[\(index)]"
      } else {
        path += (path.isEmpty ? "" : ".") + key.stringValue
      }
    }
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
