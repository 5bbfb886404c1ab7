/// Something that a file holds beside its picture and that would be lost with the file.
public struct DataLoss: Hashable, Sendable, Codable {
  /// The stable name, in kebab-case, such as `gain-map`.
  public let code: String
  /// What a person calls it, such as `gain map` or `2 other pages`.
  public let name: String

  /// A loss of the given names.
  public init(code: String, name: String) {
    self.code = code
    self.name = name
  }

  /// The names of `losses` as an enumeration, such as `gain map, video`.
  public static func names(_ losses: [Self]) -> String {
    losses.map(\.name).joined(separator: ", ")
  }
}
