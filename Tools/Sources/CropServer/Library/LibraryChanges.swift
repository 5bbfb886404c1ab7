import CropCore
import CropImaging
import Foundation
import Hummingbird
import NIOCore
import PhotoLibrary

/// The calls that change the library.
struct LibraryChanges: Sendable {
  let library: PhotoLibrary
  let desk: CropDesk
  let uploads: Uploads
  let clients: Clients

  func add(to router: Router<CropContext>) {
    router.post("api/photos") { request, context in try await add(request, context) }
    router.post("api/photos/:id/crops") { request, context in try await crop(request, context) }
    router.post("api/photos/:id/replace") { request, context in
      try await replace(request, context)
    }
    router.post("api/photos/:id/trash") { _, context in try await trash(context) }
    router.post("api/photos/:id/restore") { _, context in try await restore(context) }
  }

  private func add(_ request: Request, _ context: CropContext) async throws -> Response {
    let query = try Query(of: request, known: ["name"])
    return try await uploads.withPicture(
      in: request, on: context.channel, name: query.pictureName
    ) { source in
      let photo = try await change { try library.add(source, name: query["name"]) }
      return try Response(
        status: .created, json: PhotoJSON(photo), headers: [.location: photo.address])
    }
  }

  private func crop(_ request: Request, _ context: CropContext) async throws -> Response {
    let order = try await CropOrder(of: request, on: context.channel)
    let photo = try await library.photo(in: context)
    let saved = try await change(for: context) {
      try library.saveCrop(
        of: photo, recipe: order.recipe, options: order.options, version: order.version)
    }
    return try Response(
      status: .created, json: SavedJSON(saved), headers: [.location: saved.photo.address])
  }

  private func replace(_ request: Request, _ context: CropContext) async throws -> Response {
    let order = try await CropOrder(of: request, on: context.channel)
    let photo = try await library.photo(in: context)
    let saved = try await change(for: context) {
      try library.replace(
        photo, recipe: order.recipe, options: order.options, version: order.version)
    }
    return try Response(json: SavedJSON(saved))
  }

  private func trash(_ context: CropContext) async throws -> Response {
    let photo = try await library.photo(in: context)
    try await change { try library.trash(photo) }
    return Response(status: .noContent)
  }

  private func restore(_ context: CropContext) async throws -> Response {
    guard let id = context.parameters.get("id").flatMap({ LibraryID($0) }) else {
      throw LibraryError.noPhoto
    }
    return try Response(json: PhotoJSON(await change { try library.restore(id) }))
  }

  /// Does work that blocks, when its turn comes. It is stopped if the client leaves, who then knows
  /// that nothing was changed.
  private func change<Value: Sendable>(
    for context: CropContext, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await clients.attend(context.channel) { stop in
      try await desk.perform(until: stop) { () throws(CropError) in Result { try work() } }.get()
    }
  }

  /// Does work that blocks, when its turn comes. It is carried through even if the client leaves:
  /// a photo that was taken is not lost with the connection.
  private func change<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await desk.perform { () throws(CropError) in Result { try work() } }.get()
  }
}

extension Photo {
  /// Where a client finds it.
  fileprivate var address: String { "/api/photos/\(id.text)" }
}

/// The body of a request to crop: `{"recipe", "encoding"?, "version"?}`.
struct CropOrder: Decodable {
  let recipe: CropRecipe
  let options: ResultOptions
  /// The version of the photo that was seen.
  let version: String?

  private enum Key: String, CodingKey, CaseIterable {
    case recipe, encoding, version
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.fields(Key.self)
    recipe = try fields.decode(CropRecipe.self, forKey: .recipe)
    options =
      try fields.decodeIfPresent(Encoding.self, forKey: .encoding)?.options ?? ResultOptions()
    version = try fields.decodeIfPresent(String.self, forKey: .version)
  }

  /// The most bytes of a body.
  private static let longest = 64 << 10

  /// Reads the body of a request.
  init(of request: Request, on channel: any Channel) async throws {
    var body = ByteBuffer()
    try await request.readBody(on: channel) { part, count in
      guard count <= Self.longest else {
        throw Problem(.contentTooLarge, code: "request", "a recipe has at most 64 KiB")
      }
      body.writeImmutableBuffer(part)
    }
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(body.readableBytesView))
    } catch let error as DecodingError {
      let isEncoding = error.path.first?.stringValue == Key.encoding.rawValue
      throw Problem(
        .badRequest, code: isEncoding ? "invalid-encoding" : "invalid-recipe", error.words)
    }
  }
}

/// A crop that was saved, as clients see it: a photo, and what is to be said about it.
private struct SavedJSON: Encodable {
  let photo: PhotoJSON
  let notes: [Note]
  let lossless: Bool

  struct Note: Encodable {
    let code: String
    let message: String
  }

  private enum Key: String, CodingKey {
    case notes, lossless
  }

  init(_ saved: SavedCrop) {
    photo = PhotoJSON(saved.photo)
    notes = saved.result.warnings.map { Note(code: $0.code, message: $0.message) }
    lossless = saved.result.isLossless
  }

  func encode(to encoder: any Encoder) throws {
    try photo.encode(to: encoder)
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(notes, forKey: .notes)
    try fields.encode(lossless, forKey: .lossless)
  }
}
