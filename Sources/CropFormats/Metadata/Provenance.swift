import CropCore

/// Where a saved crop comes from, as its own XMP states it.
public struct Provenance: Sendable, Equatable, Codable {
  /// What was cut, on the source.
  public var recipe: CropRecipe
  /// The name of the source's file, without its folder.
  public var sourceName: String
  /// The length of the source's file, in bytes.
  public var sourceBytes: Int
  /// SHA-256 of the source's file, in lower-case hexadecimal digits.
  public var checksum: String

  /// A crop of the given source.
  public init(recipe: CropRecipe, sourceName: String, sourceBytes: Int, checksum: String) {
    self.recipe = recipe
    self.sourceName = sourceName
    self.sourceBytes = sourceBytes
    self.checksum = checksum
  }
}
