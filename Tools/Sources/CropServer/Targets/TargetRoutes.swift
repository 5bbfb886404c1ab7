import CropCore
import CropImaging
import FoundationEssentials
import Glibc
import Hummingbird
import PhotoLibrary

/// The call that crops an uploaded image for several targets.
struct TargetRoutes: Sendable {
  let engine: CropEngine
  let scheduler: CropScheduler
  let clients: Clients
  let uploads: Uploads
  let results: UnreadResults

  func add(to routes: Routes) {
    routes.post("api/targets", clients.watching(targets))
  }

  private func targets(
    _ request: Request, _ context: CropContext, until stop: CropStop
  ) async throws -> Response {
    let query = try Query(
      of: request, known: ["targets", "encoding", "name", "pattern", "enlarge", "report", "time"])
    let bundle = TargetBundle(
      order: TargetRequest(
        try query.targets(), options: try query.json(ResultOptions.self, in: "encoding") ?? .init(),
        enlarges: try query.flag("enlarge")),
      photo: PathBytes(ResultName.stem(of: query["name"])), names: try query.names(),
      hasReport: try query.flag("report"), moment: try query.moment())
    try bundle.order.checkNames(bundle.names)
    try results.checkRoom()
    return try await uploads.withPicture(
      in: request, on: context.channel, name: query.pictureName
    ) { source in
      let made = try await scheduler.performSet(
        cost: source.cost * bundle.order.document.targets.count, until: stop,
        seconds: engine.limits.longestWait, name: query.pictureName
      ) { try bundle.made(of: source, by: engine) }
      var headers: HTTPFields = [
        .contentType: "application/zip", .cacheControl: "no-store",
        .contentDisposition: ResultName(archiveOf: query["name"]).disposition,
      ]
      headers[named: "CropKit-Targets"] = "\(made.count)"
      if !made.warnings.isEmpty {
        headers[named: "CropKit-Warnings"] = made.warnings.joined(separator: ", ")
      }
      return results.response(headers: headers, bytes: made.archive, to: context.channel)
    }
  }
}

extension Query {
  fileprivate func targets() throws(Problem) -> TargetDocument {
    guard let targets = try json(BoundedTargets.self, in: "targets") else {
      throw Problem(.badRequest, code: "usage", "\"targets\" is missing")
    }
    return targets.document
  }

  /// The time of the files on the client's clock.
  fileprivate func moment() throws(Problem) -> ZIPMoment {
    guard let text = self["time"] else { return .earliest }
    guard let moment = ZIPMoment(text) else {
      throw Problem(
        .badRequest, code: "usage", "\"time\" must be a local time such as 2026-11-30T06:30:00")
    }
    return moment
  }

  fileprivate func names() throws(Problem) -> TargetNames {
    try TargetNames(asked: self["pattern"])
  }
}

extension TargetNames {
  /// The names from a client's pattern; the default ones if it sent none.
  init(asked pattern: String?) throws(Problem) {
    guard let pattern else {
      self = .usual
      return
    }
    guard let names = TargetNames(pattern) else {
      throw Problem(
        .badRequest, code: "usage",
        "a file name pattern may contain {name}, {target}, {number}, {width} and {height}, no slash, and at most 200 bytes"
      )
    }
    self = names
  }
}

extension TargetRequest {
  /// - Throws: `Problem` if there are no targets, or if file names would not be unique.
  func checkNames(_ names: TargetNames) throws(Problem) {
    let count = document.targets.count
    guard count > 0 else { throw Problem(.badRequest, code: "usage", "no targets") }
    guard count == 1 || names.tellsApart else {
      throw Problem(
        .badRequest, code: "usage",
        "the pattern needs {target} or {number}; without it, all \(count) files would have the "
          + "same name")
    }
  }
}

/// A document of targets from a client.
struct BoundedTargets: Decodable {
  let document: TargetDocument

  private static let mostTargets = 100
  private static let longestName = 100

  /// - Throws: `DecodingError` for an invalid document, too many targets, and a name that can't be
  ///   part of a file name.
  init(from decoder: any Decoder) throws {
    document = try TargetDocument(from: decoder)
    guard document.targets.count <= Self.mostTargets else {
      throw Self.refusal(decoder, [Step("targets")], "more than \(Self.mostTargets) targets")
    }
    for (index, target) in document.targets.enumerated()
    where !(1...Self.longestName).contains(target.name.utf8.count) {
      throw Self.refusal(
        decoder, [Step("targets"), Step(index), Step("name")],
        "a name has 1 to \(Self.longestName) bytes")
    }
  }

  private static func refusal(
    _ decoder: any Decoder, _ path: [any CodingKey], _ words: String
  ) -> DecodingError {
    .dataCorrupted(.init(codingPath: decoder.codingPath + path, debugDescription: words))
  }

  private struct Step: CodingKey {
    let stringValue: String
    var intValue: Int?

    init(_ key: String) { stringValue = key }

    init(_ index: Int) {
      stringValue = "\(index)"
      intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { self.init(intValue) }
  }
}
