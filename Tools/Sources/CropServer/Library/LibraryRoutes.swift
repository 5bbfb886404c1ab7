import CropCore
import CropImaging
import FoundationEssentials
import Glibc
import Hummingbird
import PhotoLibrary

/// The calls that read the library.
struct LibraryRoutes: Sendable {
  let library: PhotoLibrary
  let engine: CropEngine
  let scheduler: CropScheduler
  let clients: Clients
  let results: UnreadResults
  /// Threads that open and read files.
  let files: BlockingThreads

  func add(to routes: Routes) {
    routes.get("api/albums") { request, _ in try await albums(request) }
    routes.get("api/albums/:id/photos") { request, context in try await photos(request, context) }
    routes.get("api/photos/:id") { request, context in try await details(request, context) }
    routes.get("api/photos/:id/thumbnail") { request, context in
      try await thumbnail(request, context)
    }
    routes.get("api/photos/:id/preview") { request, context in
      try await preview(request, context)
    }
    routes.get("api/photos/:id/border") { request, context in
      try await border(request, context)
    }
    routes.get("api/trash") { request, _ in try await removed(request) }
    routes.get("api/trash/:id/preview") { request, context in
      try await removedPreview(request, context)
    }
    routes.get("api/photos/:id/original") { request, context in
      try await original(request, context)
    }
  }

  private func albums(_ request: Request) async throws -> Response {
    _ = try Query(of: request, known: [])
    let albums = try await library.albums()
    return try Response(
      json: AlbumsJSON(
        albums: albums.map(AlbumJSON.init), indexing: library.progress.map(ProgressJSON.init),
        folder: library.name.withoutDirectionControls))
  }

  private func photos(_ request: Request, _ context: CropContext) async throws -> Response {
    let query = try Query(of: request, known: ["after", "limit"])
    let limit = try query.number("limit", in: 1...1000) ?? 100
    let page = try await library.photos(
      in: context.parameters.get("id") ?? "", after: query["after"], limit: limit)
    return try Response(json: PageJSON(photos: page.photos.map(PhotoJSON.init), next: page.next))
  }

  private func details(_ request: Request, _ context: CropContext) async throws -> Response {
    _ = try Query(of: request, known: [])
    let photo = try await library.photo(in: context)
    // No image is decoded, so it does not wait for the scheduler.
    let details = try await files.run { [library] in try library.details(of: photo) }
    return try Response(json: DetailsJSON(details))
  }

  private func thumbnail(_ request: Request, _ context: CropContext) async throws -> Response {
    let query = try Query(of: request, known: ["size", "v"])
    guard let size = ThumbnailSize(rawValue: query["size"] ?? "large") else {
      throw Problem(.badRequest, code: "usage", "size must be large or x-large")
    }
    let photo = try await library.photo(in: context)
    func headers(_ stamp: FileStamp?) -> HTTPFields {
      (stamp ?? photo.stamp).headers(
        type: "image/png", variant: size.rawValue, version: stamp == nil ? nil : query["v"])
    }
    if let unchanged = try request.unchanged(headers(photo.stamp)) { return unchanged }
    try results.checkRoom()
    let library = library
    let thumbnail = try await clients.withDisconnectHandler(
      context.channel,
      cancelling: {
        try await library.thumbnails.thumbnail(of: photo, size)
      })
    return results.response(
      headers: headers(thumbnail.stamp), bytes: thumbnail.bytes, to: context.channel)
  }

  private func preview(_ request: Request, _ context: CropContext) async throws -> Response {
    let query = try Query(of: request, known: ["maxSide", "v", "hdr"])
    let (side, hdr) = (try query.previewSide(), try query.previewHDR())
    let variant = hdr == .keep ? "\(side)-hdr" : "\(side)"
    let photo = try await library.photo(in: context)
    let type = photo.format?.mediaType ?? "image/jpeg"
    let known = photo.stamp.headers(type: type, variant: variant, version: query["v"])
    if let unchanged = try request.unchanged(known) { return unchanged }
    try results.checkRoom()
    let (opened, result) = try await clients.withDisconnectHandler(context.channel) { stop in
      try await scheduler.perform(cost: photo.cost, until: stop) { () throws(CropError) in
        Result {
          let opened = try library.files.open(photo)
          return (
            opened, try opened.reading { try engine.preview($0, maxSide: side, hdr: hdr) }
          )
        }
      }.get()
    }
    // The headers are of the file as it was read, which may be newer than the index, or changed
    // while it was read.
    var headers = opened.stamp.headers(
      type: result.format.mediaType, variant: variant,
      version: opened.isUnchanged ? query["v"] : nil)
    headers.describe(result)
    return results.response(headers: headers, bytes: result.bytes, to: context.channel)
  }

  private func removed(_ request: Request) async throws -> Response {
    _ = try Query(of: request, known: [])
    let photos = try await files.run { [library] in library.trash.photos() }
    return try Response(json: ["photos": photos.map(RemovedJSON.init)])
  }

  private func removedPreview(_ request: Request, _ context: CropContext) async throws -> Response {
    let side = try Query(of: request, known: ["maxSide"]).previewSide()
    guard let id = context.parameters.get("id").flatMap({ LibraryID($0) }) else {
      throw LibraryError.noPhoto
    }
    try results.checkRoom()
    let source = try await files.run { [library] in try library.trash.open(id) }
    let result = try await clients.withDisconnectHandler(context.channel) { stop in
      try await scheduler.perform(cost: source.cost, until: stop) { () throws(CropError) in
        try engine.preview(source, maxSide: side)
      }
    }
    var headers: HTTPFields = [
      .contentType: result.format.mediaType, .cacheControl: "private, no-cache",
    ]
    headers.describe(result)
    return results.response(headers: headers, bytes: result.bytes, to: context.channel)
  }

  private func border(_ request: Request, _ context: CropContext) async throws -> Response {
    let query = try Query(of: request, known: ["tolerance", "v"])
    let tolerance = try query.tolerance("tolerance") ?? CropEngine.usualTolerance
    let version = query["v"]
    let photo = try await library.photo(in: context)
    let border = try await clients.withDisconnectHandler(context.channel) { stop in
      try await scheduler.perform(cost: photo.cost, until: stop) { () throws(CropError) in
        Result {
          let opened = try library.files.open(photo, version: version)
          return try opened.reading { try BorderJSON(of: $0, tolerance, by: engine) }
        }
      }.get()
    }
    return try Response(json: border)
  }

  private func original(_ request: Request, _ context: CropContext) async throws -> Response {
    _ = try Query(of: request, known: ["v"])
    let photo = try await library.photo(in: context)
    let opened = try await files.run { [library] in try library.files.open(photo) }
    let file = FileResponse(
      source: opened.source, tag: "\"\(opened.stamp.version)\"",
      type: photo.format?.mediaType ?? "application/octet-stream", name: photo.name,
      threads: files)
    return try file.response(to: request, on: context.channel)
  }
}

extension PhotoLibrary {
  func photo(in context: CropContext) async throws -> Photo {
    guard let id = context.parameters.get("id").flatMap({ LibraryID($0) }) else {
      throw LibraryError.noPhoto
    }
    return try await photo(id)
  }
}

extension FileStamp {
  /// The header fields for something derived from this version of a file. If the address names the
  /// version, the response is immutable.
  fileprivate func headers(type: String, variant: String, version asked: String?) -> HTTPFields {
    let isLasting = asked == version
    return [
      .contentType: type, .eTag: "\"\(version)-\(variant)\"",
      .cacheControl: isLasting ? "private, max-age=31536000, immutable" : "private, no-cache",
    ]
  }
}

extension Request {
  /// The response to a client that already has this version.
  fileprivate func unchanged(_ fields: HTTPFields) throws(Problem) -> Response? {
    guard let tag = fields[.eTag], try headers.isUnchanged(tag: tag) else { return nil }
    return Response(status: .notModified, headers: fields)
  }
}

extension Response {
  /// A value as JSON that clients must not cache.
  init(
    status: HTTPResponse.Status = .ok, json value: some Encodable, headers: HTTPFields = [:]
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    var headers = headers
    headers[.contentType] = "application/json"
    headers[.cacheControl] = "no-store"
    self.init(
      status: status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
  }
}
