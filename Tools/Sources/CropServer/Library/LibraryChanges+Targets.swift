import CropCore
import CropImaging
import Foundation
import Hummingbird
import NIOCore
import PhotoLibrary

/// The calls about the targets of a photo: the document is read and written as it is, and by POST its files
/// are saved.
extension LibraryChanges {
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
    return try Response(json: KeptTargetsJSON(kept), headers: [.eTag: "\"\(kept.tag)\""])
  }

  private func keepTargets(_ request: Request, _ context: CropContext) async throws -> Response {
    let version = try Query(of: request, known: ["version"])["version"]
    let targets: BoundedTargets
    do {
      targets = try await request.json(
        BoundedTargets.self, atMost: TargetsOrder.longest, called: "a document of targets",
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
    let order = try await TargetsOrder(of: request, on: context.channel)
    try order.targets.checkNames(order.names)
    let photo = try await library.photo(in: context)
    let saved = try await clients.withDisconnectHandler(context.channel) { stop in
      try await scheduler.performSet(until: stop, seconds: library.seconds, name: photo.name) {
        try library.saveTargets(
          of: photo, order.targets, names: order.names, version: order.version,
          unless: request.headers.checkTargets)
      }
    }
    // What is there already is no new photo.
    let isNew = saved.saved.contains { $0.crop.isNew }
    return try Response(
      status: isNew ? .created : .ok, json: SavedTargetsJSON(saved),
      headers: [.eTag: "\"\(saved.tag)\""])
  }
}

extension HTTPFields {
  /// Checks that a client means the targets that are kept.
  fileprivate func checkTargets(_ tag: String?) throws(Problem) {
    try checkChange(of: tag.map { "\"\($0)\"" })
  }
}

/// The body of a request to save targets: `{"document", "encoding"?, "pattern"?, "enlarge"?, "version"?}`.
private struct TargetsOrder: Decodable {
  let targets: TargetOrder
  let names: TargetNames
  /// The version of the photo that was seen.
  let version: String?

  private enum Key: String, CodingKey, CaseIterable {
    case document, encoding, pattern, enlarge, version
  }

  /// The most bytes of a body.
  static let longest = 64 << 10

  init(from decoder: any Decoder) throws {
    let fields = try decoder.strictContainer(keyedBy: Key.self)
    targets = TargetOrder(
      try fields.decode(BoundedTargets.self, forKey: .document).document,
      options: try fields.decodeIfPresent(ResultOptions.self, forKey: .encoding) ?? .init(),
      enlarges: try fields.decodeIfPresent(Bool.self, forKey: .enlarge) ?? false)
    names = try TargetNames(asked: fields.decodeIfPresent(String.self, forKey: .pattern))
    version = try fields.decodeIfPresent(String.self, forKey: .version)
  }

  /// Reads the body of a request.
  init(of request: Request, on channel: any Channel) async throws {
    do {
      self = try await request.json(
        Self.self, atMost: Self.longest, called: "an order of targets", on: channel)
    } catch let error as DecodingError {
      let isEncoding = error.path.first?.stringValue == Key.encoding.rawValue
      throw Problem(
        .badRequest, code: isEncoding ? "invalid-encoding" : "invalid-targets", error.words)
    }
  }
}

/// The targets of a photo that were saved, as clients see them.
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
        target: $0.target, code: $0.error.code, message: $0.error.message.withoutDirectionControls)
    }
  }
}

/// The targets of a photo as they were left, as clients see them.
private struct KeptTargetsJSON: Encodable {
  let photo: String?
  let target: String?
  let document: TargetDocument

  private enum Key: CodingKey { case photo, target, document }

  init(_ kept: KeptTargets) {
    photo = kept.photo?.text
    target = kept.target
    document = kept.document
  }

  /// Every key, also where it is null.
  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(photo, forKey: .photo)
    try fields.encode(target, forKey: .target)
    try fields.encode(document, forKey: .document)
  }
}
