import CropCore
import Foundation
import Testing

@testable import cropkit

/// `cropkit targets`, as a process.
@Suite(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct TargetsTests {
  private let folder: Folder
  /// 227 × 149 pixels.
  private let photo: String

  init() throws {
    folder = try Folder()
    photo = try folder.write(
      Data(contentsOf: URL(fileURLWithPath: Picture.named("jpeg-420-227x149.jpg").path)),
      as: "a.jpg")
  }

  private func run(_ options: String...) async throws -> Outcome {
    let words = ["targets", photo, "-d", folder.path("out")] + options
    return try await Program.cropkit.run(words)
  }

  private var made: [String] { Folder.names(in: folder.path("out")) }

  /// The codes of the warnings of each line.
  private func codes(_ outcome: Outcome) throws -> [[String]] {
    outcome.objects.map { report in
      (report["warnings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }
  }

  // The largest square is 149 wide; centered on 0.42 × 227 = 95.34, it starts at 20.84; the nearest
  // block of 16 starts at 16.
  @Test func `a set becomes files, each as if cropped separately`() async throws {
    let outcome = try await run("--set", "social", "--focus", "0.42,0.30", "--json", "--quiet")
    #expect(outcome.status == 0, "\(outcome)")
    let names = ["square", "portrait", "story", "wide", "link", "banner"]
    let reports = outcome.objects
    #expect(reports.map { $0["target"] as? String } == names)
    #expect(made == names.map { "a-\($0).jpg" }.sorted())
    let square = reports[0]["rect"] as? [String: Int]
    #expect(square == ["x": 16, "y": 0, "width": 149, "height": 149])
    for (name, report) in zip(names, reports) {
      let rect = try #require(report["rect"] as? [String: Int])
      let text = ["x", "y", "width", "height"].map { "\(rect[$0] ?? -1)" }.joined(separator: ",")
      let alone = try await Program.cropkit.run(
        "crop", photo, "--rect", text, "-o", folder.path("alone-\(name).jpg"))
      #expect(alone.status == 0, "\(alone)")
      #expect(
        try Data(contentsOf: folder.url("out/a-\(name).jpg"))
          == Data(contentsOf: folder.url("alone-\(name).jpg")), "\(name)")
    }
  }

  // Decoding once for all crops must give the same pixels as separate crops: in planes, in rows,
  // turned.
  @Test(
    arguments: ["orient-landscape-6.jpg", "camera-nikon-gps-422.jpg", "progressive-100x75.jpg"],
    [#""quarterTurns":0"#, #""quarterTurns":1,"mirrored":true"#])
  func `turned too, each is as if cropped separately`(name: String, transform: String)
    async throws
  {
    let ratios = ["1:1", "4:5", "9:16", "16:9", "3:1", "3:2"].enumerated().map {
      #"{"name":"\#($0)","ratio":"\#($1)"}"#
    }
    let text = #"{"picture":{\#(transform)},"targets":[\#(ratios.joined(separator: ","))]}"#
    let targets = try folder.write(text.utf8, as: "t.json")
    let picture = try Picture.named(name).path
    let outcome = try await Program.cropkit.run(
      "targets", picture, "--targets", targets, "--focus", "0.42,0.31", "-d", folder.path("out"),
      "--json")
    #expect(outcome.status == 0, "\(outcome)")
    for (number, report) in outcome.objects.enumerated() {
      let rect = try JSONSerialization.data(withJSONObject: try #require(report["rect"]))
      let recipe = try folder.write(
        #"{"rect":\#(String(decoding: rect, as: UTF8.self)),\#(transform)}"#.utf8, as: "r.json")
      let alone = try await Program.cropkit.run(
        "crop", picture, "--recipe", recipe, "-o", folder.path("\(number).jpg"))
      #expect(alone.status == 0, "\(alone)")
      let made = try #require(report["output"] as? String)
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: made))
          == Data(contentsOf: folder.url("\(number).jpg")), "\(number)")
    }
  }

  @Test func `a cut focus and missing pixels are reported`() async throws {
    let dry = try await run("--set", "social", "--focus", "10%,10%,60%,80%", "--dry-run", "--json")
    #expect(dry.status == 0 && made.isEmpty, "\(dry)")
    let outcome = try await run("--set", "social", "--focus", "10%,10%,60%,80%", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      try codes(outcome) == [
        [], ["focus-cut"], ["focus-cut"], [], ["focus-cut", "too-small"], ["focus-cut"],
      ])
    #expect(
      outcome.errors.contains("a-link.jpg: warning: the crop has only 200 × 105 pixels; its target")
    )
    #expect(try codes(dry) == (try codes(outcome)))
  }

  @Test func `a size is never enlarged unless that is asked`() async throws {
    let targets = try folder.write(
      #"{"targets":[{"name":"l","size":{"width":300,"height":200}}]}"#.utf8, as: "t.json")
    let kept = try await run("--targets", targets, "--json")
    #expect(kept.objects[0]["width"] as? Int == 222)
    let enlarged = try await run("--targets", targets, "--json", "--enlarge", "--force")
    #expect(enlarged.objects[0]["width"] as? Int == 300)
    #expect(try codes(enlarged) == [["too-small"]])
  }

  @Test func `a file has targets, a focus and crops by hand`() async throws {
    let text = """
      {"picture": {"quarterTurns": 1}, "focus": {"x": 0, "y": 0}, "targets": [
      {"name": "hand", "ratio": "1:1", "recipe": {"quarterTurns": 1,
      "rect": {"x": 5, "y": 6, "width": 40, "height": 30}}}, {"name": "own", "ratio": "1:1"}]}
      """
    let targets = try folder.write(text.utf8, as: "t.json")
    func rects(_ outcome: Outcome) throws -> [[String: Int]?] {
      outcome.objects.map { $0["rect"] as? [String: Int] }
    }
    let hand = ["x": 5, "y": 6, "width": 40, "height": 30]
    // Turned, the photo is 149 × 227, and its left is at the top.
    let top = try await run("--targets", targets, "--json")
    #expect(try rects(top) == [hand, ["x": 0, "y": 0, "width": 149, "height": 149]])
    let focus = try folder.write(#"{"x":1,"y":0.5}"#.utf8, as: "f.json")
    let bottom = try await run("--targets", targets, "--focus", focus, "--json", "--force")
    #expect(try rects(bottom) == [hand, ["x": 0, "y": 78, "width": 149, "height": 149]])
    let same = try await run("--targets", targets, "--focus", targets, "--json", "--force")
    #expect(same.text == top.text)
  }

  @Test func `without a folder, the files are next to the photo`() async throws {
    let before = try Data(contentsOf: folder.url("a.jpg"))
    let outcome = try await Program.cropkit.run("targets", photo, "--set", "social", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    let there = folder.names
    #expect(there.filter { $0.hasPrefix("a-") }.count == 6 && there.contains("a-story.jpg"))
    #expect(try Data(contentsOf: folder.url("a.jpg")) == before)
  }

  @Test func `names follow a pattern, in the format that is asked for`() async throws {
    let outcome = try await run(
      "--set", "social", "--name", "{target}_{number}_{name}.{ext}", "--format", "png")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(made.first == "banner_6_a.png" && made.count == 6)
    let again = try await run(
      "--set", "social", "--name", "{target}_{number}_{name}.{ext}", "--format", "png")
    #expect(again.status == 1)
    #expect(again.lines.last == "cropkit: 6 of 6 targets failed")
  }

  @Test func `an error in a file of targets is reported with its position`() async throws {
    let targets = try folder.write(
      #"{"version": 1, "targets": [{"name": "a", "ratio": "1:1"}, {"name": "b", "rato": "1:1"}]}"#
        .utf8,
      as: "targets.json")
    let outcome = try await run("--targets", targets)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("targets[1].rato: "), "\(outcome)")
  }

  @Test(arguments: [
    (["--set", "social", "--targets", "t.json"], "--set and --targets can't be used together"),
    ([], "choose targets: --set NAME, --targets FILE or --regions"),
    (["--set", "social", "--focus", "1.2,0.3"], "the focus is outside the image"),
    (["--set", "social", "--focus", "0.5"], "a focus is two or four numbers"),
    (
      ["--set", "social", "--name", "{name}.{ext}"],
      "without it, all 6 files would have the same name"
    ),
    (["--targets", "/dev/null"], "not a file of targets: it is not JSON"),
    (["--set", "social", "--focus", "none.json"], "none.json: no such file"),
    (["--set", "social", "--jobs", "0"], "--jobs 0: expected a whole number from 1 to 256"),
  ])
  func `invalid input is rejected with a plain message`(options: [String], words: String)
    async throws
  {
    let all = ["targets", photo, "-d", folder.path("out")] + options
    let outcome = try await Program.cropkit.run(all)
    #expect([64, 66].contains(outcome.status), "\(outcome)")
    #expect(outcome.errors.contains(words), "\(outcome)")
    #expect(outcome.lines.count == 1 && made.isEmpty, "\(outcome)")
  }

  @Test func `a bad photo is reported once, and a failed target does not stop the others`()
    async throws
  {
    let none = try folder.write("no picture".utf8, as: "none.jpg")
    let outcome = try await Program.cropkit.run(
      "targets", none, "--set", "social", "-d", folder.path("out"))
    #expect(outcome.status == 69 && outcome.lines.count == 1, "\(outcome)")
    let targets = try folder.write(
      (#"{"targets":[{"name":"../a","ratio":"1:1"},{"name":"b","ratio":"1:1","recipe":"#
        + #"{"rect":{"x":200,"y":0,"width":50,"height":50}}},{"name":"c","ratio":"1:1"}]}"#).utf8,
      as: "t.json")
    let mixed = try await run("--targets", targets, "--json")
    #expect(mixed.status == 1, "\(mixed)")
    #expect(mixed.errors.contains("so it can't contain a slash"), "\(mixed)")
    #expect(
      mixed.errors.contains("b: the rectangle 50 × 50 at 200,0 is partly outside"), "\(mixed)")
    #expect(mixed.lines.last == "cropkit: 2 of 3 targets failed", "\(mixed)")
    #expect(made == ["a-c.jpg"] && folder.names.count == 4)
    #expect(mixed.objects.map { $0["error"] == nil } == [false, false, true])
  }
}
