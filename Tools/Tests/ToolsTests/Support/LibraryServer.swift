import CropImaging
import Foundation
import Testing

@testable import PhotoLibrary

/// A server with a separate folder of images.
struct LibraryServer {
  let server: RunningServer
  let folder: Folder

  /// The folder of the photos.
  static func photos(_ folder: Folder) -> String { folder.path("Photos") }

  /// Starts a server for the photos in `folder`, and waits until it has indexed them.
  init(_ folder: Folder, _ options: String...) async throws {
    self.folder = folder
    server = try await RunningServer(
      options: ["--library", Self.photos(folder)] + options,
      environment: ["XDG_DATA_HOME": folder.path("data"), "XDG_CACHE_HOME": folder.path("cache")])
    try await eventually("the first pass ends") {
      try await json("GET /api/albums")["indexing"] == nil
    }
  }

  /// Starts a server over copies of the given shared pictures, by name.
  init(_ pictures: [String: String]) async throws { try await self.init(Self.folder(pictures)) }

  /// A library of the photos in `folder` in this process, which does not scan automatically.
  static func library(over folder: Folder, limits: Limits = Limits(seconds: 600)) throws
    -> PhotoLibrary
  {
    let worker = "\(Program.folder)/cropkit-worker"
    return try PhotoLibrary(
      folder: photos(folder),
      engine: CropEngine(
        backend: WorkerPool(executable: worker, size: 1, limits: limits), limits: limits),
      userFolders: UserFolders(environment: folder.environment))
  }

  /// The index of a server that has run with `folder`.
  static func index(of folder: Folder) throws -> String {
    let place = folder.path("data/cropkit/libraries")
    let names = try FileManager.default.contentsOfDirectory(atPath: place)
    return "\(place)/\(try #require(names.first { $0.hasSuffix(".sqlite") }))"
  }

  /// A folder with copies of the given shared images, by name.
  static func folder(_ pictures: [String: String]) throws -> Folder {
    let folder = try Folder()
    for (name, picture) in pictures { try add(picture, as: name, to: folder) }
    try FileManager.default.createDirectory(
      atPath: photos(folder), withIntermediateDirectories: true)
    return folder
  }

  /// Copies a shared image into the library.
  static func add(_ picture: String, as name: String, to folder: Folder) throws {
    let target = "\(photos(folder))/\(name)"
    try FileManager.default.createDirectory(
      atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(contentsOf: URL(fileURLWithPath: Picture.named(picture).path))
      .write(to: URL(fileURLWithPath: target))
  }

  /// Sends a request and returns the JSON object in the response.
  func json(
    _ line: String, _ body: String? = nil, status: Int = 200
  ) async throws -> [String: any Sendable] {
    let answer = try await server.send(line, body: body.map { Data($0.utf8) })
    try #require(answer.status == status, "\(line): \(answer)")
    let value = try JSONSerialization.jsonObject(with: answer.body)
    return try #require(value as? [String: any Sendable])
  }

  /// All photos of an album by their names.
  func photos(in album: String = "all") async throws -> [String: [String: any Sendable]] {
    let list = try await json("GET /api/albums/\(album)/photos?limit=1000")
    let photos = try #require(list["photos"] as? [[String: any Sendable]])
    return Dictionary(photos.map { ($0["name"] as? String ?? "", $0) }) { first, _ in first }
  }

  /// The id of the photo of the given name.
  func id(_ name: String) async throws -> String {
    try #require(await photos()[name]?["id"] as? String)
  }

  /// Whether the library contains a file.
  func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(Self.photos(folder))/\(name)")
  }
}
