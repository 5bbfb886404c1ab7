import CropImaging
import Foundation
import Hummingbird

/// The query of a request, as HTML forms and `URLSearchParams` write it.
struct Query {
  private let values: [String: String]

  /// Reads the query of an address.
  ///
  /// - Throws: `Problem` for a name that is not in `known` or is there twice, so that a misspelt one is
  ///   never ignored, and for what is not UTF-8.
  init(of request: Request, known: Set<String>) throws(Problem) {
    try self.init(request.uri.query ?? "", known: known)
  }

  /// Reads what a form sends, in the same way.
  init(_ text: String, known: Set<String>) throws(Problem) {
    var values: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(parts[0]), known.contains(name) else {
        let words = known.sorted().joined(separator: ", ")
        throw Self.problem("\"\(parts[0])\" is not known; known here: \(words)")
      }
      guard let value = Self.decoded(parts.count > 1 ? parts[1] : "") else {
        throw Self.problem("the value of \"\(name)\" is no UTF-8")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw Self.problem("\"\(name)\" is there twice")
      }
    }
    self.values = values
  }

  /// The value of a name, nil where it is missing.
  subscript(name: String) -> String? { values[name] }

  private static func decoded(_ text: Substring) -> String? {
    text.replacing("+", with: " ").removingPercentEncoding
  }

  private static func problem(_ detail: String) -> Problem {
    Problem(.badRequest, code: "usage", detail)
  }
}

extension Query {
  /// What messages call the picture that is sent along: the value of `name`, if it is one.
  var pictureName: String {
    let name = self["name"] ?? ""
    return name.isEmpty || name.utf8.count > 255 ? "the picture" : name
  }

  /// A value in JSON; nil where it is missing.
  ///
  /// - Throws: `Problem` for anything but the JSON of such a value.
  func json<Value: Decodable>(_ type: Value.Type, in name: String) throws(Problem) -> Value? {
    guard let text = self[name] else { return nil }
    do {
      return try StrictJSON.decode(type, from: Data(text.utf8))
    } catch {
      let words = (error as? DecodingError)?.words ?? "it is not JSON"
      throw Problem(.badRequest, code: "invalid-\(name)", "\(name): \(words)")
    }
  }

  /// A whole number; nil where it is missing.
  func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw Self.problem(
        "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Whether something is asked for; it is not where the name is missing.
  ///
  /// - Throws: `Problem` for anything but `true` and `false`.
  func flag(_ name: String) throws(Problem) -> Bool {
    guard let text = self[name] else { return false }
    guard let isSet = Bool(text) else { throw Self.problem("\(name) is true or false") }
    return isSet
  }

  /// The longer side of a preview, in pixels: 2048 unless asked for.
  func previewSide() throws(Problem) -> Int {
    try number("maxSide", in: 1...4096) ?? 2048
  }
}

extension DecodingError {
  /// Where something is wrong.
  var path: [any CodingKey] { mistake.path }

  private var mistake: (path: [any CodingKey], detail: String) {
    switch self {
    case .dataCorrupted(let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context):
      (context.codingPath, context.debugDescription)
    case .keyNotFound(let key, let context): (context.codingPath + [key], "it is missing")
    @unknown default: ([], "it can't be read")
    }
  }

  /// What is wrong, in one line.
  var words: String {
    let (path, detail) = mistake
    // As people write it: targets[2].ratio.
    let place = path.reduce(into: "") { place, key in
      if let index = key.intValue {
        place += "[\(index)]"
      } else {
        place += (place.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return place.isEmpty ? detail : "\(place): \(detail)"
  }
}
