import CropCore
import CropImaging
import Foundation
import Hummingbird
import PhotoLibrary

/// The calls that work on a picture: one that is sent along, or a sample.
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
    routes.get("api/samples/:id/preview") { request, context in
      try await clients.withDisconnectHandler(context.channel) {
        try await samplePreview(request, context, until: $0)
      }
    }
    routes.post("api/info") { request, context in
      try await clients.withDisconnectHandler(context.channel) {
        try await info(request, context, until: $0)
      }
    }
    routes.post("api/preview") { request, context in
      try await clients.withDisconnectHandler(context.channel) {
        try await preview(request, context, until: $0)
      }
    }
    routes.post("api/crop") { request, context in
      try await clients.withDisconnectHandler(context.channel) {
        try await crop(request, context, until: $0)
      }
    }
  }

  // MARK: Samples

  private func listSamples() throws -> Response {
    Response(json: try samples.list(), headers: [.cacheControl: "no-cache"])
  }

  private func sample(_ request: Request, _ context: CropContext) async throws -> Response {
    let sample = try sample(named: context)
    let source = try await files.run { try sample.open() }
    let file = FileAnswer(
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
      throw Problem(.notFound, code: "not-found", "there is no such sample")
    }
    return sample
  }

  // MARK: Uploads

  private func info(
    _ request: Request, _ context: CropContext, until stop: CropStop
  ) async throws -> Response {
    let query = try Query(of: request, known: ["name", "lenient"])
    let isLenient = try query.flag("lenient")
    return try await uploads.withPicture(
      in: request, on: context.channel, name: query.pictureName
    ) { source in
      let info = try await scheduler.perform(until: stop) { () throws(CropError) in
        try engine.info(source, isLenient: isLenient)
      }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return Response(json: try encoder.encode(info), headers: [.cacheControl: "no-store"])
    }
  }

  private func preview(
    _ request: Request, _ context: CropContext, until stop: CropStop
  ) async throws -> Response {
    let query = try Query(of: request, known: ["maxSide", "name", "lenient"])
    let side = try query.previewSide()
    let isLenient = try query.flag("lenient")
    try results.checkRoom()
    return try await uploads.withPicture(
      in: request, on: context.channel, name: query.pictureName
    ) { source in
      let result = try await scheduler.perform(until: stop) { () throws(CropError) in
        try engine.preview(source, maxSide: side, isLenient: isLenient)
      }
      var headers: HTTPFields = [
        .contentType: result.format.mediaType, .cacheControl: "no-store",
      ]
      headers.describe(result)
      return results.response(headers: headers, bytes: result.bytes, to: context.channel)
    }
  }

  private func crop(
    _ request: Request, _ context: CropContext, until stop: CropStop
  ) async throws -> Response {
    let query = try Query(of: request, known: ["recipe", "encoding", "name"])
    let recipe = try query.json(CropRecipe.self, in: "recipe") ?? CropRecipe()
    let options = try query.json(ResultOptions.self, in: "encoding") ?? ResultOptions()
    try results.checkRoom()
    return try await uploads.withPicture(
      in: request, on: context.channel, name: query.pictureName
    ) { source in
      let result = try await scheduler.perform(until: stop) { () throws(CropError) in
        let picture = try engine.open(
          source, isLenient: options.isLenient, page: options.page.first)
        return try engine.crop(
          picture, recipe: recipe,
          options: options.keepingShape(of: recipe, from: picture.info.format))
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

extension HTTPFields {
  /// What a client may want to know of a result before it has it.
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
    if let rect = result.rect {
      self[named: "CropKit-Rect"] = "\(rect.x),\(rect.y),\(rect.width),\(rect.height)"
    }
    if !result.warnings.isEmpty {
      self[named: "CropKit-Warnings"] = result.warnings.map(\.code).joined(separator: ", ")
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
