import CropCore

/// A document of targets as clients may send it.
struct BoundedTargets: Decodable {
  let document: TargetDocument

  private static let mostTargets = 100
  private static let longestName = 100

  /// - Throws: `DecodingError` for what is no document, for more targets than can be, and for a name that
  ///   can't be part of a file's.
  init(from decoder: any Decoder) throws {
    document = try TargetDocument(from: decoder)
    guard document.targets.count <= Self.mostTargets else {
      throw Self.refusal(decoder, [Step("targets")], "more than \(Self.mostTargets) targets")
    }
    for (index, target) in document.targets.enumerated()
    where !(1...Self.longestName).contains(target.name.utf8.count) {
      throw Self.refusal(
        decoder, [Step("targets"), Step(index), Step("name")],
        "a name has 1 to \(Self.longestName) bytes")
    }
  }

  private static func refusal(
    _ decoder: any Decoder, _ path: [any CodingKey], _ words: String
  ) -> DecodingError {
    .dataCorrupted(.init(codingPath: decoder.codingPath + path, debugDescription: words))
  }

  private struct Step: CodingKey {
    let stringValue: String
    var intValue: Int?

    init(_ key: String) { stringValue = key }

    init(_ index: Int) {
      stringValue = "\(index)"
      intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { self.init(intValue) }
  }
}
