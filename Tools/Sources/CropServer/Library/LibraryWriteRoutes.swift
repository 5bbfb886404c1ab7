import CropCore
import CropImaging
import Hummingbird
import NIOCore
import PhotoLibrary

/// The calls that change the library.
struct LibraryWriteRoutes: Sendable {
  let library: PhotoLibrary
  let scheduler: CropScheduler
  let uploads: Uploads
  let clients: Clients
  /// Threads that move files to their final place.
  private let movers = BlockingThreads(label: "cropkit.changes", count: 4)

  init(library: PhotoLibrary, scheduler: CropScheduler, uploads: Uploads, clients: Clients) {
    self.library = library
    self.scheduler = scheduler
    self.uploads = uploads
    self.clients = clients
  }

  func add(to routes: Routes) {
    routes.post("api/photos") { request, context in try await add(request, context) }
    routes.post("api/photos/:id/crops") { request, context in try await crop(request, context) }
    routes.post("api/photos/:id/replace") { request, context in
      try await replace(request, context)
    }
    routes.post("api/photos/:id/mark") { request, context in try await mark(request, context) }
    routes.post("api/photos/:id/trash") { request, context in try await trash(request, context) }
    routes.post("api/photos/:id/restore") { _, context in try await restore(context) }
    addTargets(to: routes)
  }

  private func add(_ request: Request, _ context: CropContext) async throws -> Response {
    let query = try Query(of: request, known: ["name"])
    return try await uploads.withPicture(
      in: request, on: context.channel, name: query.pictureName
    ) { source in
      let photo = try await move { try library.add(source, name: query["name"]) }
      return try Response(
        status: .created, json: PhotoJSON(photo), headers: [.location: photo.address])
    }
  }

  private func crop(_ request: Request, _ context: CropContext) async throws -> Response {
    let order = try await CropRequest(of: request, on: context.channel)
    guard order.dropsRest == nil else {
      throw Problem(.badRequest, code: "usage", "\"dropRest\" is only for replacing a photo")
    }
    let photo = try await library.photo(in: context)
    let saved = try await meaning(request, photo, order.version) { version in
      try await change(photo, for: context) {
        try library.saveCrop(
          of: photo, as: order.wanted, options: order.options, version: version)
      }
    }
    // An existing file is not a new photo.
    return try Response(
      status: saved.isNew ? .created : .ok, json: SavedJSON(saved),
      headers: [.location: saved.photo.address])
  }

  private func replace(_ request: Request, _ context: CropContext) async throws -> Response {
    let order = try await CropRequest(of: request, on: context.channel)
    let photo = try await library.photo(in: context)
    let saved = try await meaning(request, photo, order.version) { version in
      try await change(photo, for: context) {
        try library.trash.replace(
          photo, as: order.wanted, options: order.options, version: version,
          dropsRest: order.dropsRest ?? false)
      }
    }
    return try Response(json: SavedJSON(saved))
  }

  private func mark(_ request: Request, _ context: CropContext) async throws -> Response {
    let order = try await MarkRequest(of: request, on: context.channel)
    let photo = try await library.photo(in: context)
    let name = try await meaning(request, photo, order.version) { version in
      try await move {
        try library.mark(photo, recipe: order.recipe, for: order.format, version: version)
      }
    }
    return try Response(json: ["sidecar": name])
  }

  private func trash(_ request: Request, _ context: CropContext) async throws -> Response {
    let photo = try await library.photo(in: context)
    try await meaning(request, photo, nil) { version in
      try await move {
        if let version { _ = try library.files.open(photo, version: version) }
        try library.trash.move(photo)
      }
    }
    return Response(status: .noContent)
  }

  /// Runs work with the version of a photo that a request names: in `If-Match`, or else in the
  /// body. The work checks that the photo still has that version.
  private func meaning<Value>(
    _ request: Request, _ photo: Photo, _ version: String?,
    _ work: (_ version: String?) async throws -> Value
  ) async throws -> Value {
    guard request.headers.namesVersion else { return try await work(version) }
    let seen = photo.stamp.version
    try request.headers.checkMatch(tag: "\"\(seen)\"")
    guard version == nil || version == seen else { throw LibraryError.changed(name: photo.name) }
    do {
      return try await work(seen)
    } catch LibraryError.changed {
      throw Problem.otherVersion
    }
  }

  private func restore(_ context: CropContext) async throws -> Response {
    guard let id = context.parameters.get("id").flatMap({ LibraryID($0) }) else {
      throw LibraryError.noPhoto
    }
    return try Response(json: PhotoJSON(await move { try library.trash.restore(id) }))
  }

  /// Runs blocking work on a photo when its turn comes. If the client disconnects, the work is cancelled and
  /// nothing is changed.
  func change<Value: Sendable>(
    _ photo: Photo, for context: CropContext, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await clients.withDisconnectHandler(context.channel) { stop in
      try await scheduler.perform(cost: photo.cost, until: stop) { () throws(CropError) in
        Result { try work() }
      }.get()
    }
  }

  /// Runs work that only blocks for the disk, without waiting for image processing. It completes
  /// even if the client disconnects, so that a photo just taken is not lost.
  func move<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await movers.run(work)
  }
}

extension Photo {
  fileprivate var address: String { "/api/photos/\(id.text)" }
}

/// The body of a request to store a crop for another program: `{"recipe", "for", "version"?}`.
private struct MarkRequest: Decodable, Sendable {
  let recipe: CropRecipe
  let format: MarkFormat
  let version: String?

  private enum Key: String, CodingKey, CaseIterable {
    case recipe, version
    case format = "for"
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.strictContainer(keyedBy: Key.self)
    recipe = try fields.decode(CropRecipe.self, forKey: .recipe)
    version = try fields.decodeIfPresent(String.self, forKey: .version)
    let text = try fields.decode(String.self, forKey: .format)
    guard let format = MarkFormat(rawValue: text), format != .embedded else {
      throw DecodingError.dataCorruptedError(
        forKey: .format, in: fields,
        debugDescription: "\"for\" must be rawtherapee, darktable or lightroom")
    }
    self.format = format
  }

  /// Reads the body of a request.
  init(of request: Request, on channel: any Channel) async throws {
    do {
      self = try await request.json(
        Self.self, atMost: CropRequest.longest, called: "a recipe", on: channel)
    } catch let error as DecodingError {
      let isRecipe = error.path.first?.stringValue == Key.recipe.rawValue
      throw Problem(.badRequest, code: isRecipe ? "invalid-recipe" : "request", error.words)
    }
  }
}

/// The body of a request to crop: `{"recipe", "encoding"?, "version"?, "dropRest"?}`. Instead of
/// the recipe, `"aspect"` requests the largest centered crop of a ratio such as `3:2`.
struct CropRequest: Decodable {
  let wanted: RequestedCrop
  let options: ResultOptions
  /// The version of the photo that the client saw.
  let version: String?
  /// Whether other data in the photo's file may be lost; nil if not stated.
  let dropsRest: Bool?

  private enum Key: String, CodingKey, CaseIterable {
    case recipe, aspect, encoding, version
    case dropsRest = "dropRest"
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.strictContainer(keyedBy: Key.self)
    if let text = try fields.decodeIfPresent(String.self, forKey: .aspect) {
      guard !fields.contains(.recipe), let ratio = AspectRatio(text: text) else {
        throw DecodingError.dataCorruptedError(
          forKey: .aspect, in: fields,
          debugDescription:
            "the ratio must be two numbers up to 1000000, such as 3:2, or their quotient, without a recipe"
        )
      }
      wanted = .ratio(ratio)
    } else {
      wanted = .recipe(try fields.decode(CropRecipe.self, forKey: .recipe))
    }
    options =
      try fields.decodeIfPresent(ResultOptions.self, forKey: .encoding) ?? ResultOptions()
    version = try fields.decodeIfPresent(String.self, forKey: .version)
    dropsRest = try fields.decodeIfPresent(Bool.self, forKey: .dropsRest)
  }

  /// The maximum length of a body in bytes.
  fileprivate static let longest = 64 << 10

  /// Reads the body of a request.
  init(of request: Request, on channel: any Channel) async throws {
    self = try await request.json(
      Self.self, atMost: Self.longest, called: "a recipe", on: channel, invalid: "invalid-recipe")
  }
}

/// A saved crop in the API: a photo, with warnings.
struct SavedJSON: Encodable {
  let photo: PhotoJSON
  let notes: [Note]
  let lossless: Bool
  /// The maximum number of columns or rows at an edge that are re-encoded in a lossless crop.
  let requantized: Int
  let gainMap: GainMapOutcome?

  struct Note: Encodable {
    let code: String
    let message: String
    /// The kinds of metadata that were left out.
    let dropped: [String]?
  }

  private enum Key: String, CodingKey {
    case notes, lossless, requantized, gainMap
  }

  init(_ saved: SavedCrop) {
    photo = PhotoJSON(saved.photo)
    notes = saved.result.warnings.map {
      Note(code: $0.code, message: $0.message, dropped: $0.dropped?.map(\.rawValue))
    }
    lossless = saved.result.isLossless
    requantized = saved.result.requantized?.edges.most ?? 0
    gainMap = saved.result.gainMap
  }

  func encode(to encoder: any Encoder) throws {
    try photo.encode(to: encoder)
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(notes, forKey: .notes)
    try fields.encode(lossless, forKey: .lossless)
    try fields.encode(requantized, forKey: .requantized)
    try fields.encodeIfPresent(gainMap, forKey: .gainMap)
  }
}
