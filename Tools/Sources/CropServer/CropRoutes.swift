import CropCore
import CropImaging
import Foundation
import Hummingbird

/// The calls that work on a picture: one that is sent along, or a sample.
struct CropRoutes: Sendable {
  let engine: CropEngine
  let desk: CropDesk
  let uploads: Uploads
  let samples: Samples

  func add(to router: Router<CropContext>) {
    router.get("api/samples") { _, _ in try listSamples() }
    router.get("api/samples/:id") { request, context in try await sample(request, context) }
    router.get("api/samples/:id/preview") { request, context in
      try await samplePreview(request, context)
    }
    router.post("api/info") { request, _ in try await info(request) }
    router.post("api/preview") { request, _ in try await preview(request) }
    router.post("api/crop") { request, _ in try await crop(request) }
  }

  // MARK: Samples

  private func listSamples() throws -> Response {
    Response(json: try samples.list(), headers: [.cacheControl: "no-cache"])
  }

  private func sample(_ request: Request, _ context: CropContext) async throws -> Response {
    let sample = try sample(named: context)
    let headers = Self.headers(tag: sample.tag, type: sample.info.format.mediaType)
    if request.headers.matches(tag: "\"\(sample.tag)\"") {
      return Response(status: .notModified, headers: headers)
    }
    let bytes = try await desk.perform { () throws(CropError) in try sample.bytes() }
    return Response(headers: headers, bytes: bytes)
  }

  private func samplePreview(_ request: Request, _ context: CropContext) async throws -> Response {
    let sample = try sample(named: context)
    let side = try request.previewSide()
    let tag = "\(sample.tag)-\(side)"
    if request.headers.matches(tag: "\"\(tag)\"") {
      let type = "image/jpeg"
      return Response(status: .notModified, headers: Self.headers(tag: tag, type: type))
    }
    let result = try await desk.perform { () throws(CropError) in
      try engine.preview(try PictureSource(path: sample.path), maxSide: side)
    }
    var headers = Self.headers(tag: tag, type: result.format.mediaType)
    headers.describe(result)
    return Response(headers: headers, bytes: result.bytes)
  }

  private func sample(named context: CropContext) throws(Problem) -> Samples.Sample {
    guard let sample = context.parameters.get("id").flatMap({ samples[$0] }) else {
      throw Problem(.notFound, code: "not-found", "there is no such sample")
    }
    return sample
  }

  private static func headers(tag: String, type: String) -> HTTPFields {
    [.contentType: type, .eTag: "\"\(tag)\"", .cacheControl: "no-cache"]
  }

  // MARK: Uploads

  private func info(_ request: Request) async throws -> Response {
    try await uploads.withPicture(in: request, name: request.pictureName) { source in
      let info = try await desk.perform { () throws(CropError) in try engine.info(source) }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return Response(json: try encoder.encode(info), headers: [.cacheControl: "no-store"])
    }
  }

  private func preview(_ request: Request) async throws -> Response {
    let side = try request.previewSide()
    return try await uploads.withPicture(in: request, name: request.pictureName) { source in
      let result = try await desk.perform { () throws(CropError) in
        try engine.preview(source, maxSide: side)
      }
      var headers: HTTPFields = [
        .contentType: result.format.mediaType, .cacheControl: "no-store",
      ]
      headers.describe(result)
      return Response(headers: headers, bytes: result.bytes)
    }
  }

  private func crop(_ request: Request) async throws -> Response {
    let recipe = try request.json(CropRecipe.self, in: "recipe") ?? CropRecipe()
    let options = try request.json(Encoding.self, in: "encoding")?.options ?? ResultOptions()
    return try await uploads.withPicture(in: request, name: request.pictureName) { source in
      let result = try await desk.perform { () throws(CropError) in
        try engine.crop(source, recipe: recipe, options: options)
      }
      let name = ResultName(source: request.query("name"), format: result.format)
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
  fileprivate mutating func describe(_ result: CropResult) {
    self[named: "CropKit-Format"] = result.format.rawValue
    self[named: "CropKit-Size"] = "\(result.size.width)x\(result.size.height)"
    self[named: "CropKit-Lossless"] = result.isLossless ? "true" : "false"
    if !result.warnings.isEmpty {
      self[named: "CropKit-Warnings"] = result.warnings.map(\.code).joined(separator: ", ")
    }
  }
}

extension Request {
  /// A value of the query, percent-decoded; nil where it is missing or no UTF-8.
  fileprivate func query(_ name: String) -> String? {
    uri.queryParameters[name[...]].map(String.init)
  }

  /// What messages call the picture that is sent along.
  fileprivate var pictureName: String {
    let name = query("name") ?? ""
    return name.isEmpty || name.utf8.count > 255 ? "the picture" : name
  }

  /// A value of the query in JSON; nil where it is missing.
  ///
  /// - Throws: `Problem` for anything but the JSON of such a value.
  fileprivate func json<Value: Decodable>(_ type: Value.Type, in name: String) throws -> Value? {
    guard let text = query(name) else { return nil }
    do {
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch let error as DecodingError {
      throw Problem(.badRequest, code: "invalid-\(name)", "\(name): \(error.words)")
    }
  }

  /// The longer side of a preview, in pixels: 2048 unless asked for.
  fileprivate func previewSide() throws(Problem) -> Int {
    guard let text = query("maxSide") else { return 2048 }
    guard let side = Int(text), (1...4096).contains(side) else {
      throw Problem(.badRequest, code: "usage", "maxSide is a whole number from 1 to 4096")
    }
    return side
  }
}

extension DecodingError {
  /// What is wrong, in one line.
  fileprivate var words: String {
    let (path, detail): ([any CodingKey], String) =
      switch self {
      case .dataCorrupted(let context), .typeMismatch(_, let context),
        .valueNotFound(_, let context):
        (context.codingPath, context.debugDescription)
      case .keyNotFound(let key, let context): (context.codingPath + [key], "it is missing")
      @unknown default: ([], "it can't be read")
      }
    let place = path.map(\.stringValue).joined(separator: ".")
    return place.isEmpty ? detail : "\(place): \(detail)"
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
  fileprivate init(headers: HTTPFields, bytes: Data) {
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
