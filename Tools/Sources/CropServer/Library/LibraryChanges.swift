import CropCore
import CropImaging
import Hummingbird
import NIOCore
import PhotoLibrary

/// The calls that change the library.
struct LibraryChanges: Sendable {
  let library: PhotoLibrary
  let scheduler: CropScheduler
  let uploads: Uploads
  let clients: Clients
  /// Where files are put into their places.
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
    let order = try await CropOrder(of: request, on: context.channel)
    guard order.dropsRest == nil else {
      throw Problem(.badRequest, code: "usage", "\"dropRest\" is only for replacing a photo")
    }
    let photo = try await library.photo(in: context)
    let saved = try await meaning(request, photo, order.version) { version in
      try await change(for: context) {
        try library.saveCrop(
          of: photo, recipe: order.recipe(for: photo), options: order.options, version: version)
      }
    }
    // What is there already is no new photo.
    return try Response(
      status: saved.isNew ? .created : .ok, json: SavedJSON(saved),
      headers: [.location: saved.photo.address])
  }

  private func replace(_ request: Request, _ context: CropContext) async throws -> Response {
    let order = try await CropOrder(of: request, on: context.channel)
    let photo = try await library.photo(in: context)
    let saved = try await meaning(request, photo, order.version) { version in
      try await change(for: context) {
        try library.replace(
          photo, recipe: order.recipe(for: photo), options: order.options, version: version,
          dropsRest: order.dropsRest ?? false)
      }
    }
    return try Response(json: SavedJSON(saved))
  }

  private func trash(_ request: Request, _ context: CropContext) async throws -> Response {
    let photo = try await library.photo(in: context)
    try await meaning(request, photo, nil) { version in
      try await move {
        if let version { _ = try library.open(photo, version: version) }
        try library.trash(photo)
      }
    }
    return Response(status: .noContent)
  }

  /// Does work with the version of a photo that a request means: what `If-Match` says, else what the
  /// body does. Whether it is still that version is looked at again while the work is done.
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
    return try Response(json: PhotoJSON(await move { try library.restore(id) }))
  }

  /// Does work that blocks, when its turn comes. It is stopped if the client leaves, who then knows
  /// that nothing was changed.
  func change<Value: Sendable>(
    for context: CropContext, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await clients.withDisconnectHandler(context.channel) { stop in
      try await scheduler.perform(until: stop) { () throws(CropError) in
        Result { try work() }
      }.get()
    }
  }

  /// Does work that blocks for the disk alone, and waits behind no picture. It is carried through even if
  /// the client leaves: a photo that was taken is not lost with the connection.
  func move<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await movers.run(work)
  }
}

extension Photo {
  /// Where a client finds it.
  fileprivate var address: String { "/api/photos/\(id.text)" }
}

/// The body of a request to crop: `{"recipe", "encoding"?, "version"?, "dropRest"?}`, or `"aspect"` in place of
/// the recipe: the largest part of a ratio such as `3:2`, in the middle.
struct CropOrder: Decodable {
  private let wanted: Wanted
  let options: ResultOptions
  /// The version of the photo that was seen.
  let version: String?
  /// Whether what else the photo's file holds may be lost; nil where that is not said.
  let dropsRest: Bool?

  private enum Wanted {
    case recipe(CropRecipe)
    case ratio(AspectRatio)
  }

  private enum Key: String, CodingKey, CaseIterable {
    case recipe, aspect, encoding, version
    case dropsRest = "dropRest"
  }

  /// What is to be cut of a photo, whose upright size the library knows.
  func recipe(for photo: Photo) -> CropRecipe {
    switch wanted {
    case .recipe(let recipe): return recipe
    case .ratio(let ratio):
      let frame = FrameSize(width: photo.width, height: photo.height)
      let area = CropArea.ratio(ratio, .center)
      return CropRecipe(rect: area.rect(in: TiltedPicture(frame: frame, tilt: .zero)))
    }
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.strictContainer(keyedBy: Key.self)
    if let text = try fields.decodeIfPresent(String.self, forKey: .aspect) {
      guard !fields.contains(.recipe), let ratio = AspectRatio(text: text) else {
        throw DecodingError.dataCorruptedError(
          forKey: .aspect, in: fields,
          debugDescription:
            "the ratio is two numbers up to 1000000, such as 3:2, without a recipe")
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

  /// The most bytes of a body.
  private static let longest = 64 << 10

  /// Reads the body of a request.
  init(of request: Request, on channel: any Channel) async throws {
    do {
      self = try await request.json(
        Self.self, atMost: Self.longest, called: "a recipe", on: channel)
    } catch let error as DecodingError {
      let isEncoding = error.path.first?.stringValue == Key.encoding.rawValue
      throw Problem(
        .badRequest, code: isEncoding ? "invalid-encoding" : "invalid-recipe", error.words)
    }
  }
}

/// A crop that was saved, as clients see it: a photo, and what is to be said about it.
struct SavedJSON: Encodable {
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
    lossless = saved.result.isLossless && saved.result.requantized == nil
  }

  func encode(to encoder: any Encoder) throws {
    try photo.encode(to: encoder)
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(notes, forKey: .notes)
    try fields.encode(lossless, forKey: .lossless)
  }
}
