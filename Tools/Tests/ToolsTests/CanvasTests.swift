import Foundation
import Testing

@testable import cropkit

/// Canvases and trimmed borders, as requested by users and by programs.
@Suite(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct CanvasTests {
  /// 227 × 149 pixels.
  private let photo = "jpeg-420-227x149.jpg"

  private func run(_ words: String...) async throws -> Outcome {
    try await Program.cropkit.run(words, folder: Picture.folder)
  }

  // The margin is a tenth of the square's side: 227 is 80 % of 284 (283.75, rounded up).
  @Test func `a dry run says the canvas's size`() async throws {
    let folder = try Folder()
    let outcome = try await run(
      "crop", photo, "--canvas", "1:1", "--margin", "10%", "-o", folder.path("never.jpg"),
      "--dry-run", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    let plan = try #require(outcome.objects.first)
    #expect(plan["width"] as? Int == 284 && plan["height"] as? Int == 284)
    #expect(outcome.errors.contains("would be JPEG, re-encoded, 284 × 284, of 227 × 149 from 0,0"))
    #expect(folder.names == [])
  }

  @Test func `a canvas is reported as never lossless`() async throws {
    let folder = try Folder()
    let outcome = try await run("crop", photo, "--canvas", "1:1", "-o", folder.path("a.jpg"))
    #expect(
      outcome.errors
        == "cropkit: \(folder.path("a.jpg")): re-encoded, 227 × 227, quality 90; "
        + "a result on a canvas is never lossless\n")
  }

  @Test(arguments: [
    (["--fill", "blur"], "a fill needs a canvas or a margin"),
    (["--place", "north"], "a place needs a canvas or a margin"),
    (["--trim", "--rect", "0,0,9,9"], "--trim and --rect can't be used together"),
    (["--trim", "--tilt", "3"], "--trim and --tilt can't be used together"),
    (["--canvas", "big"], "--canvas big: expected WIDTH:HEIGHT or WIDTHxHEIGHT"),
  ])
  func `conflicting options are wrong usage`(words: [String], message: String) async throws {
    let outcome = try await Program.cropkit.run(
      ["crop", photo, photo, "-d", "/nowhere"] + words,
      folder: Picture.folder)
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.contains(message), "\(outcome)")
  }

  @Test func `trim takes a number, or none before the next word`() {
    #expect(
      TrimArgument.completed(["crop", "--trim", "a.jpg"]) == ["crop", "--trim", "auto", "a.jpg"])
    #expect(TrimArgument.completed(["--trim", "7", "a"]) == ["--trim", "7", "a"])
    // A number is meant as a tolerance, even an invalid one, and reported.
    #expect(TrimArgument.completed(["--trim", "300", "a"]) == ["--trim", "300", "a"])
    #expect(TrimArgument.completed(["--trim", "12.5", "a"]) == ["--trim", "12.5", "a"])
    #expect(TrimArgument.completed(["a", "--trim"]) == ["a", "--trim", "auto"])
    #expect(TrimArgument.completed(["--", "--trim"]) == ["--", "--trim"])
    #expect(TrimArgument.completed(["--trim=7", "b"]) == ["--trim=7", "b"])
    #expect(TrimArgument(argument: "256") == nil && TrimArgument(argument: "-1") == nil)
  }

  @Test func `lines of batches use canvases and trimming, and are resumed`() async throws {
    let folder = try Folder()
    func sizes(_ lines: String..., words: [String] = []) async throws -> [[String: Int]?] {
      let text = lines.joined(separator: "\n")
      let file = try folder.write(Data(text.utf8), as: "\(lines.count).jsonl")
      let outcome = try await Program.cropkit.run(["batch", file] + words)
      return outcome.objects.sorted { ($0["line"] as? Int ?? 0) < ($1["line"] as? Int ?? 0) }
        .map { $0["size"] as? [String: Int] }
    }
    let source = try Picture.named(photo).path
    let options = ##""options": {"canvas": "1:1", "margin": 20, "fill": "#ff8800"}"##
    let laid = ["width": 267, "height": 267]
    let line = ##"{"input": "\##(source)", "output": "a.png", "recipe": {}, \##(options)}"##
    #expect(try await sizes(line) == [laid])
    let lines = [
      #"{"input": "a.png", "output": "b.png", "trim": true}"#,
      #"{"input": "a.png", "output": "c.png", "trim": 40, "aspect": "1:1"}"#,
      #"{"input": "a.png", "output": "d.png", "trim": false, "flip": "horizontal"}"#,
    ]
    let wanted = [["width": 227, "height": 149], ["width": 149, "height": 149], laid]
    #expect(try await sizes(lines[0], lines[1], lines[2]) == wanted)
    #expect(try await sizes(lines[0], lines[1], lines[2], words: ["--resume"]) == wanted)
  }

  @Test func `targets are contained where the command or they themselves say so`() async throws {
    let folder = try Folder()
    let targets = try folder.write(
      Data(
        """
        {"targets": [{"name": "in", "ratio": "1:1", "fit": "contain"}, {"name": "fill", "ratio": "1:1"}]}
        """.utf8), as: "targets.json")
    func sizes(_ words: String...) async throws -> [[Int]] {
      let all = ["targets", photo, "--targets", targets, "--json", "-q", "-d", folder.path("out")]
      let outcome = try await Program.cropkit.run(all + words + ["--force"], folder: Picture.folder)
      return outcome.objects.map { [$0["width"] as? Int ?? 0, $0["height"] as? Int ?? 0] }
    }
    #expect(try await sizes("--fill", "blur") == [[227, 227], [149, 149]])
    #expect(try await sizes("--fit", "contain", "--margin", "10") == [[247, 247], [247, 247]])
    #expect(try await sizes("--fit", "cover", "--dry-run") == [[149, 149], [149, 149]])
    let refused = try await run(
      "targets", photo, "--set", "social", "--canvas", "1:1", "-d", folder.path("no"))
    #expect(refused.status == 64 && refused.errors.contains("--fit contain"), "\(refused)")
  }
}
