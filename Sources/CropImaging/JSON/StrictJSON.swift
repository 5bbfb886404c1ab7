import FoundationEssentials

/// Reads JSON from outside: recipes, lines of batches, sets of targets, bodies of requests.
///
/// Foundation's decoder accepts trailing commas, keeps one of two values for the same key and reads a number
/// too close to 0 as 0. A value that its author did not write must not decide what is cut, so these are errors
/// here.
public enum StrictJSON {
  /// The value that `bytes` hold.
  ///
  /// - Throws: `DecodingError`, with an empty path and a ``JSONFault/message`` where the text itself is wrong.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: Data, by decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    if let fault = JSONFault(in: Array(bytes)) {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: fault.message))
    }
    return try decoder.decode(type, from: bytes)
  }
}
