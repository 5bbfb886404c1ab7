import Foundation
import Glibc
import Testing

@testable import cropkit

/// Lines of `cropkit batch` with targets.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct BatchTargetsTests {
  private let folder: Folder
  private let photo: String

  init() throws {
    folder = try Folder()
    photo = try Picture.named("jpeg-420-227x149.jpg").path
  }

  private func run(_ lines: [String], _ options: String...) async throws -> Outcome {
    let text = lines.map { "\($0)\n" }.joined()
    let manifest = try folder.write(text.utf8, as: "list.jsonl")
    return try await Program.cropkit.run(["batch", manifest] + options)
  }

  private func made(in name: String) -> [String] { Folder.names(in: folder.path(name)) }

  @Test func `a line of targets has a line for each, among lines of single crops`() async throws {
    let outcome = try await run([
      #"{"input":"\#(photo)","output":"one.jpg","aspect":"1:1"}"#,
      #"{"input":"\#(photo)","targets":"social","directory":"out","focus":{"x":0.1,"y":0.5}}"#,
      #"{"input":"\#(photo)","targets":{"targets":[{"name":"a","ratio":"1:1"},"#
        + #"{"name":"b","size":{"width":300,"height":200}}]},"directory":"deep/","#
        + #""name":"{number}{target}.png","enlarge":true,"options":{"format":"png"}}"#,
    ])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.values("line") == ["1", "2", "2", "2", "2", "2", "2", "3", "3"])
    #expect(outcome.values("target").prefix(3) == ["nil", "square", "portrait"])
    #expect(outcome.lines.last == "cropkit: 9 crops done")
    #expect(outcome.values("output")[1] == "out/jpeg-420-227x149-square.jpg")
    #expect(outcome.values("output").suffix(2) == ["deep/1a.png", "deep/2b.png"])
    #expect(made(in: "out").count == 6 && made(in: "deep") == ["1a.png", "2b.png"])
  }

  @Test(arguments: [
    (#""targets":"social""#, "\"directory\" is missing"),
    (#""directory":"out""#, "\"targets\" is missing"),
    (#""targets":"sozial","directory":"out""#, "\"sozial\" is not a set; expected one of social"),
    (#""targets":"social","directory":"out","output":"a.jpg""#, "either targets and directory, or"),
    (#""targets":"social","directory":"out","rect":"0,0,1,1""#, "either targets and directory, or"),
    (#""targets":{"targets":[]},"directory":"out""#, "no targets"),
    (
      #""targets":{"targets":[{"name":"a","size":{"width":1.5,"height":3}}]},"directory":"out""#,
      "size.width: 1.5 is not a whole number"
    ),
    (#""targets":"social","directory":"-""#, "the directory must be the name of a folder"),
    (#""targets":"social","directory":"out","name":"{x}""#, "\"{x}\" is not understood"),
    (#""targets":"social","directory":"out","focus":{"x":2,"y":0}"#, "the focus is outside"),
    (#""targets":"social","directory":"out","more":1"#, "\"more\" is not known"),
  ])
  func `an invalid line is reported once`(keys: String, words: String) async throws {
    let outcome = try await run([#"{"input":"\#(photo)",\#(keys)}"#])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.errors.contains(words), "\(outcome)")
    #expect(outcome.lines.last == "cropkit: 1 of 1 crop failed", "\(outcome)")
    #expect(folder.names == ["list.jsonl"])
  }

  @Test func `an input of another line is not overwritten`() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("out"), withIntermediateDirectories: true)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: photo))
    _ = try folder.write(bytes, as: "a.jpg")
    _ = try folder.write(bytes, as: "out/a-square.jpg")
    let outcome = try await run(
      [
        #"{"input":"a.jpg","targets":"social","directory":"out"}"#,
        #"{"input":"out/a-square.jpg","output":"b.jpg","aspect":"1:1"}"#,
      ], "--force")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.lines.last == "cropkit: 1 of 7 crops failed", "\(outcome)")
    #expect(try Data(contentsOf: folder.url("out/a-square.jpg")) == bytes)
  }

  @Test func `a killed batch resumes, and another focus makes everything again`() async throws {
    let slow = try Picture.named("orient-landscape-1.jpg").path
    func lines(_ focus: Double) -> [String] {
      (1...10).map {
        #"{"input":"\#(slow)","targets":"social","directory":"\#($0)","#
          + #""focus":{"x":\#(focus),"y":0.5},"options":{"format":"png"}}"#
      }
    }
    let text = lines(0.25).map { "\($0)\n" }.joined()
    let manifest = try folder.write(text.utf8, as: "list.jsonl")
    let scratch = try Folder()
    let running = try Program.cropkit.start(
      ["batch", manifest], output: scratch.path("told"),
      errors: scratch.path("errors"))
    try await eventually("eight are reported") {
      try running.isOver
        || Data(contentsOf: scratch.url("told")).split(separator: 0x0A).count >= 8
    }
    running.send(SIGKILL)
    _ = await running.end()
    let reported = try Data(contentsOf: scratch.url("told")).split(separator: 0x0A).count
    let rest = try await run(lines(0.25), "--resume")
    #expect(rest.status == 0, "\(rest)")
    #expect(rest.values("skipped").count { $0 != "nil" } >= reported)
    #expect((1...10).allSatisfy { made(in: "\($0)").filter { $0.hasSuffix(".png") }.count == 6 })
    let idle = try await run(lines(0.25), "--resume")
    #expect(idle.lines.last == "cropkit: 60 crops done, 60 of them skipped")
    #expect(idle.values("warnings").count { $0.contains("too-small") } == 10)
    let moved = try await run(lines(0.75), "--resume", "--force")
    #expect(moved.status == 0, "\(moved)")
    // Targets that are as wide as the photo are the same again.
    let squares = zip(moved.values("target"), moved.values("skipped"))
    #expect(squares.allSatisfy { $0 != "square" || $1 == "nil" })
  }
}
