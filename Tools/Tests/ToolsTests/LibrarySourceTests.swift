import CropImaging
import Foundation
import Glibc
import Synchronization
import Testing

@testable import PhotoLibrary

/// The search for a crop's source is bounded, whatever the crop states about it.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct LibrarySourceTests {
  /// A JPEG that states that it was cropped from a file of this many bytes.
  private func crop(ofBytes count: Int, checksum: String) throws -> Data {
    let xmp = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:cropkit="urn:cropkit:provenance:1" cropkit:recipe="{}" cropkit:sourceName="source.jpg" \
      cropkit:sourceBytes="\(count)" cropkit:sourceSHA256="\(checksum)"/></rdf:RDF></x:xmpmeta>
      """
    let block = Array("http://ns.adobe.com/xap/1.0/\0\(xmp)".utf8)
    let length = block.count + 2
    let photo = try Data(
      contentsOf: URL(fileURLWithPath: Picture.named("jpeg-420-227x149.jpg").path))
    return photo.prefix(2) + Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + block)
      + photo.dropFirst(2)
  }

  /// Creates a file of `count` zeros that takes no space.
  private func makeSparse(_ path: String, bytes count: Int) {
    #expect(creat(path, 0o600) >= 0 && truncate(path, count) == 0)
  }

  @Test func `a sparse file of 4 TiB that a crop claims as its source holds up nothing`()
    async throws
  {
    let folder = try LibraryServer.folder([:])
    let huge = 4 << 40
    let photos = LibraryServer.photos(folder)
    try crop(ofBytes: huge, checksum: String(repeating: "0", count: 64))
      .write(to: URL(fileURLWithPath: "\(photos)/crop.jpg"))
    makeSparse("\(photos)/source.jpg", bytes: huge)
    let library = try await LibraryServer(folder, "--jobs", "1")
    for name in ["crop.jpg", "source.jpg"] {
      let line = "GET /api/photos/\(try await library.id(name))"
      for _ in 0..<3 { _ = try await library.json(line) }
    }
    // Requests that don't involve the two are not delayed either.
    try LibraryServer.add("jpeg-420-227x149.jpg", as: "a.jpg", to: folder)
    try await eventually("a new photo is listed") {
      try await library.photos()["a.jpg"] != nil
    }
    #expect(await library.server.stop() == 0)
  }

  /// When a search starts, by a clock that only moves when a test sets it.
  private static let begin = ContinuousClock.now

  /// A library with a crop and its source of 2 MiB, not linked to each other yet.
  private func lost(
    in folder: Folder, limits: Limits = Limits(),
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) throws -> (library: PhotoLibrary, search: SourceSearch, crop: LibraryID) {
    let photos = LibraryServer.photos(folder)
    let bytes = Data(repeating: 7, count: 2 << 20)
    try bytes.write(to: URL(fileURLWithPath: "\(photos)/source.jpg"))
    try crop(ofBytes: bytes.count, checksum: Digests.text(Digests.sha256(of: bytes)))
      .write(to: URL(fileURLWithPath: "\(photos)/crop.jpg"))
    let library = try LibraryServer.library(over: folder, limits: limits)
    try library.indexer.sync([PathBytes("")]) { _, _ in }
    let place = PhotoPlace(folder: PathBytes(""), name: PathBytes("crop.jpg"))
    let search = SourceSearch(
      root: library.root, index: library.index, events: library.events, limits: limits, now: now)
    return (library, search, try #require(try library.index.known(place)).id)
  }

  @Test func `a source up to the limit on bytes is found, a larger one is not read`() throws {
    for (limit, isFound) in [(2 << 20, true), ((2 << 20) - 1, false)] {
      let folder = try LibraryServer.folder([:])
      let pieces = Mutex(0)
      let (library, search, crop) = try lost(in: folder, limits: Limits(bytes: limit)) {
        pieces.withLock { $0 += 1 }
        return Self.begin
      }
      defer { library.stop() }
      try search.find()
      #expect((try library.index.photo(now: crop).source != nil) == isFound)
      #expect((pieces.withLock { $0 } > 0) == isFound)
    }
  }

  @Test func `a file without a match is not read again until it changes`() throws {
    let folder = try LibraryServer.folder([:])
    let reads = Mutex(0)
    let (library, search, crop) = try lost(in: folder) {
      reads.withLock { $0 += 1 }
      return Self.begin
    }
    defer { library.stop() }
    let path = LibraryServer.photos(folder) + "/source.jpg"
    let source = try Data(contentsOf: URL(fileURLWithPath: path))
    try Data(repeating: 8, count: source.count).write(to: URL(fileURLWithPath: path))
    try library.indexer.sync([PathBytes("")]) { _, _ in }
    try search.find()
    let first = reads.withLock { $0 }
    try search.find()
    // The end of the time is reached, and nothing is read.
    #expect(first > 8 && reads.withLock { $0 } == first + 1)
    #expect(try library.index.photo(now: crop).source == nil)
    try source.write(to: URL(fileURLWithPath: path), options: .atomic)
    try library.indexer.sync([PathBytes("")]) { _, _ in }
    try search.find()
    #expect(try library.index.photo(now: crop).source != nil)
  }

  @Test func `a search ends when its time is over, and with the library`() throws {
    for ending in ["time", "stop"] {
      let folder = try LibraryServer.folder([:])
      let asked = Mutex(0)
      let stopped = Mutex<SourceSearch?>(nil)
      let (library, search, crop) = try lost(in: folder) {
        let isThird = asked.withLock { asked in
          asked += 1
          return asked >= 3
        }
        if isThird, ending == "stop" { stopped.withLock { $0?.stop() } }
        return isThird && ending == "time" ? Self.begin + .seconds(31) : Self.begin
      }
      defer { library.stop() }
      stopped.withLock { $0 = search }
      try search.find()
      // Of the file's eight pieces, only the first was read.
      #expect(asked.withLock { $0 } == 3, "\(ending)")
      #expect(try library.index.photo(now: crop).source == nil, "\(ending)")
      stopped.withLock { $0 = nil }
    }
  }
}
