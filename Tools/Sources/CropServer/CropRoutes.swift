import CropCore
import CropImaging
import Foundation
import Hummingbird

/// The calls that work on a picture: one that is sent along, or a sample.
struct CropRoutes: Sendable {
  let engine: CropEngine
  let desk: CropDesk
  let clients: Clients
  let uploads: Uploads
  let samples: Samples
  let samplePreviews: SamplePreviews

  func add(to router: Router<CropContext>) {
    router.get("api/samples") { _, _ in try listSamples() }
    router.get("api/samples/:id") { request, context in try sample(request, context) }
    router.get("api/samples/:id/preview") { request, context in
      try await clients.attend(context.channel) {
        try await samplePreview(request, context, until: $0)
      }
    }
    router.post("api/info") { request, context in
      try await clients.attend(context.channel) { try await info(request, context, until: $0) }
    }
    router.post("api/preview") { request, context in
      try await clients.attend(context.channel) { try await preview(request, context, until: $0) }
    }
    router.post("api/crop") { request, context in
      try await clients.attend(context.channel) { try await crop(request, context, until: $0) }
    }
  }

  // MARK: Samples

  private func listSamples() throws -> Response {
    Response(json: try samples.list(), headers: [.cacheControl: "no-cache"])
  }

  private func sample(_ request: Request, _ context: CropContext) throws -> Response {
    let sample = try sample(named: context)
    let source = try sample.open()
    let file = FileAnswer(
      source: source, tag: "\"\(sample.tag(of: source))\"",
      type: sample.info.format.mediaType, name: sample.name)
    return try file.response(to: request)
  }

  private func samplePreview(
    _ request: Request, _ context: CropContext, until stop: CropStop
  ) async throws -> Response {
    let sample = try sample(named: context)
    let side = try Query(of: request, known: ["maxSide"]).previewSide()
    let source = try sample.open()
    let tag = "\"\(sample.tag(of: source))-\(side)\""
    var headers: HTTPFields = [
      .contentType: "image/jpeg", .eTag: tag, .cacheControl: "no-cache",
    ]
    if request.headers.matches(tag: tag) {
      return Response(status: .notModified, headers: headers)
    }
    let result = try await samplePreviews.preview(of: source, side: side, tag: tag, until: stop)
    headers[.contentType] = result.format.mediaType
    headers.describe(result)
    return Response(headers: headers, bytes: result.bytes)
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
    let query = try Query(of: request, known: ["name"])
    return try await uploads.withPicture(
      in: request, on: context.channel, name: query.pictureName
    ) { source in
      let info = try await desk.perform(until: stop) { () throws(CropError) in
        try engine.info(source)
      }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return Response(json: try encoder.encode(info), headers: [.cacheControl: "no-store"])
    }
  }

  private func preview(
    _ request: Request, _ context: CropContext, until stop: CropStop
  ) async throws -> Response {
    let query = try Query(of: request, known: ["maxSide", "name"])
    let side = try query.previewSide()
    return try await uploads.withPicture(
      in: request, on: context.channel, name: query.pictureName
    ) { source in
      let result = try await desk.perform(until: stop) { () throws(CropError) in
        try engine.preview(source, maxSide: side)
      }
      var headers: HTTPFields = [
        .contentType: result.format.mediaType, .cacheControl: "no-store",
      ]
      headers.describe(result)
      return Response(headers: headers, bytes: result.bytes)
    }
  }

  private func crop(
    _ request: Request, _ context: CropContext, until stop: CropStop
  ) async throws -> Response {
    let query = try Query(of: request, known: ["recipe", "encoding", "name"])
    let recipe = try query.json(CropRecipe.self, in: "recipe") ?? CropRecipe()
    let options = try query.json(Encoding.self, in: "encoding")?.options ?? ResultOptions()
    return try await uploads.withPicture(
      in: request, on: context.channel, name: query.pictureName
    ) { source in
      let result = try await desk.perform(until: stop) { () throws(CropError) in
        let picture = try engine.open(
          source, isLenient: options.isLenient, page: options.page.first)
        return try engine.crop(
          picture, recipe: recipe, options: options, into: .temporary(for: source))
      }
      let name = ResultName(source: query["name"], format: result.format)
      var headers: HTTPFields = [
        .contentType: result.format.mediaType, .cacheControl: "no-store",
        .contentDisposition: name.disposition,
      ]
      headers.describe(result)
      return Response(headers: headers, bytes: result.bytes)
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

  /// Bytes sent in parts, so that a client that reads slowly holds little more than the result.
  init(headers: HTTPFields, bytes: Data) {
    let body = ResponseBody(contentLength: bytes.count) { writer in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = rest.prefix(1 << 17)
        try await writer.write(ByteBuffer(bytes: part))
        rest = rest.dropFirst(part.count)
      }
      try await writer.finish(nil)
    }
    self.init(status: .ok, headers: headers, body: body)
  }
}
