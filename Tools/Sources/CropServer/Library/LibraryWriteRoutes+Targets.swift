import CropCore
import CropImaging
import FoundationEssentials
import Glibc
import Hummingbird
import NIOCore
import PhotoLibrary

/// The calls for the targets of a photo. The document is read and written unchanged; POST saves its
/// files.
extension LibraryWriteRoutes {
  func addTargets(to routes: Routes) {
    let path = "api/photos/:id/targets"
    routes.get(path) { request, context in try await targets(request, context) }
    routes.put(path) { request, context in try await keepTargets(request, context) }
    routes.delete(path) { request, context in try await forgetTargets(request, context) }
    routes.post(path) { request, context in try await saveTargets(request, context) }
  }

  private func targets(_ request: Request, _ context: CropContext) async throws -> Response {
    _ = try Query(of: request, known: [])
    let photo = try await library.photo(in: context)
    guard let kept = try await move({ try library.keptTargets(of: photo) }) else {
      throw LibraryError.noTargets
    }
    return try Response(json: StoredTargetsJSON(kept), headers: [.eTag: "\"\(kept.tag)\""])
  }

  private func keepTargets(_ request: Request, _ context: CropContext) async throws -> Response {
    let version = try Query(of: request, known: ["version"])["version"]
    let targets: BoundedTargets
    do {
      targets = try await request.json(
        BoundedTargets.self, atMost: TargetsRequest.longest, called: "a document of targets",
        on: context.channel)
    } catch let error as DecodingError {
      throw Problem(.badRequest, code: "invalid-targets", error.words)
    }
    let photo = try await library.photo(in: context)
    let tag = try await move {
      try library.keepTargets(
        targets.document, of: photo, version: version, unless: request.headers.checkTargets)
    }
    return Response(status: .noContent, headers: [.eTag: "\"\(tag)\""])
  }

  private func forgetTargets(_ request: Request, _ context: CropContext) async throws -> Response {
    _ = try Query(of: request, known: [])
    let photo = try await library.photo(in: context)
    try await move {
      try library.forgetTargets(of: photo, unless: request.headers.checkTargets)
    }
    return Response(status: .noContent)
  }

  private func saveTargets(_ request: Request, _ context: CropContext) async throws -> Response {
    _ = try Query(of: request, known: [])
    let order = try await TargetsRequest(of: request, on: context.channel)
    try order.targets.checkNames(order.names)
    let photo = try await library.photo(in: context)
    let saved = try await clients.withDisconnectHandler(context.channel) { stop in
      try await scheduler.performSet(
        cost: photo.cost * order.targets.document.targets.count, until: stop,
        seconds: library.seconds, name: photo.name
      ) {
        try library.saveTargets(
          of: photo, order.targets, names: order.names, version: order.version,
          unless: request.headers.checkTargets)
      }
    }
    // An existing file is not a new photo.
    let isNew = saved.saved.contains { $0.crop.isNew }
    return try Response(
      status: isNew ? .created : .ok, json: SavedTargetsJSON(saved),
      headers: [.eTag: "\"\(saved.tag)\""])
  }
}

extension HTTPFields {
  /// Checks that the client refers to the stored targets.
  fileprivate func checkTargets(_ tag: String?) throws(Problem) {
    try checkChange(of: tag.map { "\"\($0)\"" })
  }
}

/// The body of a request to save targets: `{"document", "encoding"?, "pattern"?, "enlarge"?, "version"?}`.
private struct TargetsRequest: Decodable {
  let targets: TargetRequest
  let names: TargetNames
  /// The version of the photo that the client saw.
  let version: String?

  private enum Key: String, CodingKey, CaseIterable {
    case document, encoding, pattern, enlarge, version
  }

  /// The maximum length of a body in bytes.
  static let longest = 64 << 10

  init(from decoder: any Decoder) throws {
    let fields = try decoder.strictContainer(keyedBy: Key.self)
    targets = TargetRequest(
      try fields.decode(BoundedTargets.self, forKey: .document).document,
      options: try fields.decodeIfPresent(ResultOptions.self, forKey: .encoding) ?? .init(),
      enlarges: try fields.decodeIfPresent(Bool.self, forKey: .enlarge) ?? false)
    names = try TargetNames(asked: fields.decodeIfPresent(String.self, forKey: .pattern))
    version = try fields.decodeIfPresent(String.self, forKey: .version)
  }

  /// Reads the body of a request.
  init(of request: Request, on channel: any Channel) async throws {
    self = try await request.json(
      Self.self, atMost: Self.longest, called: "a request for targets", on: channel,
      invalid: "invalid-targets")
  }
}

/// A photo's saved targets in the API.
private struct SavedTargetsJSON: Encodable {
  let saved: [Saved]
  let failed: [Failed]

  struct Saved: Encodable {
    let target: String
    let crop: SavedCrop

    private enum Key: CodingKey { case target, new }

    func encode(to encoder: any Encoder) throws {
      try SavedJSON(crop).encode(to: encoder)
      var fields = encoder.container(keyedBy: Key.self)
      try fields.encode(target, forKey: .target)
      try fields.encode(crop.isNew, forKey: .new)
    }
  }

  struct Failed: Encodable {
    let target: String
    let code: String
    let message: String
  }

  init(_ targets: SavedTargets) {
    saved = targets.saved.map { Saved(target: $0.target, crop: $0.crop) }
    failed = targets.failed.map {
      Failed(
        target: $0.target, code: $0.error.code,
        message: $0.error.message(for: .http).withoutDirectionControls)
    }
  }
}

/// A photo's stored targets in the API.
private struct StoredTargetsJSON: Encodable {
  let photo: String?
  let target: String?
  let document: TargetDocument

  private enum Key: CodingKey { case photo, target, document }

  init(_ kept: StoredTargets) {
    photo = kept.photo?.text
    target = kept.target
    document = kept.document
  }

  /// Encodes all keys, including those with null.
  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(photo, forKey: .photo)
    try fields.encode(target, forKey: .target)
    try fields.encode(document, forKey: .document)
  }
}
