import CropCore
import CropImaging
import Foundation
import Hummingbird
import PhotoLibrary

/// The call that cuts a picture that is sent along for several places.
struct TargetRoutes: Sendable {
  let engine: CropEngine
  let scheduler: CropScheduler
  let clients: Clients
  let uploads: Uploads
  let results: UnreadResults

  func add(to routes: Routes) {
    routes.post("api/targets") { request, context in
      try await clients.withDisconnectHandler(context.channel) {
        try await targets(request, context, until: $0)
      }
    }
  }

  private func targets(
    _ request: Request, _ context: CropContext, until stop: CropStop
  ) async throws -> Response {
    let query = try Query(
      of: request, known: ["targets", "encoding", "name", "pattern", "enlarge", "report"])
    let bundle = TargetBundle(
      order: TargetOrder(
        try query.targets(), options: try query.json(ResultOptions.self, in: "encoding") ?? .init(),
        enlarges: try query.flag("enlarge")),
      photo: PathBytes(ResultName.stem(of: query["name"])), names: try query.names(),
      hasReport: try query.flag("report"))
    try bundle.order.checkNames(bundle.names)
    try results.checkRoom()
    return try await uploads.withPicture(
      in: request, on: context.channel, name: query.pictureName
    ) { source in
      let made = try await scheduler.performSet(
        until: stop, seconds: engine.limits.seconds, name: query.pictureName
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
  /// The document of targets.
  fileprivate func targets() throws(Problem) -> TargetDocument {
    guard let targets = try json(BoundedTargets.self, in: "targets") else {
      throw Problem(.badRequest, code: "usage", "\"targets\" is missing")
    }
    return targets.document
  }

  /// What the files are called.
  fileprivate func names() throws(Problem) -> TargetNames {
    try TargetNames(asked: self["pattern"])
  }
}

extension TargetNames {
  /// The names of a pattern that a client sent, the usual ones where it sent none.
  init(asked pattern: String?) throws(Problem) {
    guard let pattern else {
      self = .usual
      return
    }
    guard let names = TargetNames(pattern) else {
      throw Problem(
        .badRequest, code: "usage",
        "a pattern of names has {name}, {target} and {number} in it, no slash, and at most 200 bytes"
      )
    }
    self = names
  }
}

extension TargetOrder {
  /// - Throws: `Problem` where there are no targets, or names would not tell their files apart.
  func checkNames(_ names: TargetNames) throws(Problem) {
    let count = document.targets.count
    guard count > 0 else { throw Problem(.badRequest, code: "usage", "there are no targets") }
    guard count == 1 || names.tellsApart else {
      throw Problem(
        .badRequest, code: "usage",
        "the pattern needs {target} or {number}; without it all \(count) files have one name")
    }
  }
}
