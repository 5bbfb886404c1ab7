import Foundation
import Glibc
import Testing

@testable import cropkit

/// Lines of `cropkit batch` that hold targets.
@Suite(.serialized, .enabled(if: Picture.areThere, "no pictures; see CROPKIT_IMAGES"))
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
    return try await Program.cropkit.run(
      bytes: (["batch", manifest] + options).map { Array($0.utf8) })
  }

  private func values(_ key: String, in outcome: Outcome) -> [String] {
    outcome.text.split(separator: "\n").map { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return "\(object?[key] ?? "nil")"
    }
  }

  private func made(in name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(name))) ?? []).sorted()
  }

  @Test func `a line of targets has a line for each, among lines of single crops`() async throws {
    defer { folder.remove() }
    let outcome = try await run([
      #"{"input":"\#(photo)","output":"one.jpg","aspect":"1:1"}"#,
      #"{"input":"\#(photo)","targets":"social","directory":"out","focus":{"x":0.1,"y":0.5}}"#,
      #"{"input":"\#(photo)","targets":{"targets":[{"name":"a","ratio":"1:1"},"#
        + #"{"name":"b","size":{"width":300,"height":200}}]},"directory":"deep/","#
        + #""name":"{number}{target}.png","enlarge":true,"options":{"format":"png"}}"#,
    ])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(values("line", in: outcome) == ["1", "2", "2", "2", "2", "2", "2", "3", "3"])
    #expect(values("target", in: outcome).prefix(3) == ["nil", "square", "portrait"])
    #expect(outcome.lines.last == "cropkit: 9 crops done")
    #expect(values("output", in: outcome)[1] == "out/jpeg-420-227x149-square.jpg")
    #expect(values("output", in: outcome).suffix(2) == ["deep/1a.png", "deep/2b.png"])
    #expect(made(in: "out").count == 6 && made(in: "deep") == ["1a.png", "2b.png"])
  }

  @Test(arguments: [
    (#""targets":"social""#, "\"directory\" is missing"),
    (#""directory":"out""#, "\"targets\" is missing"),
    (#""targets":"sozial","directory":"out""#, "there is no set \"sozial\"; known here: social"),
    (#""targets":"social","directory":"out","output":"a.jpg""#, "either targets and directory, or"),
    (#""targets":"social","directory":"out","rect":"0,0,1,1""#, "either targets and directory, or"),
    (#""targets":{"targets":[]},"directory":"out""#, "there are no targets"),
    (#""targets":"social","directory":"-""#, "the directory must be the name of a folder"),
    (#""targets":"social","directory":"out","name":"{x}""#, "\"{x}\" is not understood"),
    (#""targets":"social","directory":"out","focus":{"x":2,"y":0}"#, "the focus is outside"),
    (#""targets":"social","directory":"out","more":1"#, "\"more\" is not known"),
  ])
  func `a line that can't be understood is told once`(keys: String, words: String) async throws {
    defer { folder.remove() }
    let outcome = try await run([#"{"input":"\#(photo)",\#(keys)}"#])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.errors.contains(words), "\(outcome)")
    #expect(outcome.lines.last == "cropkit: 1 of 1 crops failed", "\(outcome)")
    #expect(folder.names == ["list.jsonl"])
  }

  @Test func `an input of another line is not written over`() async throws {
    defer { folder.remove() }
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

  @Test func `what is killed goes on from there, and another focus makes all anew`() async throws {
    defer { folder.remove() }
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
    defer { scratch.remove() }
    let running = try Program.cropkit.start(
      bytes: ["batch", manifest].map { Array($0.utf8) }, output: scratch.path("told"),
      errors: scratch.path("errors"))
    while !running.isOver,
      try Data(contentsOf: scratch.url("told")).split(separator: 0x0A).count < 8
    {
      usleep(1000)
    }
    running.send(SIGKILL)
    _ = await running.end()
    let told = try Data(contentsOf: scratch.url("told")).split(separator: 0x0A).count
    let rest = try await run(lines(0.25), "--resume")
    #expect(rest.status == 0, "\(rest)")
    #expect(values("skipped", in: rest).count { $0 != "nil" } >= told)
    #expect((1...10).allSatisfy { made(in: "\($0)").filter { $0.hasSuffix(".png") }.count == 6 })
    let idle = try await run(lines(0.25), "--resume")
    #expect(idle.lines.last == "cropkit: 60 crops done; 60 of them were done already")
    #expect(values("warnings", in: idle).count { $0.contains("too-small") } == 10)
    let moved = try await run(lines(0.75), "--resume", "--force")
    #expect(moved.status == 0, "\(moved)")
    // What is as wide as the photo is the same again.
    let squares = zip(values("target", in: moved), values("skipped", in: moved))
    #expect(squares.allSatisfy { $0 != "square" || $1 == "nil" })
  }
}
