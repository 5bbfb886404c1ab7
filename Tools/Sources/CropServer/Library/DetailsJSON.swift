import CropCore
import PhotoLibrary

/// A photo with all that is known of it, as clients see it.
struct DetailsJSON: Encodable {
  private let details: PhotoDetails

  init(_ details: PhotoDetails) {
    self.details = details
  }

  private enum Key: String, CodingKey {
    case album, crops, source, recipe, canRestore, targets
  }

  func encode(to encoder: any Encoder) throws {
    try PhotoJSON(details.photo).encode(to: encoder)
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(details.album, forKey: .album)
    try fields.encode(details.crops.map(PhotoJSON.init), forKey: .crops)
    try fields.encode(details.source.map(PhotoJSON.init), forKey: .source)
    try fields.encode(details.recipe, forKey: .recipe)
    try fields.encode(details.canRestore, forKey: .canRestore)
    try fields.encode(details.targetCount, forKey: .targets)
  }
}
