import CropImaging
import Foundation
import Testing

@testable import PhotoLibrary

/// Changes are undone, or were never made.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct LibraryUndoTests {
  private static let order =
    #"{"recipe": {"rect": {"x": 8, "y": 16, "width": 64, "height": 48}}}"#

  private func bytes(_ name: String, of folder: Folder) -> Data? {
    FileManager.default.contents(atPath: "\(LibraryServer.photos(folder))/\(name)")
  }

  private func trashed(_ folder: Folder) -> [String] {
    Folder.names(in: folder.path("data/Trash/files"))
  }

  @Test(arguments: [true, false])
  func `what another program saved since is not undone along with a replacement`(
    isWrittenInPlace: Bool
  ) async throws {
    let library = try await LibraryServer(["a.jpg": "jpeg-420-227x149.jpg"])
    let id = try await library.id("a.jpg")
    _ = try await library.json("POST /api/photos/\(id)/replace", Self.order)
    let work = try Data(contentsOf: URL(fileURLWithPath: Picture.named("gray-gamma22.jpg").path))
    try work.write(
      to: URL(fileURLWithPath: LibraryServer.photos(library.folder) + "/a.jpg"),
      options: isWrittenInPlace ? [] : .atomic)
    try await eventually("the list shows it") {
      try await library.photos()["a.jpg"]?["width"] as? Int == 400
    }
    #expect(try await library.json("GET /api/photos/\(id)")["canRestore"] as? Bool == false)
    let answer = try await library.server.send("POST /api/photos/\(id)/restore")
    #expect(answer.status == 409 && answer.problem == "changed", "\(answer)")
    #expect(bytes("a.jpg", of: library.folder) == work)
    await library.server.stop()
  }

  @Test func `each replacement is undone in turn, also by a server that was started since`()
    async throws
  {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    var library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    var states = [try #require(bytes("a.jpg", of: folder))]
    for width in [192, 128, 64] {
      let order = #"{"recipe": {"rect": {"x": 0, "y": 0, "width": \#(width), "height": 48}}}"#
      _ = try await library.json("POST /api/photos/\(id)/replace", order)
      states.append(try #require(bytes("a.jpg", of: folder)))
    }
    #expect(Set(states).count == 4)
    #expect(try await library.server.send("POST /api/photos/\(id)/trash").status == 204)
    #expect(bytes("a.jpg", of: folder) == nil)
    for (step, state) in states.reversed().enumerated() {
      if step == 2 {
        await library.server.stop()
        library = try await LibraryServer(folder)
      }
      let answer = try await library.server.send("POST /api/photos/\(id)/restore")
      #expect(answer.status == 200, "\(step): \(answer)")
      #expect(bytes("a.jpg", of: folder) == state, "\(step)")
      let canRestore = try await library.json("GET /api/photos/\(id)")["canRestore"] as? Bool
      #expect(canRestore == (step < 3), "\(step)")
    }
    #expect(trashed(folder).isEmpty)
    let end = try await library.server.send("POST /api/photos/\(id)/restore")
    #expect(end.status == 409 && end.problem == "nothing-to-restore", "\(end)")
    await library.server.stop()
  }

  @Test(arguments: [true, false])
  func `what left the trash by other means is no obstacle to what was removed before it`(
    isRestoredElsewhere: Bool
  ) async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    let original = try #require(bytes("a.jpg", of: folder))
    _ = try await library.json("POST /api/photos/\(id)/replace", Self.order)
    if isRestoredElsewhere {
      #expect(try await library.server.send("POST /api/photos/\(id)/trash").status == 204)
    } else {
      let order = #"{"recipe": {"rect": {"x": 0, "y": 0, "width": 48, "height": 32}}}"#
      _ = try await library.json("POST /api/photos/\(id)/replace", order)
    }
    #expect(trashed(folder) == ["a.2.jpg", "a.jpg"])
    let (file, note) = (
      folder.path("data/Trash/files/a.2.jpg"), folder.path("data/Trash/info/a.2.jpg.trashinfo")
    )
    if isRestoredElsewhere {
      #expect(rename(file, "\(LibraryServer.photos(folder))/a.jpg") == 0)
      try await eventually("it is listed") { try await library.photos()["a.jpg"] != nil }
    } else {
      unlink(file)
    }
    unlink(note)
    #expect(try await library.json("GET /api/photos/\(id)")["canRestore"] as? Bool == true)
    let answer = try await library.server.send("POST /api/photos/\(id)/restore")
    #expect(answer.status == 200, "\(answer)")
    #expect(bytes("a.jpg", of: folder) == original)
    #expect(trashed(folder).isEmpty)
    await library.server.stop()
  }

  @Test func `notes in the trash without a file are removed at the start, others' are not`()
    async throws
  {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    #expect(try await library.server.send("POST /api/photos/\(id)/trash").status == 204)
    let info = folder.path("data/Trash/info")
    let note = try Data(contentsOf: URL(fileURLWithPath: "\(info)/a.jpg.trashinfo"))
    await library.server.stop()
    // As left by a program that was killed before it moved the file; and one of another program.
    try note.write(to: URL(fileURLWithPath: "\(info)/b.jpg.trashinfo"))
    let foreign =
      "[Trash Info]\nPath=\(folder.path)/Photos/c.jpg\nDeletionDate=2026-01-01T00:00:00\n"
    try Data(foreign.utf8).write(to: URL(fileURLWithPath: "\(info)/c.jpg.trashinfo"))
    let again = try await LibraryServer(folder)
    try await eventually("the note is gone") {
      Folder.names(in: info) == ["a.jpg.trashinfo", "c.jpg.trashinfo"]
    }
    #expect(try await again.json("POST /api/photos/\(id)/restore")["id"] as? String == id)
    await again.server.stop()
  }

  @Test func `restorable photos are reported correctly`() async throws {
    let library = try await LibraryServer(["a.jpg": "jpeg-420-227x149.jpg"])
    let id = try await library.id("a.jpg")
    func canRestore() async throws -> Bool? {
      try await library.json("GET /api/photos/\(id)")["canRestore"] as? Bool
    }
    _ = try await library.json("POST /api/photos/\(id)/replace", Self.order)
    #expect(try await canRestore() == true)
    try FileManager.default.removeItem(atPath: library.folder.path("data/Trash"))
    #expect(try await canRestore() == false)
    let answer = try await library.server.send("POST /api/photos/\(id)/restore")
    #expect(answer.status == 409 && answer.problem == "nothing-to-restore", "\(answer)")
    // If another photo has the trashed one's name, it can't be restored there.
    #expect(try await library.server.send("POST /api/photos/\(id)/trash").status == 204)
    try LibraryServer.add("gray-gamma22.jpg", as: "a.jpg", to: library.folder)
    try await eventually("the new one is listed") {
      try await library.photos()["a.jpg"]?["id"] as? String == id
    }
    #expect(try await canRestore() == false)
    // But the trashed one is kept while it is in the trash.
    let taken = try await library.server.send("POST /api/photos/\(id)/restore")
    #expect(taken.status == 409 && taken.problem == "trash", "\(taken)")
    try FileManager.default.removeItem(atPath: LibraryServer.photos(library.folder) + "/a.jpg")
    #expect(try await library.json("POST /api/photos/\(id)/restore")["width"] as? Int == 64)
    await library.server.stop()
  }

  @Test func `nothing is changed that the index can't take note of`() async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    let original = try #require(bytes("a.jpg", of: folder))
    let index = try PhotoIndex(path: LibraryServer.index(of: folder), patience: 300)
    func execute(_ sql: String) throws { try index.database.write { try $0.run(script: sql) } }
    func refused(_ event: String, _ path: String, _ body: Data) async throws {
      try execute("CREATE TRIGGER refusal \(event) BEGIN SELECT RAISE(ABORT, 'no room'); END")
      let answer = try await library.server.send("POST /api/photos\(path)", body: body)
      #expect(answer.status == 500, "\(event), \(path): \(answer)")
      #expect(bytes("a.jpg", of: folder) == original, "\(event), \(path)")
      #expect(trashed(folder).isEmpty, "\(event), \(path)")
      for album in ["Cropped", "Camera"] {
        let place = "\(LibraryServer.photos(folder))/\(album)"
        #expect(Folder.names(in: place) == [], "\(event), \(path)")
      }
      try execute("DROP TRIGGER refusal")
    }
    let order = Data(Self.order.utf8)
    for table in ["photo", "crop"] {
      try await refused("BEFORE INSERT ON \(table)", "/\(id)/crops", order)
    }
    try await refused("BEFORE INSERT ON photo", "?name=x.jpg", original)
    try await refused("BEFORE INSERT ON photo", "/\(id)/replace", order)
    try await refused("BEFORE DELETE ON photo", "/\(id)/trash", Data())
    // Nor is a photo whose removal can't be recorded.
    let records = folder.path("data/cropkit/removals")
    let place = try #require(try FileManager.default.contentsOfDirectory(atPath: records).first)
    #expect(rename("\(records)/\(place)", "\(records)/away") == 0)
    for (path, body) in [("/\(id)/replace", order), ("/\(id)/trash", Data())] {
      let answer = try await library.server.send("POST /api/photos\(path)", body: body)
      #expect(answer.status == 409, "\(path): \(answer)")
      #expect(bytes("a.jpg", of: folder) == original && trashed(folder).isEmpty, "\(path)")
    }
    #expect(rename("\(records)/away", "\(records)/\(place)") == 0)
    #expect(try await library.json("GET /api/photos/\(id)")["canRestore"] as? Bool == false)
    #expect(try await library.server.send("POST /api/photos/\(id)/trash").status == 204)
    #expect(try await library.json("POST /api/photos/\(id)/restore")["id"] as? String == id)
    let crop = try await library.json("POST /api/photos/\(id)/crops", Self.order, status: 201)
    #expect(crop["name"] as? String == "a-cropped.jpg")
    await library.server.stop()
  }
}
