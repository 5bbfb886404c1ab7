import CropCore
import CropImaging
import Foundation
import Testing

@testable import PhotoLibrary

/// A photo's targets in the library, tested through its Swift API.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct LibraryTargetsInsideTests {
  private struct Refusal: Error {}

  private let document: TargetDocument = {
    let ratios = [("square", 1, 1), ("wide", 16, 9)]
    return TargetDocument(
      targets: ratios.compactMap { name, width, height in
        AspectRatio(width, height).map { PhotoTarget(name: name, requirement: .ratio($0)) }
      })
  }()

  /// A library of one photo, which is indexed.
  private func library(in folder: Folder) throws -> (PhotoLibrary, Photo) {
    let library = try LibraryServer.library(over: folder)
    try library.indexer.sync([PathBytes("")]) { _, _ in }
    return (library, try photo(named: "a.jpg", of: library))
  }

  private func photo(named name: String, of library: PhotoLibrary) throws -> Photo {
    let place = PhotoPlace(folder: PathBytes(""), name: PathBytes(name))
    return try library.index.photo(now: #require(try library.index.known(place)).id)
  }

  @Test func `if not everything can be stored, no file stays`() throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let (library, photo) = try library(in: folder)
    defer { library.stop() }
    func files() -> [String] { Folder.names(in: folder.path("Photos/Cropped")) }
    func listed() throws -> Int { try library.index.known(in: PathBytes("Cropped")).count }
    var asked = 0
    #expect(throws: Refusal.self) {
      _ = try library.saveTargets(of: photo, TargetRequest(document)) { _ in
        asked += 1
        guard asked > 1 else { return }
        #expect(files().count == 2)
        #expect(try listed() == 2)
        throw Refusal()
      }
    }
    #expect(asked == 2 && files().isEmpty)
    #expect(try listed() == 0)
    #expect(try library.keptTargets(of: photo) == nil)
    // Existing files are kept.
    _ = try library.saveTargets(of: photo, TargetRequest(document))
    asked = 0
    #expect(throws: Refusal.self) {
      _ = try library.saveTargets(of: photo, TargetRequest(document)) { _ in
        asked += 1
        if asked > 1 { throw Refusal() }
      }
    }
    #expect(files() == ["a-square.jpg", "a-wide.jpg"])
    #expect(try listed() == 2)
  }

  @Test func `a photo that changes in the meantime has none of its targets saved`() throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let (library, photo) = try library(in: folder)
    defer { library.stop() }
    var bytes = try Data(contentsOf: folder.url("Photos/a.jpg"))
    #expect(throws: LibraryError.changed(name: "a.jpg")) {
      _ = try library.saveTargets(of: photo, TargetRequest(document)) { _ in
        // Between reading the photo and its first crop.
        bytes.append(0)
        try bytes.write(to: folder.url("Photos/a.jpg"), options: [])
      }
    }
    #expect(Folder.names(in: folder.path("Photos/Cropped")) == [])
  }

  @Test func `a photo that is half written when it is read has changed, and is not damaged`() throws
  {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let (library, photo) = try library(in: folder)
    defer { library.stop() }
    let whole = try Data(contentsOf: folder.url("Photos/a.jpg"))
    let half = whole.prefix(whole.count / 2)
    let opened = try library.files.open(photo)
    try half.write(to: folder.url("Photos/a.jpg"), options: [])
    #expect(throws: LibraryError.changed(name: "a.jpg")) {
      _ = try opened.reading { try library.engine.preview($0, maxSide: 100) }
    }
    // The same file is damaged if it stays so.
    let damaged = try library.files.open(photo)
    #expect(throws: CropError.self) {
      _ = try damaged.reading { try library.engine.preview($0, maxSide: 100) }
    }
    try whole.write(to: folder.url("Photos/a.jpg"), options: [])
    try library.indexer.sync([PathBytes("")]) { _, _ in }
    let current = try self.photo(named: "a.jpg", of: library)
    #expect(throws: LibraryError.changed(name: "a.jpg")) {
      _ = try library.saveTargets(of: current, TargetRequest(document)) { _ in
        try half.write(to: folder.url("Photos/a.jpg"), options: [])
      }
    }
  }

  @Test func `an unreadable record is ignored, and rewritten`() throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let (library, photo) = try library(in: folder)
    defer { library.stop() }
    _ = try library.keepTargets(document, of: photo)
    let place = folder.path("data/cropkit/targets")
    let file = try #require(
      FileManager.default.subpaths(atPath: place)?.first { $0.hasSuffix(".json") })
    for text in ["", "{", "{\"version\": 2}", "[]"] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(place)/\(file)"))
      #expect(try library.keptTargets(of: photo) == nil, "\(text)")
      #expect(try library.details(of: photo).targetCount == nil)
    }
    _ = try library.keepTargets(document, of: photo)
    #expect(try library.keptTargets(of: photo)?.document == document)
    #expect(try library.details(of: photo).targetCount == 2)
  }

  @Test func `two photos of one length have each their own`() throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    var bytes = try Data(contentsOf: folder.url("Photos/a.jpg"))
    // The density, which does not affect pixels.
    bytes[15] ^= 1
    try bytes.write(to: folder.url("Photos/b.jpg"))
    let (library, a) = try library(in: folder)
    defer { library.stop() }
    let b = try photo(named: "b.jpg", of: library)
    #expect(a.stamp.size == b.stamp.size)
    let other = TargetDocument(targets: Array(document.targets.prefix(1)))
    _ = try library.keepTargets(document, of: a)
    #expect(try library.keptTargets(of: b) == nil)
    _ = try library.keepTargets(other, of: b)
    #expect(try library.keptTargets(of: a)?.document == document)
    #expect(try library.keptTargets(of: b)?.document == other)
    try library.forgetTargets(of: a)
    #expect(try library.keptTargets(of: a) == nil)
    #expect(try library.keptTargets(of: b)?.document == other)
  }

  @Test func `of a file that was named the set is saved beside it, and kept for any library`()
    throws
  {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let (library, photo) = try library(in: folder)
    defer { library.stop() }
    let named = try PhotoLibrary(
      ofNamedFilesWith: library.engine, userFolders: UserFolders(environment: folder.environment),
      thumbnailsAtOnce: 1)
    defer { named.stop() }
    let opened = try named.admit(PathBytes(folder.path("Photos/a.jpg")))
    let saved = try named.saveTargets(of: opened, TargetRequest(document)).saved
    #expect(saved.map(\.crop.photo.name) == ["a-square.jpg", "a-wide.jpg"])
    #expect(Folder.names(in: folder.path("Photos")) == ["a-square.jpg", "a-wide.jpg", "a.jpg"])
    #expect(try named.keptTargets(of: saved[1].crop.photo)?.target == "wide")
    #expect(try library.keptTargets(of: photo)?.document == document)
  }

  @Test(arguments: [
    String(repeating: "0", count: 63), String(repeating: "A", count: 64),
    "../../" + String(repeating: "0", count: 58), String(repeating: "é", count: 32),
  ])
  func `what a crop calls its source's checksum is no path`(text: String) {
    #expect(FileContent(bytes: 1, checksum: text) == nil)
    #expect(FileContent(bytes: 0, checksum: String(repeating: "0", count: 64)) == nil)
    #expect(FileContent(bytes: 1, checksum: String(repeating: "0", count: 64)) != nil)
  }
}
