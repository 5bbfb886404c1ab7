import CropImaging
import Foundation
import Testing

/// Crops that other programs store next to a photo of the library.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct LibraryMarksTests {
  private static let recipe = #"{"rect": {"x": 8, "y": 16, "width": 64, "height": 48}}"#

  private func folder() throws -> Folder {
    try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
  }

  private func file(_ name: String, of folder: Folder) -> Data? {
    FileManager.default.contents(atPath: "\(LibraryServer.photos(folder))/\(name)")
  }

  private func rect(_ answer: Any?) -> [Int] {
    let recipe = (answer as? [String: any Sendable])?["recipe"] as? [String: any Sendable]
    let rect = recipe?["rect"] as? [String: any Sendable]
    return ["x", "y", "width", "height"].compactMap { rect?[$0] as? Int }
  }

  @Test(arguments: [
    ("rawtherapee", "a.jpg.pp3"), ("darktable", "a.jpg.xmp"), ("lightroom", "a.xmp"),
  ])
  func `a crop is written next to its photo, which is unchanged`(program: String, name: String)
    async throws
  {
    let folder = try folder()
    let library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    let before = file("a.jpg", of: folder)
    let body = #"{"recipe": \#(Self.recipe), "for": "\#(program)"}"#
    let answer = try await library.json("POST /api/photos/\(id)/mark", body)
    #expect(answer["sidecar"] as? String == name)
    #expect(file("a.jpg", of: folder) == before)
    // darktable's history is only written, not read.
    if program != "darktable" {
      let mark = try await library.json("GET /api/photos/\(id)")["mark"]
      #expect(rect(mark) == [8, 16, 64, 48])
    } else {
      #expect(file(name, of: folder)?.isEmpty == false)
    }
    await library.server.stop()
  }

  @Test func `only the crop changes in an existing sidecar`() async throws {
    let folder = try folder()
    let path = LibraryServer.photos(folder) + "/a.jpg.pp3"
    let old = "[Exposure]\nAuto=false\n\n[Crop]\nEnabled=true\nX=1\nY=2\nW=30\nH=40\nGuide=Frame\n"
    try Data(old.utf8).write(to: URL(fileURLWithPath: path))
    let library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    let found = try await library.json("GET /api/photos/\(id)")["mark"]
    #expect(rect(found) == [1, 2, 30, 40])
    #expect((found as? [String: any Sendable])?["program"] as? String == "rawtherapee")
    let body = #"{"recipe": \#(Self.recipe), "for": "rawtherapee"}"#
    _ = try await library.json("POST /api/photos/\(id)/mark", body)
    let new = String(decoding: try #require(file("a.jpg.pp3", of: folder)), as: UTF8.self)
    #expect(new.contains("[Exposure]\nAuto=false\n") && new.contains("Guide=Frame"))
    #expect(rect(try await library.json("GET /api/photos/\(id)")["mark"]) == [8, 16, 64, 48])
    await library.server.stop()
  }

  @Test func `an unreadable sidecar does not hide the photo, and is not overwritten`() async throws
  {
    let folder = try folder()
    let path = LibraryServer.photos(folder) + "/a.xmp"
    try Data("<x:xmpmeta <".utf8).write(to: URL(fileURLWithPath: path))
    let library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    #expect(try await library.json("GET /api/photos/\(id)")["mark"] is NSNull)
    let body = #"{"recipe": \#(Self.recipe), "for": "lightroom"}"#
    let answer = try await library.server.send("POST /api/photos/\(id)/mark", body: Data(body.utf8))
    #expect(answer.status / 100 == 4, "\(answer)")
    #expect(file("a.xmp", of: folder) == Data("<x:xmpmeta <".utf8))
    await library.server.stop()
  }

  @Test(arguments: [
    #"{"recipe": {}, "for": "embedded"}"#, #"{"recipe": {}, "for": "gimp"}"#, #"{"recipe": {}}"#,
    #"{"recipe": {"tilt": 3, "output": {"width": 9, "height": 9}}, "for": "darktable"}"#,
    #"{"recipe": {"rect": {"x": 0, "y": 0, "width": 9999, "height": 9}}, "for": "darktable"}"#,
  ])
  func `a crop that the format can't express is rejected and nothing is written`(body: String)
    async throws
  {
    let folder = try folder()
    let library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    let answer = try await library.server.send("POST /api/photos/\(id)/mark", body: Data(body.utf8))
    #expect(answer.status / 100 == 4, "\(answer)")
    let names = try FileManager.default.contentsOfDirectory(atPath: LibraryServer.photos(folder))
    #expect(names.filter { !$0.hasPrefix(".") } == ["a.jpg"])
    await library.server.stop()
  }
}
