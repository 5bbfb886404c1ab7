import CropCore
import CropImaging
import FoundationEssentials
import Glibc
import HTTPTypes
import Hummingbird
import NIOCore
import PhotoLibrary

/// The calls that open photos of galleries and save their crops there.
struct GalleryRoutes: Sendable {
  let immich: Immich?
  let webDAV: WebDAV?
  /// Threads that wait for a gallery, separate for each, so that one that hangs does not block the
  /// other.
  private let immichTurns = Self.turns("immich")
  private let webDAVTurns = Self.turns("webdav")
  let engine: CropEngine
  let clients: Clients
  let uploads: Uploads
  /// Threads that read files.
  let files: BlockingThreads

  private static func turns(_ name: String) -> CropScheduler {
    CropScheduler(places: 8, queueLength: 16, label: "cropkit.\(name)")
  }

  init(
    _ settings: GallerySettings, engine: CropEngine, clients: Clients, uploads: Uploads,
    files: BlockingThreads
  ) {
    immich = settings.immich.map { Immich($0, engine: engine) }
    webDAV = settings.webDAV.map { WebDAV($0, engine: engine) }
    self.engine = engine
    self.clients = clients
    self.uploads = uploads
    self.files = files
  }

  func add(to routes: Routes) {
    routes.get("open/immich/:id") { request, context in
      try Self.onward(GalleryPhotoName(immich: (context.parameters.get("id") ?? "")[...]))
    }
    routes.get("open/dav/**") { request, _ in try Self.onward(Self.path(in: request)) }
    routes.get("api/galleries/original") { request, context in
      try await original(request, context)
    }
    routes.post("api/galleries/edit") { request, context in try await edit(request, context) }
    routes.post("api/galleries/file") { request, context in try await file(request, context) }
  }

  // MARK: Opening

  /// Redirects to the page of a photo.
  private static func onward(_ photo: GalleryPhotoName?) throws(Problem) -> Response {
    guard let photo else { throw noName }
    return Response(
      status: .seeOther, headers: [.location: "/\(photo.place)", .cacheControl: "no-store"])
  }

  private static func path(in request: Request) -> GalleryPhotoName? {
    let parts = request.uri.path.split(separator: "/").dropFirst(2).map(\.percentDecoded)
    return parts.contains(nil) ? nil : GalleryPhotoName(webDAV: parts.compactMap(\.self))
  }

  private func original(_ request: Request, _ context: CropContext) async throws -> Response {
    let photo = try Self.photo(in: Query(of: request, known: ["photo"]))
    let opened = try await clients.withDisconnectHandler(context.channel) { stop in
      try await wait(for: photo, until: stop) { try open(photo, until: stop) }
    }
    let file = FileResponse(
      source: opened.source, tag: "\"\(Digests.text(Digests.sha256(of: opened.version.utf8)))\"",
      type: opened.info.format.mediaType, name: opened.name, threads: files)
    var response = try file.response(to: request, on: context.channel)
    response.headers[.cacheControl] = "no-store"
    let json = try JSONEncoder().encode(
      PhotoJSON(opened, name: photo, title: try title(of: photo)))
    let text = String(decoding: json, as: UTF8.self)
    response.headers[named: "CropKit-Photo"] = text.percentEncoded
    return response
  }

  private func open(
    _ photo: GalleryPhotoName, until stop: CropStop?
  ) throws -> GalleryOriginal {
    switch photo {
    case .immich(let id): return try connected(immich, "immich").open(id, until: stop)
    case .webDAV(let path): return try connected(webDAV, "webdav").open(path, until: stop)
    }
  }

  /// A photo of a gallery in the API.
  private struct PhotoJSON: Encodable {
    let photo: String
    let gallery: String
    let name: String
    let version: String
    let ways: [GallerySaveMode]
    let recipe: CropRecipe?
    let note: String?

    init(_ opened: GalleryOriginal, name photo: GalleryPhotoName, title: String) {
      self.photo = photo.text
      gallery = title
      name = opened.name
      version = opened.version
      ways = opened.ways
      recipe = opened.recipe
      note = opened.note?.withoutDirectionControls
    }
  }

  // MARK: Saving

  private struct EditRequest: Decodable {
    let recipe: CropRecipe
    let width: Int
    let height: Int

    private enum Key: String, CodingKey, CaseIterable { case recipe, width, height }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.strictContainer(keyedBy: Key.self)
      recipe = try fields.decode(CropRecipe.self, forKey: .recipe)
      width = try fields.decode(Int.self, forKey: .width)
      height = try fields.decode(Int.self, forKey: .height)
    }
  }

  private func edit(_ request: Request, _ context: CropContext) async throws -> Response {
    let query = try Query(of: request, known: ["photo", "version"])
    let photo = try Self.photo(in: query)
    let order: EditRequest
    do {
      order = try await request.json(
        EditRequest.self, atMost: 64 << 10, called: "a recipe", on: context.channel)
    } catch let error as DecodingError {
      throw Problem(.badRequest, code: "invalid-recipe", error.words)
    }
    guard (1...1 << 20).contains(order.width), (1...1 << 20).contains(order.height) else {
      throw Problem(
        .badRequest, code: "usage", "width and height must be those of the upright photo")
    }
    guard case .immich(let id) = photo else {
      throw Problem.noWay(.edit, try title(of: photo))
    }
    let immich = try connected(immich, "immich")
    let version = try Self.version(in: query)
    // Completes even if the client disconnects.
    let saved = try await wait(for: photo) {
      try immich.edit(
        id, version: version, recipe: order.recipe,
        image: ImageSize(width: order.width, height: order.height))
    }
    return try Response(json: saved)
  }

  private func file(_ request: Request, _ context: CropContext) async throws -> Response {
    let query = try Query(of: request, known: ["photo", "version", "as"])
    let photo = try Self.photo(in: query)
    let version = try Self.version(in: query)
    guard let way = query["as"].flatMap(GallerySaveMode.init), way != .edit else {
      throw Problem(.badRequest, code: "usage", "\"as\" must be stack, beside or replace")
    }
    let engine = engine
    return try await uploads.withPicture(in: request, on: context.channel, name: "the crop") {
      source in
      let saved = try await wait(for: photo) {
        let result = GalleryResult(
          source: source, format: try engine.info(source, isLenient: true).format)
        return try save(result, as: way, of: photo, version: version)
      }
      return try Response(status: saved.isNew ? .created : .ok, json: saved)
    }
  }

  private func save(
    _ result: GalleryResult, as way: GallerySaveMode, of photo: GalleryPhotoName, version: String
  ) throws -> GallerySaved {
    switch (photo, way) {
    case (.immich(let id), .stack):
      return try connected(immich, "immich").stack(id, version: version, result)
    case (.webDAV(let path), .beside):
      return try connected(webDAV, "webdav").beside(path, version: version, result)
    case (.webDAV(let path), .replace):
      return try connected(webDAV, "webdav").replace(path, version: version, result)
    default: throw Problem.noWay(way, try title(of: photo))
    }
  }

  /// Runs blocking calls of a photo's gallery when their turn comes.
  private func wait<Value: Sendable>(
    for photo: GalleryPhotoName, until stop: CropStop? = nil,
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let turns =
      switch photo {
      case .immich: immichTurns
      case .webDAV: webDAVTurns
      }
    return try await turns.perform(cost: 1, until: stop) { () throws(CropError) in
      Result { try work() }
    }.get()
  }

  // MARK: Parsing requests

  private func title(of photo: GalleryPhotoName) throws(Problem) -> String {
    switch photo {
    case .immich: try connected(immich, "immich").client.title
    case .webDAV: try connected(webDAV, "webdav").client.title
    }
  }

  private func connected<Gallery>(
    _ gallery: Gallery?, _ table: String
  ) throws(Problem) -> Gallery {
    guard let gallery else {
      throw Problem(
        .notFound, code: "no-gallery",
        "this server knows no such gallery; add [\(table)] to server.toml, then restart")
    }
    return gallery
  }

  private static func photo(in query: Query) throws(Problem) -> GalleryPhotoName {
    guard let photo = query["photo"].flatMap(GalleryPhotoName.init) else { throw noName }
    return photo
  }

  private static func version(in query: Query) throws(Problem) -> String {
    guard let version = query["version"] else {
      throw Problem(
        .badRequest, code: "usage",
        "\"version\" is missing; send the version that came with the original")
    }
    return version
  }

  private static var noName: Problem {
    Problem(
      .badRequest, code: "usage",
      "name a photo in a gallery as immich:ID (an asset's id) or dav:PATH")
  }
}
