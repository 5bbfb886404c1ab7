import CropCore
import CropImaging
import Foundation
import Testing

@testable import PhotoLibrary

/// A photo's targets in the library: saved next to each other, and stored unchanged.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct LibraryTargetsTests {
  private static let document = #"""
    {"focus": {"x": 0.42, "y": 0.31, "width": 0.1, "height": 0.2},
     "targets": [{"name": "square", "ratio": "1:1"}, {"name": "story", "ratio": "9:16"},
                 {"name": "link", "size": {"width": 1200, "height": 630}}]}
    """#

  private static func order(_ document: String = document, _ more: String = "") -> String {
    "{\"document\": \(document)\(more)}"
  }

  private func decoded(_ document: String) throws -> TargetDocument {
    try JSONDecoder().decode(TargetDocument.self, from: Data(document.utf8))
  }

  /// The stored targets of a photo.
  private func kept(
    _ id: String, in library: LibraryServer
  ) async throws -> (photo: String?, target: String?, document: TargetDocument) {
    struct Kept: Decodable {
      let photo: String?
      let target: String?
      let document: TargetDocument
    }
    let answer = try await library.server.send("GET /api/photos/\(id)/targets")
    try #require(answer.status == 200, "\(answer)")
    let kept = try JSONDecoder().decode(Kept.self, from: answer.body)
    return (kept.photo, kept.target, kept.document)
  }

  private func saved(_ answer: [String: any Sendable]) throws -> [[String: any Sendable]] {
    try #require(answer["saved"] as? [[String: any Sendable]])
  }

  private func names(in folder: Folder, _ path: String = "Photos/Cropped") -> [String] {
    Folder.names(in: folder.path(path))
  }

  @Test func `a set is saved, kept, and opens from the photo and from each of its files`()
    async throws
  {
    let library = try await LibraryServer(["Trip/a.jpg": "jpeg-420-227x149.jpg"])
    let id = try await library.id("a.jpg")
    let line = "POST /api/photos/\(id)/targets"
    #expect(try await library.json("GET /api/photos/\(id)")["targets"] as? Int == nil)
    let none = try await library.server.send("GET /api/photos/\(id)/targets")
    #expect(none.status == 404 && none.problem == "no-targets", "\(none)")

    let answer = try await library.json(line, Self.order(), status: 201)
    let saved = try saved(answer)
    #expect(saved.map { $0["target"] as? String } == ["square", "story", "link"])
    #expect(saved.map { $0["name"] as? String } == ["a-square.jpg", "a-story.jpg", "a-link.jpg"])
    #expect(saved.map { $0["width"] as? Int } == [149, 81, 200])
    #expect(saved.allSatisfy { $0["new"] as? Bool == true && $0["cropOf"] as? String == id })
    let notes = saved.map {
      ($0["notes"] as? [[String: any Sendable]])?.map { $0["code"] as? String }
    }
    #expect(notes == [[], [], ["too-small"]])
    #expect((answer["failed"] as? [any Sendable])?.isEmpty == true)
    #expect(names(in: library.folder) == ["a-link.jpg", "a-square.jpg", "a-story.jpg"])

    let document = try decoded(Self.document)
    for (photo, target) in [(id, nil as String?)]
      + saved.map({ ($0["id"] as? String ?? "", $0["target"] as? String) })
    {
      let kept = try await kept(photo, in: library)
      #expect(kept.photo == id && kept.target == target && kept.document == document)
      #expect(try await library.json("GET /api/photos/\(photo)")["targets"] as? Int == 3)
    }
    // Existing files are not saved again.
    let again = try self.saved(await library.json(line, Self.order(), status: 200))
    #expect(again.map { $0["id"] as? String } == saved.map { $0["id"] as? String })
    #expect(again.allSatisfy { $0["new"] as? Bool == false })
    #expect(names(in: library.folder).count == 3)
    // With another focus, the story is a different file; the square stays at the nearest block.
    let moved = Self.document.replacingOccurrences(of: "0.42", with: "0.45")
    let third = try self.saved(await library.json(line, Self.order(moved), status: 201))
    #expect(
      third.map { $0["name"] as? String } == ["a-square.jpg", "a-story-2.jpg", "a-link-2.jpg"])
    #expect(try await self.kept(id, in: library).document == decoded(moved))
    await library.server.stop()
  }

  @Test func `stored targets outlive the index, another name and another place`() async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let first = try await LibraryServer(folder)
    _ = try await first.json(
      "POST /api/photos/\(first.id("a.jpg"))/targets", Self.order(), status: 201)
    await first.server.stop()
    try FileManager.default.removeItem(atPath: folder.path("data/cropkit/libraries"))
    let photos = LibraryServer.photos(folder)
    try FileManager.default.createDirectory(
      atPath: "\(photos)/Trip", withIntermediateDirectories: false)
    // A copy: a different file on the disk, with another timestamp.
    try Data(contentsOf: URL(fileURLWithPath: "\(photos)/a.jpg"))
      .write(to: URL(fileURLWithPath: "\(photos)/Trip/other.jpg"))
    try FileManager.default.removeItem(atPath: "\(photos)/a.jpg")
    let second = try await LibraryServer(folder)
    let id = try await second.id("other.jpg")
    #expect(try await second.json("GET /api/photos/\(id)")["targets"] as? Int == 3)
    #expect(try await kept(id, in: second).document == decoded(Self.document))
    try await eventually("the crops know what they were cut from") {
      try await second.photos(in: "cropped").values.allSatisfy { $0["cropOf"] as? String == id }
    }
    let story = try await kept(second.id("a-story.jpg"), in: second)
    #expect(story.photo == id && story.target == "story")
    // Without the photo, its set still exists.
    try FileManager.default.removeItem(atPath: "\(photos)/Trip/other.jpg")
    try await eventually("the photo is gone") { try await second.photos()["other.jpg"] == nil }
    let alone = try await kept(second.id("a-story.jpg"), in: second)
    #expect(try alone.photo == nil && alone.document == decoded(Self.document))
    await second.server.stop()
  }

  @Test func `another content under the name has no targets, the old one has them again`()
    async throws
  {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let library = try await LibraryServer(folder)
    let photo = try #require(try await library.photos()["a.jpg"])
    let (id, version) = (photo["id"] as? String ?? "", photo["version"] as? String ?? "")
    let address = "/api/photos/\(id)/targets"
    #expect(
      try await library.server.send("PUT \(address)", body: Data(Self.document.utf8)).status == 204)
    _ = try await library.json(
      "POST /api/photos/\(id)/replace",
      #"{"recipe": {"rect": {"x": 8, "y": 16, "width": 64, "height": 48}}}"#)
    #expect(try await library.server.send("GET \(address)").problem == "no-targets")
    #expect(try await library.json("GET /api/photos/\(id)")["targets"] as? Int == nil)
    // Clients that still use the old content get an error.
    for (line, body) in [
      ("POST \(address)", Self.order(Self.document, ", \"version\": \"\(version)\"")),
      ("PUT \(address)?version=\(version)", Self.document),
    ] {
      let answer = try await library.server.send(line, body: Data(body.utf8))
      #expect(answer.status == 409 && answer.problem == "changed", "\(line): \(answer)")
    }
    #expect(names(in: folder).isEmpty)
    _ = try await library.json("POST /api/photos/\(id)/restore")
    #expect(try await kept(id, in: library).document == decoded(Self.document))
    try FileManager.default.removeItem(atPath: LibraryServer.photos(folder) + "/a.jpg")
    for line in ["POST \(address)", "PUT \(address)", "GET \(address)", "DELETE \(address)"] {
      let body = line.hasPrefix("POST") ? Self.order() : Self.document
      let gone = try await library.server.send(line, body: Data(body.utf8))
      #expect(gone.status == 404, "\(line): \(gone)")
    }
    await library.server.stop()
  }

  @Test func `one of two writers gets an error, or the last one's document stays complete`()
    async throws
  {
    let library = try await LibraryServer(["a.jpg": "jpeg-420-227x149.jpg"])
    let address = "/api/photos/\(try await library.id("a.jpg"))/targets"
    func document(_ number: Int) -> Data {
      let list = (0...number).map { #"{"name": "\#($0)", "ratio": "1:1"}"# }
      return Data("{\"targets\": [\(list.joined(separator: ", "))]}".utf8)
    }
    func put(_ number: Int, _ fields: [String: String] = [:]) async throws -> Answer {
      try await library.server.send("PUT \(address)", fields, body: document(number))
    }
    #expect(try await put(0, ["If-Match": "\"x\""]).problem == "changed")
    let first = try #require(try await put(0, ["If-None-Match": "*"]).fields["etag"])
    #expect(try await put(1, ["If-None-Match": "*"]).status == 412)
    #expect(try await library.server.send("GET \(address)").fields["etag"] == first)
    let second = try #require(try await put(1, ["If-Match": first]).fields["etag"])
    #expect(second != first)
    for line in ["PUT", "POST", "DELETE"] {
      let body = line == "POST" ? Data(Self.order().utf8) : document(2)
      let late = try await library.server.send(
        "\(line) \(address)", ["If-Match": first], body: body)
      #expect(late.status == 412 && late.problem == "changed", "\(line): \(late)")
    }
    #expect(names(in: library.folder).isEmpty)
    let order = Data(Self.order(String(decoding: document(1), as: UTF8.self)).utf8)
    let saved = try await library.server.send("POST \(address)", ["If-Match": second], body: order)
    #expect(saved.status == 201 && saved.fields["etag"] == second, "\(saved)")
    // Of many requests with the same tag, exactly one is first.
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 2..<18 {
        group.addTask { try await put(number, ["If-Match": second]).status }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.count { $0 == 204 } == 1 && statuses.count { $0 == 412 } == 15)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<16 { group.addTask { try await put(number).status } }
      for try await status in group { #expect(status == 204) }
    }
    let last = try await library.server.send("GET \(address)")
    #expect(last.status == 200, "\(last)")
    #expect(try await library.server.send("DELETE \(address)").status == 204)
    #expect(try await library.server.send("DELETE \(address)").status == 204)
    #expect(try await library.server.send("GET \(address)").problem == "no-targets")
    #expect(names(in: library.folder, "data/cropkit/targets").isEmpty)
    await library.server.stop()
  }

  @Test func `two who save at once have each a whole set`() async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let library = try await LibraryServer(folder, "--jobs", "4")
    let address = "/api/photos/\(try await library.id("a.jpg"))/targets"
    let sets = try await withThrowingTaskGroup(of: [String: Int].self) { group in
      for x in ["0.1", "0.3", "0.6", "0.9"] {
        let order = Self.order(Self.document.replacingOccurrences(of: "0.42", with: x))
        group.addTask {
          let saved = try saved(await library.json("POST \(address)", order, status: 201))
          return Dictionary(
            uniqueKeysWithValues: saved.map {
              ($0["name"] as? String ?? "", $0["bytes"] as? Int ?? 0)
            })
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    // Four focuses, four stories; none took another's name.
    #expect(sets.count == 4 && sets.allSatisfy { $0.count == 3 })
    let files = Set(sets.flatMap(\.keys))
    #expect(files.count { $0.hasPrefix("a-story") } == 4)
    #expect(Set(names(in: folder)) == files)
    for (name, bytes) in sets.flatMap({ $0 }) {
      #expect(try Data(contentsOf: folder.url("Photos/Cropped/\(name)")).count == bytes, "\(name)")
      let command = try await Program.cropkit.run("info", folder.path("Photos/Cropped/\(name)"))
      #expect(command.status == 0, "\(command)")
    }
    await library.server.stop()
  }

  @Test func `a crop made by hand stays as it is, whatever the focus`() async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    let recipe = #"""
      {"version": 1, "rect": {"x": 43.25, "y": 57.015625, "width": 60, "height": 40}, "quarterTurns": 1, "mirrored": true,
       "tilt": 2.5, "shape": {"roundedRectangle": 8}, "output": {"width": 30, "height": 20}}
      """#
    func document(_ x: Double) -> String {
      #"""
      {"picture": {"quarterTurns": 1, "mirrored": true, "tilt": 2.5}, "focus": {"x": \#(x), "y": 0.5},
       "targets": [{"name": "hand", "ratio": "3:2", "recipe": \#(recipe)}, {"name": "derived", "ratio": "1:1"}]}
      """#
    }
    let place = FrameRect(x: 43.25, y: 57.015625, width: 60, height: 40)
    var derived: Set<String> = []
    for (x, status) in [(0.2, 201), (0.8, 201)] {
      let saved = try saved(
        await library.json(
          "POST /api/photos/\(id)/targets", Self.order(document(x)), status: status))
      #expect(saved[0]["name"] as? String == "a-hand.png")
      #expect(saved[0]["width"] as? Int == 30 && saved[0]["height"] as? Int == 20)
      derived.insert(saved[1]["name"] as? String ?? "")
      let kept = try await kept(id, in: library).document
      #expect(kept == (try decoded(document(x))))
      #expect(kept.targets[0].recipe?.rect == place)
      let file = try await self.kept(saved[0]["id"] as? String ?? "", in: library)
      #expect(file.target == "hand" && file.document == kept)
    }
    #expect(derived == ["a-derived.jpg", "a-derived-2.jpg"])
    // Made by hand, but with a different orientation than the others.
    let other = document(0.5).replacingOccurrences(
      of: #""tilt": 2.5}, "focus""#, with: #""tilt": 0}, "focus""#)
    let refused = try await library.server.send(
      "PUT /api/photos/\(id)/targets", body: Data(other.utf8))
    #expect(refused.status == 400 && refused.text.contains("targets: "), "\(refused)")
    await library.server.stop()
  }

  @Test func `each target has a separate file, and no other file is touched`() async throws {
    let library = try await LibraryServer([
      "a.jpg": "jpeg-420-227x149.jpg", "Cropped/a-x.jpg": "gray-gamma22.jpg",
    ])
    let foreign = try Data(contentsOf: library.folder.url("Photos/Cropped/a-x.jpg"))
    let names = ["x", "y", "y/z", "y:z", "Y"]
    let list = names.map { #"{"name": "\#($0)", "ratio": "1:1"}"# }.joined(separator: ", ")
    let order = Self.order("{\"targets\": [\(list)]}")
    let line = "POST /api/photos/\(try await library.id("a.jpg"))/targets"
    let files = ["a-x-2.jpg", "a-y.jpg", "a-y_z.jpg", "a-y_z-2.jpg", "a-Y.jpg"]
    for status in [201, 200] {
      let saved = try saved(await library.json(line, order, status: status))
      let names = saved.compactMap { $0["name"] as? String }
      // Of two with the same bytes and names that differ only by a number, either may match the
      // other.
      #expect(status == 201 ? names == files : Set(names) == Set(files))
    }
    #expect(try Data(contentsOf: library.folder.url("Photos/Cropped/a-x.jpg")) == foreign)
    #expect(self.names(in: library.folder) == (files + ["a-x.jpg"]).sorted())
    let all = try saved(
      await library.json(
        line, Self.order("{\"targets\": [\(list)]}", #", "pattern": "{number}. {target}.{ext}""#),
        status: 201))
    #expect(all.first?["name"] as? String == "1. x.jpg")
    await library.server.stop()
  }

  @Test func `a failed file is reported beside the others`() async throws {
    let folder = try LibraryServer.folder(["a.jpg": "jpeg-420-227x149.jpg"])
    let library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    let line = "POST /api/photos/\(id)/targets"
    let sizes = #"""
      {"targets": [{"name": "large", "ratio": "1:1"}, {"name": "small", "size": {"width": 8, "height": 8}}]}
      """#
    let answer = try await library.json(
      line, Self.order(sizes, #", "encoding": {"maxBytes": 2000}"#), status: 201)
    #expect(try saved(answer).map { $0["target"] as? String } == ["small"])
    let failed = try #require(answer["failed"] as? [[String: any Sendable]])
    #expect(failed.count == 1 && failed[0]["target"] as? String == "large")
    #expect(failed[0]["code"] as? String == "too-many-bytes")
    #expect(try await kept(id, in: library).document == decoded(sizes))
    // If a crop is impossible, or one does not belong to this photo, nothing is saved or kept.
    let outside = #"""
      {"targets": [{"name": "in", "ratio": "1:1"},
                   {"name": "out", "ratio": "1:1", "recipe": {"rect": {"x": 200, "y": 0, "width": 64, "height": 64}}}]}
      """#
    for (body, code, name) in [
      (Self.order(sizes, #", "encoding": {"maxBytes": 9}"#), "too-many-bytes", "large"),
      (Self.order(outside), "invalid-recipe", "out"),
    ] {
      let refused = try await library.server.send(line, body: Data(body.utf8))
      #expect(refused.status == 422 && refused.problem == code, "\(refused)")
      #expect(refused.text.contains("\"detail\":\"\(name): "), "\(refused)")
    }
    let put = try await library.server.send(
      "PUT /api/photos/\(id)/targets", body: Data(outside.utf8))
    #expect(put.status == 422 && put.problem == "invalid-recipe", "\(put)")
    #expect(names(in: folder) == ["a-small.jpg"])
    #expect(try await kept(id, in: library).document == decoded(sizes))
    await library.server.stop()
  }

  @Test func `an invalid document is rejected with the position`() async throws {
    let library = try await LibraryServer(["a.jpg": "jpeg-420-227x149.jpg"])
    let address = "/api/photos/\(try await library.id("a.jpg"))/targets"
    let one = #"{"targets": [{"name": "x", "ratio": "1:1"}]}"#
    let wrong =
      #"{"targets": [{"name": "x", "ratio": "1:1", "minimum": {"width": 0, "height": 1}}]}"#
    for (body, code, place) in [
      ("[]", "invalid-targets", ""), (#"{"document": null}"#, "invalid-targets", "document"),
      (Self.order(one, #", "nix": 1"#), "invalid-targets", "nix"),
      (Self.order(wrong), "invalid-targets", "document.targets[0].minimum.width"),
      (Self.order(one, #", "encoding": {"quality": 0}"#), "invalid-encoding", "encoding.quality"),
      (Self.order(one, #", "pattern": "a/b""#), "usage", ""),
      (Self.order(#"{"targets": []}"#), "usage", ""),
    ] {
      let answer = try await library.server.send("POST \(address)", body: Data(body.utf8))
      #expect(answer.status == 400 && answer.problem == code, "\(body): \(answer)")
      #expect(answer.text.contains("\"detail\":\"\(place)"), "\(body): \(answer)")
    }
    let put = try await library.server.send("PUT \(address)", body: Data(wrong.utf8))
    #expect(put.status == 400 && put.text.contains(#""targets[0].minimum.width: "#), "\(put)")
    let long = Data((one + String(repeating: " ", count: 64 << 10)).utf8)
    for line in ["PUT", "POST"] {
      let answer = try await library.server.send("\(line) \(address)", body: long)
      #expect(answer.status == 413, "\(line): \(answer)")
    }
    let deep = Data(String(repeating: "[", count: 60 << 10).utf8)
    #expect(try await library.server.send("PUT \(address)", body: deep).status == 400)
    #expect(try await library.server.send("GET \(address)").problem == "no-targets")
    let foreign = try await library.server.send(
      "PUT \(address)", ["Origin": "https://example.com"], body: Data(one.utf8))
    #expect(foreign.status == 403, "\(foreign)")
    await library.server.stop()
  }

  @Test func `a set whose client leaves is not saved`() async throws {
    let folder = try LibraryServer.folder(["a.jpg": "camera-canon-orient6-gps.jpg"])
    let library = try await LibraryServer(folder, "--jobs", "1", "--limit-seconds", "600")
    let id = try await library.id("a.jpg")
    #expect(try await library.server.send("GET /api/photos/\(id)/thumbnail").status == 200)
    let body = Self.order(Self.document, #", "encoding": {"format": "webp"}"#)
    let workers = try await library.server.heldWorkers()
    do {
      let leaver = try Connection(port: library.server.port)
      let head = "POST /api/photos/\(id)/targets HTTP/1.1\r\n\(library.server.ownFields)"
      leaver.send(Data("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
      try await library.server.pictures(atWork: 1)
      #expect(workers.areHeld)
    }
    try await workers.endOne()
    // There is one slot, so everything that was running has finished when this returns.
    #expect(
      try await library.server.send(
        "POST /api/crop", body: Data(PNGBomb.bytes(side: 8))
      ).status == 200)
    #expect(names(in: folder).isEmpty)
    #expect(try await library.server.send("GET /api/photos/\(id)/targets").problem == "no-targets")
    await library.server.stop()
  }
}
