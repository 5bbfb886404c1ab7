import CropCore
import CropImaging
import Foundation
import Testing

@testable import PhotoLibrary

/// `POST /api/targets`: one image in, one archive out.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct ServerTargetsTests {
  private func bytes(of name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: Picture.named(name).path))
  }

  private func send(
    _ server: RunningServer, _ targets: String, _ more: String = "",
    picture: String = "jpeg-420-227x149.jpg"
  ) async throws -> Answer {
    try await server.send(
      "POST /api/targets?targets=\(targets.query)\(more)", body: bytes(of: picture))
  }

  @Test(arguments: ["camera-nikon-gps-422.jpg", "png-rgba16-interlaced.png"])
  func `the archive holds what the command makes`(name: String) async throws {
    let folder = try Folder()
    let document = #"""
      {"picture": {"quarterTurns": 1}, "focus": {"x": 0.42, "y": 0.31},
       "targets": [{"name": "square", "ratio": "1:1"}, {"name": "story", "ratio": "9:16"},
                   {"name": "tiny", "size": {"width": 16, "height": 9}}]}
      """#
    let file = try folder.write(document.utf8, as: "targets.json")
    let command = try await Program.cropkit.run(
      "targets", try Picture.named(name).path, "--targets", file, "-d", folder.path("out"))
    #expect(command.status == 0, "\(command)")
    let server = try await RunningServer()
    let answer = try await send(server, document, "&name=\(name.query)", picture: name)
    #expect(answer.status == 200, "\(answer)")
    #expect(answer.fields["content-type"] == "application/zip")
    #expect(answer.fields["cropkit-targets"] == "3")
    #expect(answer.fields["content-length"] == "\(answer.body.count)")
    let dot = try #require(name.lastIndex(of: "."))
    let (stem, ending) = (name[..<dot], name[dot...])
    #expect(
      answer.fields["content-disposition"]?.contains("filename=\"\(stem)-targets.zip\"") == true)
    let archive = try StoredZIP(answer.body)
    #expect(archive.names == ["square", "story", "tiny"].map { "\(stem)-\($0)\(ending)" })
    for (name, bytes) in archive.files {
      #expect(try Data(contentsOf: folder.url("out/\(name)")) == bytes, "\(name)")
    }
    // The same image gives the same archive.
    let again = try await send(server, document, "&name=\(name.query)", picture: name)
    #expect(again.body == answer.body)
    // Unless the client says what time it is: 2026-11-30, 6:31 and four seconds.
    let dated = try await send(
      server, document, "&name=\(name.query)&time=2026-11-30T06:31:05", picture: name)
    #expect(Array(dated.body.dropFirst(10).prefix(4)) == [0xE2, 0x33, 0x7E, 0x5D], "\(dated)")
    let wrong = try await send(server, document, "&time=today", picture: name)
    #expect(wrong.status == 400 && wrong.problem == "usage")
    await server.stop()
  }

  @Test func `the pixels of all targets count before the first is made`() async throws {
    let server = try await RunningServer("--limit-pixels", "1000000")
    func list(_ count: Int, fit: String = "cover") -> String {
      let all = (0..<count).map {
        #"{"name": "t\#($0)", "size": {"width": 600, "height": 600}, "fit": "\#(fit)"}"#
      }
      return #"{"targets": [\#(all.joined(separator: ","))]}"#
    }
    let allowed = try await send(server, list(2), "&enlarge=true")
    #expect(allowed.status == 200, "\(allowed)")
    for more in ["&enlarge=true", "&enlarge=true&report=true"] {
      let answer = try await send(server, list(3), more)
      #expect(answer.status == 413 && answer.problem == "limit-pixels", "\(answer)")
      #expect(answer.text.contains("all targets together"), "\(answer)")
    }
    // A canvas has the size that the target asks for.
    #expect(try await send(server, list(2, fit: "contain")).status == 200)
    let canvases = try await send(server, list(3, fit: "contain"))
    #expect(canvases.status == 413 && canvases.problem == "limit-pixels", "\(canvases)")
    // Crops that are not enlarged have few pixels.
    #expect(try await send(server, list(3)).status == 200)
    await server.stop()
  }

  private static let withOutside = #"""
    {"focus": {"x": 0.1, "y": 0.1, "width": 0.6, "height": 0.8},
     "targets": [{"name": "square", "ratio": "1:1"},
                 {"name": "out", "ratio": "1:1", "recipe": {"rect": {"x": 200, "y": 0, "width": 64, "height": 64}}},
                 {"name": "link", "size": {"width": 1200, "height": 630}}]}
    """#

  private struct Report: Decodable {
    let targets: [Target]

    struct Target: Decodable {
      let target: String
      let file: String?
      let width: Int?
      let height: Int?
      let bytes: Int?
      let notes: [Note]?
      let problem: Note?
    }

    struct Note: Decodable {
      let code: String
    }
  }

  @Test func `a failed target is an error, or listed in the report`()
    async throws
  {
    let server = try await RunningServer()
    let refused = try await send(server, Self.withOutside)
    #expect(refused.status == 422 && refused.problem == "invalid-recipe", "\(refused)")
    #expect(refused.text.contains(#""detail":"out: "#), "\(refused)")
    let answer = try await send(server, Self.withOutside, "&report=true&name=a.jpg")
    #expect(answer.status == 200, "\(answer)")
    #expect(answer.fields["cropkit-targets"] == "2")
    #expect(answer.fields["cropkit-warnings"] == "focus-cut, too-small")
    let archive = try StoredZIP(answer.body)
    #expect(archive.names == ["a-square.jpg", "a-link.jpg", "report.json"])
    let report = try JSONDecoder().decode(Report.self, from: #require(archive["report.json"]))
    #expect(report.targets.map(\.target) == ["square", "out", "link"])
    #expect(report.targets.map(\.file) == ["a-square.jpg", nil, "a-link.jpg"])
    #expect(report.targets[1].problem?.code == "invalid-recipe")
    #expect(report.targets[2].notes?.map(\.code) == ["focus-cut", "too-small"])
    // The largest 40:21 rectangle in 227 × 149 pixels.
    #expect(report.targets[2].width == 200 && report.targets[2].height == 105)
    #expect(report.targets[0].bytes == archive["a-square.jpg"]?.count)
    let none = try await send(
      server, Self.withOutside, "&report=true&encoding=\(#"{"maxBytes": 100}"#.query)")
    #expect(none.status == 422 && none.problem == "too-many-bytes", "\(none)")
    #expect(none.text.contains(#""detail":"square: "#), "\(none)")
    await server.stop()
  }

  @Test func `crops of too few pixels are enlarged where that is asked for`() async throws {
    let server = try await RunningServer()
    let link = #"{"targets": [{"name": "link", "size": {"width": 1200, "height": 630}}]}"#
    for (more, note, width) in [("", "too-small" as String?, 200), ("&enlarge=true", nil, 1200)] {
      let answer = try await send(server, link, "&report=true\(more)")
      let report = try JSONDecoder().decode(
        Report.self, from: #require(StoredZIP(answer.body)["report.json"]))
      #expect(report.targets[0].width == width)
      // It still has fewer pixels of the photo than required.
      #expect(report.targets[0].notes?.first?.code == note ?? "too-small")
    }
    await server.stop()
  }

  @Test func `targets with a size on paper state their density, alone or on a sheet`() async throws
  {
    let server = try await RunningServer()
    let document = #"{"targets": [{"name": "p", "size": "35x45mm", "dpi": 600}]}"#
    let alone = try await send(server, document, "&report=true&enlarge=true")
    let report = try JSONDecoder().decode(
      Report.self, from: #require(StoredZIP(alone.body)["report.json"]))
    #expect(report.targets[0].width == 827 && report.targets[0].height == 1063)
    #expect(report.targets[0].notes?.map(\.code) == ["low-density"])
    let sheet = try await send(
      server, document, "&report=true&enlarge=true&encoding=\(#"{"sheet": "10x15cm"}"#.query)")
    let made = try JSONDecoder().decode(
      Report.self, from: #require(StoredZIP(sheet.body)["report.json"]))
    // 15 × 10 cm, turned, for 4 × 2 prints.
    #expect(made.targets[0].width == 3543 && made.targets[0].height == 2362)
    for wrong in [
      #"{"targets": [{"name": "p", "size": "35x45"}]}"#,
      #"{"targets": [{"name": "p", "size": "0x45mm"}]}"#,
      #"{"targets": [{"name": "p", "size": "35x45mm", "dpi": 0}]}"#,
      #"{"targets": [{"name": "p", "size": "35x45mm", "dpi": 1e30}]}"#,
      #"{"targets": [{"name": "p", "ratio": "1:1", "dpi": 300}]}"#,
      #"{"targets": [{"name": "p", "size": "35x45mm", "bleed": "3"}]}"#,
    ] {
      let refused = try await send(server, wrong)
      #expect(refused.status == 400, "\(wrong): \(refused)")
    }
    let none = try await send(
      server, #"{"targets": [{"name": "p", "ratio": "1:1"}]}"#,
      "&encoding=\(#"{"sheet": "a4"}"#.query)")
    #expect(none.status == 400 && none.problem == "usage", "\(none)")
    await server.stop()
  }

  @Test func `files have names that are plain and their own`() async throws {
    let server = try await RunningServer()
    let names = ["Story", "story", "a/b", "a:b", "a\u{202E}b", "..", "é"]
    let list = names.map { #"{"name": "\#($0)", "ratio": "1:1"}"# }.joined(separator: ", ")
    let document = "{\"targets\": [\(list)]}"
    let usual = try await send(server, document, "&name=\("../x/.b*c.d.jpg".query)")
    #expect(
      try StoredZIP(usual.body).names == [
        "bc.d-Story.jpg", "bc.d-story-2.jpg", "bc.d-a_b.jpg", "bc.d-a_b-2.jpg", "bc.d-a_b-3.jpg",
        "bc.d-...jpg", "bc.d-é.jpg",
      ])
    let pattern = "{number} {target} of {name}.{ext}".query
    let other = try await send(
      server, document,
      "&pattern=\(pattern)&encoding=\(#"{"format": "png"}"#.query)&name=photo.jpg")
    #expect(
      try StoredZIP(other.body).names.prefix(2) == ["1 Story of photo.png", "2 story of photo.png"])
    let alone = try await send(
      server, #"{"targets": [{"name": "x", "ratio": "1:1"}]}"#, "&pattern=.cover")
    #expect(try StoredZIP(alone.body).names == ["cover.jpg"])
    await server.stop()
  }

  @Test func `a shape is transparent, and its file called so`() async throws {
    let server = try await RunningServer()
    let answer = try await send(
      server,
      #"{"targets": [{"name": "round", "ratio": "1:1", "recipe": {"rect": {"x": 0, "y": 0, "width": 64, "height": 64}, "shape": "ellipse"}}]}"#
    )
    #expect(try StoredZIP(answer.body).names == ["picture-round.png"], "\(answer)")
    await server.stop()
  }

  private static func targets(_ targets: String) -> String { "{\"targets\": [\(targets)]}" }

  @Test func `an invalid document is rejected with the position`() async throws {
    let server = try await RunningServer()
    let one = #"{"name": "x", "ratio": "1:1"}"#
    let many = (0...100).map { #"{"name": "\#($0)", "ratio": "1:1"}"# }.joined(separator: ",")
    for (document, place) in [
      ("[]", ""), ("{", ""), (#"{"nix": 1}"#, "nix"), (#"{"version": 2}"#, "version"),
      (Self.targets(#"\#(one), {"name": "y", "ratio": "0:1"}"#), "targets[1].ratio"),
      (Self.targets(#"{"name": "y"}"#), "targets[0].ratio"),
      (Self.targets(#"\#(one), \#(one)"#), "targets"),
      (Self.targets(many), "targets"),
      (Self.targets(#"{"name": "", "ratio": "1:1"}"#), "targets[0].name"),
      (
        Self.targets(#"{"name": "\#(String(repeating: "é", count: 51))", "ratio": "1:1"}"#),
        "targets[0].name"
      ),
      (
        Self.targets(#"{"name": "y", "ratio": "1:1", "recipe": {"nix": 1}}"#),
        "targets[0].recipe.nix"
      ),
      (#"{"focus": {"x": 2, "y": 0}}"#, "focus.x"), (#"{"picture": {"tilt": 46}}"#, "picture.tilt"),
    ] {
      let answer = try await send(server, document)
      #expect(answer.status == 400 && answer.problem == "invalid-targets", "\(document): \(answer)")
      #expect(answer.text.contains("targets: \(place)"), "\(document): \(answer)")
    }
    for (document, more) in [
      (#"{"targets": []}"#, ""), (Self.targets(one), "&nix=1"), (Self.targets(one), "&report=1"),
      (Self.targets(one), "&pattern="), (Self.targets(one), "&pattern=a%2Fb"),
      (Self.targets(one), "&pattern=\("{nix}".query)"),
      (Self.targets(one), "&pattern=\("{".query)"),
      (Self.targets(one), "&pattern=\(String(repeating: "a", count: 201))"),
      (Self.targets(#"\#(one), {"name": "y", "ratio": "2:1"}"#), "&pattern=\("{name}".query)"),
    ] {
      let answer = try await send(server, document, more)
      #expect(answer.status == 400 && answer.problem == "usage", "\(document) \(more): \(answer)")
    }
    let missing = try await server.send("POST /api/targets", body: Data())
    #expect(missing.status == 400 && missing.problem == "usage", "\(missing)")
    let get = try await server.send("GET /api/targets")
    #expect(get.status == 405 && get.fields["allow"] == "POST", "\(get)")
    await server.stop()
  }

  @Test func `an archive has no more bytes than a picture may have`() async throws {
    let server = try await RunningServer("--limit-bytes", "16000")
    let document = Self.targets(
      (0..<4).map { #"{"name": "\#($0)", "ratio": "1:1"}"# }.joined(separator: ","))
    let answer = try await send(server, document)
    #expect(answer.status == 413 && answer.problem == "limit-bytes", "\(answer)")
    let less = try await send(server, Self.targets(#"{"name": "x", "ratio": "1:1"}"#))
    #expect(less.status == 200, "\(less)")
    await server.stop()
  }

  @Test func `a damaged picture is refused as for one crop`() async throws {
    let server = try await RunningServer()
    let whole = try bytes(of: "jpeg-420-227x149.jpg")
    let line = "POST /api/targets?targets=\(Self.targets(#"{"name": "x", "ratio": "1:1"}"#).query)"
    for more in ["", "&report=true"] {
      let answer = try await server.send("\(line)\(more)", body: whole.prefix(whole.count / 2))
      #expect(answer.status == 422 && answer.problem == "truncated", "\(answer)")
    }
    let lenient = try await server.send(
      "\(line)&encoding=\(#"{"lenient": true}"#.query)", body: whole.prefix(whole.count / 2))
    #expect(lenient.status == 200, "\(lenient)")
    await server.stop()
  }

  @Test func `a long name of a photo is shortened for the target's`() throws {
    let photo = PathBytes(String(repeating: "é", count: 120))
    let size = FrameSize(width: 30, height: 20)
    for target in ["story", String(repeating: "ü", count: 50)] {
      let name = TargetNames.usual.name(
        of: photo, target: target, number: 1, format: .jpeg, size: size)
      #expect(name[99_999].bytes.count <= 255)
      #expect(name[1].name.hasSuffix("é-\(target).jpg"))
      #expect(String(validating: name[1].bytes, as: UTF8.self) != nil)
      #expect(name.isName(name[1]) && name.isName(name[2]) && name.isName(name[30]))
    }
    let name = TargetNames.usual.name(
      of: PathBytes("a"), target: "x", number: 1, format: .png, size: size)
    let sized = TargetNames("{target}-{width}x{height}").map {
      $0.name(of: PathBytes("a"), target: "x", number: 1, format: .png, size: size)
    }
    #expect(sized?[1].name == "x-30x20.png")
    for other in ["a-x-1.png", "a-x-02.png", "a-x--2.png", "a-x2.png", "a-xy.png", "a-x.jpg", "a"] {
      #expect(!name.isName(PathBytes(other)), "\(other)")
    }
  }
}
