import Foundation
import Testing

@testable import cropkit

/// `cropkit crop` with several images, with an output folder, and as a dry run.
@Suite(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct SeveralCropsTests {
  private let folder: Folder
  private let photo: String

  init() throws {
    folder = try Folder()
    photo = try Picture.named("jpeg-420-227x149.jpg").path
  }

  private func copy(_ name: String) throws -> String {
    try folder.write(Data(contentsOf: URL(fileURLWithPath: photo)), as: name)
  }

  /// The size that `info` prints for a file in the folder.
  private func size(_ name: String) async throws -> String {
    let outcome = try await Program.cropkit.run("info", folder.path(name))
    let line = outcome.text.split(separator: "\n").first { $0.contains("  size ") } ?? ""
    return line.split(separator: " ").dropFirst().prefix(3).joined(separator: " ")
  }

  @Test func `a folder gets the results, and one bad file does not stop the others`() async throws {
    let inputs = [
      try copy("a.jpg"), try folder.write("no picture".utf8, as: "b.jpg"), try copy("c.JPG"),
    ]
    let outcome = try await Program.cropkit.run(
      bytes: (["crop"] + inputs + ["-d", folder.path("out"), "--aspect", "1/1"]).map {
        Array($0.utf8)
      })
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.lines.count == 4, "\(outcome)")
    #expect(outcome.lines[0].hasPrefix("cropkit: \(folder.path("out/a.jpg")): "), "\(outcome)")
    #expect(outcome.lines[1].contains("b.jpg"), "\(outcome)")
    #expect(outcome.lines.last == "cropkit: 1 of 3 images failed")
    #expect(Folder.names(in: folder.path("out")) == ["a.jpg", "c.JPG"])
    #expect(try await size("out/a.jpg") == "149 × 149")
  }

  @Test func `the last line counts the JPEGs that could not be copied`() async throws {
    let inputs = [try copy("a.jpg"), try copy("b.jpg")]
    func last(_ rect: String, _ options: String...) async throws -> Substring? {
      let words = ["crop"] + inputs + ["-d", folder.path("out"), "--force", "--rect", rect]
      let outcome = try await Program.cropkit.run(bytes: (words + options).map { Array($0.utf8) })
      return outcome.lines.last
    }
    #expect(try await last("0,0,32,32") == "cropkit: 2 images cropped")
    #expect(try await last("3,3,32,32") == "cropkit: 2 images cropped, 2 of them re-encoded")
    // Nobody expects these to be copied.
    #expect(try await last("3,3,32,32", "--max-side", "16") == "cropkit: 2 images cropped")
  }

  @Test func `names follow a pattern, and two of one name are refused`() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("x"), withIntermediateDirectories: true)
    let inputs = [try copy("a.jpg"), try copy("x/a.jpg")]
    let words = ["crop"] + inputs + ["-d", folder.path("out"), "--inset", "10", "--json"]
    let twice = try await Program.cropkit.run(words)
    #expect(twice.status == 1, "\(twice)")
    #expect(twice.errors.contains("an earlier crop has the same output"), "\(twice)")
    let named = words + ["--name", "{number}-{name}.{ext}", "--format", "png", "--quiet"]
    let outcome = try await Program.cropkit.run(named)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.errors.isEmpty, "\(outcome)")
    #expect(outcome.values("output") == [1, 2].map { folder.path("out/\($0)-a.png") })
    #expect(outcome.values("width") == ["207", "207"])
  }

  @Test func `several are put in place of themselves`() async throws {
    let inputs = [try copy("a.jpg"), try copy("b.jpg")]
    let outcome = try await Program.cropkit.run(
      "crop", inputs[0], inputs[1], "--in-place", "--rect", "10,20,-10,-20")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(folder.names == ["a.jpg", "b.jpg"])
    #expect(try await size("b.jpg") == "207 × 109")
    let again = try await Program.cropkit.run(
      "crop", inputs[0], inputs[0], "--in-place", "--inset", "1")
    #expect(again.status == 1, "\(again)")
    #expect(try await size("a.jpg") == "205 × 107")
  }

  @Test func `a dry run says what would be cut and writes nothing`() async throws {
    let (good, bad) = (try copy("a.jpg"), folder.path("missing.jpg"))
    let before = folder.names
    let one = try await Program.cropkit.run(
      "crop", good, "-d", folder.path("out"), "--rect", "100x60+20+10", "--format", "webp",
      "--dry-run")
    #expect(one.status == 0, "\(one)")
    #expect(
      one.lines == [
        "cropkit: \(folder.path("out/a.webp")): would be WebP, re-encoded, 100 × 60, of 100 × 60 from 20,10"
      ])
    let two = try await Program.cropkit.run("crop", good, bad, "--in-place", "--dry-run")
    #expect(two.status == 1, "\(two)")
    #expect(two.errors.contains("missing.jpg"))
    let outside = try await Program.cropkit.run(
      "crop", good, "-o", folder.path("x.jpg"), "--rect", "0,0,228,1", "--dry-run")
    #expect(outside.status == 64, "\(outside)")
    let there = try await Program.cropkit.run("crop", photo, "-o", good, "--dry-run")
    #expect(there.status == 73, "\(there)")
    #expect(folder.names == before)
  }

  @Test(arguments: [
    (["a.jpg", "b.jpg", "-o", "c.jpg"], "use -d"),
    (["a.jpg", "--name", "x", "-o", "c"], "--name needs -d"),
    (["a.jpg", "-", "-d", "out"], "standard input"),
    (["a.jpg", "-d", "out", "--in-place"], "together"),
    (["a.jpg", "-d", "out", "--name", "{x}"], "{x}"), (["a.jpg"], "-d FOLDER"),
    (["a.jpg", "--inset", "1", "--aspect", "1:1", "-o", "b"], "--inset and --aspect"),
  ])
  func `contradictory arguments are rejected`(arguments: [String], words: String) async throws {
    let outcome = try await Program.cropkit.run(["crop"] + arguments, folder: folder.path)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.errors.contains(words), "\(outcome)")
    #expect(folder.names.isEmpty)
  }

  @Test(arguments: [("a.jpg", "a file with this name"), ("no/such", "its folder")])
  func `a folder that can't be created is reported with the reason`(name: String, words: String)
    async throws
  {
    let input = try copy("a.jpg")
    let outcome = try await Program.cropkit.run("crop", input, "-d", folder.path(name))
    #expect(outcome.status == 73, "\(outcome)")
    #expect(outcome.errors.contains(words), "\(outcome)")
    #expect(folder.names == ["a.jpg"])
  }

  @Test func `a line of a manifest says what the command does`() async throws {
    let lines = [
      #"{"input":"\#(photo)","output":"1.jpg","aspect":"1:1","gravity":"west","maxSide":64}"#,
      #"{"input":"\#(photo)","output":"2.jpg","rect":"10%,10%,50%,50%","rotate":90}"#,
      #"{"input":"\#(photo)","output":"3.x","inset":10,"options":{"format":"png"}}"#,
      #"{"input":"\#(photo)","output":"4.jpg","aspect":"1:1","recipe":{}}"#,
      #"{"input":"\#(photo)","output":"5.jpg","aspect":"wide"}"#,
      #"{"input":"\#(photo)","output":"6.jpg","aspect":"1:1","options":{"qualty":3}}"#,
      #"{"input":"\#(photo)","output":"7.jpg","gravity":"up","aspect":"1:1"}"#,
      #"{"input":"\#(photo)","output":"8.jpg"}"#,
    ]
    let manifest = try folder.write(lines.joined(separator: "\n").utf8, as: "list.jsonl")
    let outcome = try await Program.cropkit.run("batch", manifest)
    #expect(outcome.status == 1, "\(outcome)")
    #expect(try await size("1.jpg") == "64 × 64")
    #expect(try await size("2.jpg") == "76 × 115")
    #expect(try await size("3.x") == "207 × 129")
    let errors = outcome.lines.dropLast()
    #expect(errors.count == 5, "\(outcome)")
    for (line, words) in zip(
      errors, ["line 4: ", "aspect: \"wide\"", "qualty", "gravity: \"up\"", "recipe"])
    {
      #expect(line.contains(words), "\(line)")
    }
  }

  @Test func `a bar walks while one picture takes long`() {
    #expect(WaitingLine.text("a.heic", after: .seconds(0)) == "[######              ] a.heic, 0 s")
    #expect(WaitingLine.text("a.heic", after: .seconds(3)) == "[            ######  ] a.heic, 3 s")
    #expect(WaitingLine.text("a.heic", after: .seconds(7)) == "[######              ] a.heic, 7 s")
  }
}
