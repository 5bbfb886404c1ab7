import CropCore
import CropImaging
import FoundationEssentials
import Glibc
import Hummingbird
import PhotoLibrary

/// The calls that work on an image: an upload or a sample.
struct CropRoutes: Sendable {
  let engine: CropEngine
  let scheduler: CropScheduler
  let clients: Clients
  let uploads: Uploads
  let samples: Samples
  let samplePreviews: SamplePreviews
  let results: UnreadResults
  /// Where files are opened and read.
  let files: BlockingThreads

  func add(to routes: Routes) {
    routes.get("api/samples") { _, _ in try listSamples() }
    routes.get("api/samples/:id") { request, context in try await sample(request, context) }
    routes.get("api/samples/:id/preview", clients.watching(samplePreview))
    routes.post("api/info", clients.watching(info))
    routes.post("api/preview", clients.watching(preview))
    routes.post("api/border", clients.watching(border))
    routes.post("api/crop", clients.watching(crop))
  }

  // MARK: Samples

  private func listSamples() throws -> Response {
    Response(json: try samples.list(), headers: [.cacheControl: "no-cache"])
  }

  private func sample(_ request: Request, _ context: CropContext) async throws -> Response {
    let sample = try sample(named: context)
    let source = try await files.run { try sample.open() }
    let file = FileResponse(
      source: source, tag: "\"\(sample.tag(of: source))\"",
      type: sample.info.format.mediaType, name: sample.name, threads: files)
    return try file.response(to: request, on: context.channel)
  }

  private func samplePreview(
    _ request: Request, _ context: CropContext, until stop: CropStop
  ) async throws -> Response {
    let sample = try sample(named: context)
    let side = try Query(of: request, known: ["maxSide"]).previewSide()
    let source = try await files.run { try sample.open() }
    let tag = "\"\(sample.tag(of: source))-\(side)\""
    var headers: HTTPFields = [
      .contentType: "image/jpeg", .eTag: tag, .cacheControl: "no-cache",
    ]
    if try request.headers.isUnchanged(tag: tag) {
      return Response(status: .notModified, headers: headers)
    }
    try results.checkRoom()
    let result = try await samplePreviews.preview(of: source, side: side, tag: tag, until: stop)
    headers[.contentType] = result.format.mediaType
    headers.describe(result)
    return results.response(headers: headers, bytes: result.bytes, to: context.channel)
  }

  private func sample(named context: CropContext) throws(Problem) -> Samples.Sample {
    guard let sample = context.parameters.get("id").flatMap({ samples[$0] }) else {
      throw Problem(.notFound, code: "not-found", "no such sample")
    }
    return sample
  }

  // MARK: Uploads

  private func info(
    _ request: Request, _ context: CropContext, until stop: CropStop
  ) async throws -> Response {
    let query = try Query(of: request, known: ["name", "lenient", "thumbnail"])
    let (isLenient, wantsThumbnail) = (try query.flag("lenient"), try query.flag("thumbnail"))
    return try await uploads.withPicture(
      in: request, on: context.channel, name: query.pictureName
    ) { source in
      let info = try await scheduler.perform(
        cost: wantsThumbnail ? source.cost : CropScheduler.headerCost, until: stop
      ) { () throws(CropError) in
        var info = InfoJSON(source, try engine.open(source, isLenient: isLenient))
        // The photo is usable without it.
        if wantsThumbnail { info.thumbnail = try? engine.thumbnail(source)?.bytes }
        return info
      }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return Response(json: try encoder.encode(info), headers: [.cacheControl: "no-store"])
    }
  }

  private func preview(
    _ request: Request, _ context: CropContext, until stop: CropStop
  ) async throws -> Response {
    let query = try Query(of: request, known: ["maxSide", "name", "lenient", "hdr"])
    let (side, hdr) = (try query.previewSide(), try query.previewHDR())
    let isLenient = try query.flag("lenient")
    try results.checkRoom()
    return try await uploads.withPicture(
      in: request, on: context.channel, name: query.pictureName
    ) { source in
      let result = try await scheduler.perform(cost: source.cost, until: stop) {
        () throws(CropError) in
        try engine.preview(source, maxSide: side, hdr: hdr, isLenient: isLenient)
      }
      var headers: HTTPFields = [
        .contentType: result.format.mediaType, .cacheControl: "no-store",
      ]
      headers.describe(result)
      return results.response(headers: headers, bytes: result.bytes, to: context.channel)
    }
  }

  private func border(
    _ request: Request, _ context: CropContext, until stop: CropStop
  ) async throws -> Response {
    let query = try Query(of: request, known: ["tolerance", "name", "lenient"])
    let tolerance = try query.tolerance("tolerance") ?? CropEngine.usualTolerance
    let isLenient = try query.flag("lenient")
    return try await uploads.withPicture(
      in: request, on: context.channel, name: query.pictureName
    ) { source in
      try await scheduler.perform(cost: source.cost, until: stop) { () throws(CropError) in
        Result {
          try Response(
            json: BorderJSON(of: source, tolerance, by: engine, isLenient: isLenient))
        }
      }.get()
    }
  }

  private func crop(
    _ request: Request, _ context: CropContext, until stop: CropStop
  ) async throws -> Response {
    let query = try Query(of: request, known: ["recipe", "encoding", "outside", "trim", "name"])
    let trim = try query.tolerance("trim")
    let clamps = try query.clamps()
    let recipe = try query.json(CropRecipe.self, in: "recipe") ?? CropRecipe()
    let options = try query.json(ResultOptions.self, in: "encoding") ?? ResultOptions()
    try results.checkRoom()
    return try await uploads.withPicture(
      in: request, on: context.channel, name: query.pictureName
    ) { source in
      let result = try await scheduler.perform(cost: source.cost, until: stop) {
        () throws(CropError) in
        let picture = try engine.open(source, options: options)
        let (recipe, warnings) =
          try trim.map { tolerance throws(CropError) in
            try engine.trimming(recipe, of: picture, tolerance: tolerance, options: options)
          } ?? (clamps ? recipe.clamping(to: picture.info.shown) : (recipe, []))
        let planned = PlannedCrop(
          recipe, of: picture,
          options: options.keepingShape(of: recipe, from: picture.info.format), warnings: warnings)
        return try planned.result(by: engine)
      }
      let name = ResultName(source: query["name"], format: result.format)
      var headers: HTTPFields = [
        .contentType: result.format.mediaType, .cacheControl: "no-store",
        .contentDisposition: name.disposition,
      ]
      headers.describe(result)
      return results.response(headers: headers, bytes: result.bytes, to: context.channel)
    }
  }
}

/// The area inside an image's uniform border, in pixels of the upright image; the complete image if
/// there is none.
struct BorderJSON: Encodable {
  let x: Int
  let y: Int
  let width: Int
  let height: Int
  /// Whether there is a border.
  let found: Bool

  /// - Throws: `CropError`, also for an image of one color.
  init(
    of source: ImageSource, _ tolerance: Int, by engine: CropEngine, isLenient: Bool = false
  ) throws(CropError) {
    let options = ResultOptions(isLenient: isLenient)
    let picture = try engine.open(source, isLenient: isLenient)
    let inside = try engine.insideBorder(of: picture, tolerance: tolerance, options: options)
    (x, y, width, height) = (inside.x, inside.y, inside.width, inside.height)
    found = width < picture.info.shown.width || height < picture.info.shown.height
  }
}

extension Query {
  /// The tolerance of a border: `auto` or 0 to 255; nil if it is missing.
  func tolerance(_ name: String) throws(Problem) -> Int? {
    self[name] == "auto" ? CropEngine.usualTolerance : try number(name, in: 0...255)
  }

  /// Whether a rectangle that is partly outside the image is cut to it; default: it is an error.
  func clamps() throws(Problem) -> Bool {
    switch self["outside"] {
    case nil, "error": false
    case "clamp": true
    default: throw Problem(.badRequest, code: "usage", "outside must be error or clamp")
    }
  }
}

extension HTTPFields {
  /// Adds what a client may want to know about a result before the download.
  mutating func describe(_ result: CropResult) {
    self[named: "CropKit-Format"] = result.format.rawValue
    self[named: "CropKit-Size"] = "\(result.size.width)x\(result.size.height)"
    self[named: "CropKit-Lossless"] = result.isLossless ? "true" : "false"
    if result.pictureCount > 1 { self[named: "CropKit-Frames"] = "\(result.pictureCount)" }
    if let obstacle = result.obstacle { self[named: "CropKit-Obstacle"] = obstacle.rawValue }
    if let edges = result.requantized?.edges {
      self[named: "CropKit-Requantized"] =
        "\(edges.left),\(edges.top),\(edges.right),\(edges.bottom)"
    }
    if let map = result.gainMap { self[named: "CropKit-Gain-Map"] = map.rawValue }
    if let rect = result.rect {
      self[named: "CropKit-Rect"] = "\(rect.x),\(rect.y),\(rect.width),\(rect.height)"
    }
    if !result.warnings.isEmpty {
      self[named: "CropKit-Warnings"] = result.warnings.map(\.code).joined(separator: ", ")
    }
    let dropped = result.warnings.flatMap { $0.dropped ?? [] }
    if !dropped.isEmpty {
      self[named: "CropKit-Dropped"] = dropped.map(\.rawValue).joined(separator: ", ")
    }
  }
}

extension Response {
  fileprivate init(json: Data, headers: HTTPFields) {
    var headers = headers
    headers[.contentType] = "application/json"
    self.init(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
  }
}

/// Information from the image's header, which changes of it are lossless, and the crop that another
/// program stored in it.
private struct InfoJSON: Encodable, Sendable {
  let info: ImageInfo
  let lossless: LosslessChanges
  /// Also nil if the crop is already applied or can't be reproduced.
  let mark: CropMark?
  /// The small JPEG that the file contains, if it was requested.
  var thumbnail: Data?

  init(_ source: ImageSource, _ picture: OpenedImage) {
    info = picture.info
    lossless = picture.losslessChanges
    let found = try? CropMark(in: source, info)
    mark = found?.isApplied == true ? nil : found
  }

  private enum Key: String, CodingKey { case lossless, mark, thumbnail }

  func encode(to encoder: any Encoder) throws {
    try info.encode(to: encoder)
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(lossless, forKey: .lossless)
    try fields.encode(mark, forKey: .mark)
    try fields.encodeIfPresent(thumbnail, forKey: .thumbnail)
  }
}
