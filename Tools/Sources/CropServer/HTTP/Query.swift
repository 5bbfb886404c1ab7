import CropImaging
import FoundationEssentials
import Glibc
import Hummingbird

/// The query of a request, as encoded by HTML forms and `URLSearchParams`.
struct Query {
  private let values: [String: String]

  /// Reads the query of an address.
  ///
  /// - Throws: `Problem` for a name that is not in `known` or occurs twice, so that a misspelt name
  ///   is never ignored, and for invalid UTF-8.
  init(of request: Request, known: Set<String>) throws(Problem) {
    try self.init(request.uri.query ?? "", known: known)
  }

  /// Reads the body of a form, by the same rules.
  init(_ text: String, known: Set<String>) throws(Problem) {
    var values: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(parts[0]), known.contains(name) else {
        let words = known.sorted().joined(separator: ", ")
        throw Self.problem("\"\(parts[0])\" is not known; expected one of \(words)")
      }
      guard let value = Self.decoded(parts.count > 1 ? parts[1] : "") else {
        throw Self.problem("the value of \"\(name)\" is not UTF-8")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw Self.problem("\"\(name)\" occurs twice")
      }
    }
    self.values = values
  }

  /// The value for a name; nil if it is missing.
  subscript(name: String) -> String? { values[name] }

  private static func decoded(_ text: Substring) -> String? {
    text.replacing("+", with: " ").percentDecoded
  }

  private static func problem(_ detail: String) -> Problem {
    Problem(.badRequest, code: "usage", detail)
  }
}

extension Query {
  /// The uploaded image's name in messages: the value of `name`, if it is valid.
  var pictureName: String {
    let name = self["name"] ?? ""
    return name.isEmpty || name.utf8.count > 255 ? "the image" : name
  }

  /// A value in JSON; nil if it is missing.
  ///
  /// - Throws: `Problem` for a text that is not such a value in JSON.
  func json<Value: Decodable>(_ type: Value.Type, in name: String) throws(Problem) -> Value? {
    guard let text = self[name] else { return nil }
    do {
      return try StrictJSON.decode(type, from: Data(text.utf8))
    } catch {
      let words = DecodingError.words(for: error)
      throw Problem(.badRequest, code: "invalid-\(name)", "\(name): \(words)")
    }
  }

  /// An integer; nil if it is missing.
  func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw Self.problem(
        "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Whether a flag is set; false if it is missing.
  ///
  /// - Throws: `Problem` for values other than `true` and `false`.
  func flag(_ name: String) throws(Problem) -> Bool {
    guard let text = self[name] else { return false }
    guard let isSet = Bool(text) else { throw Self.problem("\(name) must be true or false") }
    return isSet
  }

  /// The longer side of a preview, in pixels; default: 2048.
  func previewSide() throws(Problem) -> Int {
    try number("maxSide", in: 1...4096) ?? 2048
  }

  /// How to handle the gain map of a preview's photo; default: drop it.
  func previewHDR() throws(Problem) -> HDRMode {
    guard let text = self["hdr"] else { return .drop }
    guard let mode = HDRMode(rawValue: text) else { throw Self.problem("hdr must be keep or drop") }
    return mode
  }
}
