import Foundation
import Testing

/// `--max-bytes`: the best file that is small enough.
@Suite(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct MaxBytesTests {
  private func crop(_ picture: String, _ words: String...) async throws -> Outcome {
    try await run(["crop", picture, "-o", "-", "--format", "jpeg"] + words)
  }

  private func run(_ words: [String]) async throws -> Outcome {
    try await Program.cropkit.run(words, folder: Picture.folder)
  }

  @Test(arguments: ["36K", "50K", "100000"])
  func `the result is that small, and the next quality would not be`(limit: String) async throws {
    let bytes = limit.hasSuffix("K") ? try #require(Int(limit.dropLast())) * 1024 : 100_000
    let words = ["--lossless", "never"]
    let found = try await crop("orient-landscape-6.jpg", words[0], words[1], "--max-bytes", limit)
    #expect(found.status == 0, "\(found)")
    #expect(found.output.count <= bytes)
    let said = try #require(found.errors.firstMatch(of: /quality ([0-9]+)/)?.output.1)
    let quality = try #require(Int(said))
    #expect((30...90).contains(quality))
    guard quality < 90 else { return }
    let better = try await crop(
      "orient-landscape-6.jpg", words[0], words[1], "--quality", "\(quality + 1)")
    #expect(better.output.count > bytes)
  }

  @Test func `a lossless result that is small enough stays`() async throws {
    let rect = ["--rect", "8,0,160,450"]
    let plain = try await crop("orient-landscape-6.jpg", rect[0], rect[1])
    #expect(plain.errors.contains("lossless"), "\(plain)")
    let limit = "\(plain.output.count)"
    let same = try await crop("orient-landscape-6.jpg", rect[0], rect[1], "--max-bytes", limit)
    #expect(same.output == plain.output)
    let less = "\(plain.output.count - 1)"
    let smaller = try await crop("orient-landscape-6.jpg", rect[0], rect[1], "--max-bytes", less)
    #expect(smaller.status == 0 && smaller.errors.contains("re-encoded"), "\(smaller)")
    #expect(smaller.output.count < plain.output.count)
  }

  @Test func `an unreachable size is rejected with the smallest size`() async throws {
    let refused = try await crop("orient-landscape-6.jpg", "--max-bytes", "2K")
    #expect(refused.status == 65 && refused.output.isEmpty)
    #expect(refused.errors.contains(/the result has [0-9]+ bytes at quality 30, more than 2048/))
  }

  @Test func `animations are refused before, one frame of them is not`() async throws {
    let words = ["crop", "webp-animated.webp", "-o", "-", "--max-bytes", "100M"]
    let refused = try await run(words)
    #expect(refused.status == 64 && refused.errors.contains("animation"), "\(refused)")
    let one = try await run(words + ["--page", "1"])
    #expect(one.status == 0, "\(one)")
  }

  @Test func `a batch keeps each result that small, or refuses it`() async throws {
    let folder = try Folder()
    let photo = try Picture.named("orient-landscape-6.jpg").path
    let lines = [("small.jpg", #"{"output": {"maxSide": 64}}"#), ("large.jpg", "{}")].map {
      #"{"input": "\#(photo)", "output": "\#(folder.path($0))", "recipe": \#($1)}"#
    }
    let list = try folder.write(lines.joined(separator: "\n").utf8, as: "list.jsonl")
    let words = ["batch", list, "--max-bytes", "8K", "--lossless", "never"]
    let outcome = try await run(words)
    #expect(outcome.status == 1, "\(outcome)")
    #expect(try Data(contentsOf: folder.url("small.jpg")).count <= 8 << 10)
    #expect(outcome.text.contains("too-many-bytes") && !folder.names.contains("large.jpg"))
  }

  @Test func `the server finds it too, and refuses by its own status`() async throws {
    let server = try await RunningServer()
    let photo = try Picture.named("orient-landscape-6.jpg")
    let picture = try Data(contentsOf: URL(fileURLWithPath: photo.path))
    func crop(_ limit: Int) async throws -> Answer {
      let encoding = #"{"lossless": "never", "maxBytes": \#(limit)}"#.query
      return try await server.send("POST /api/crop?encoding=\(encoding)", body: picture)
    }
    let found = try await crop(50_000)
    #expect(found.status == 200 && (20_000...50_000).contains(found.body.count), "\(found)")
    let refused = try await crop(2048)
    #expect(refused.status == 422 && refused.problem == "too-many-bytes", "\(refused)")
    #expect(await server.stop() == 0)
  }

  @Test(arguments: ["0", "-1", "x", "1.5", "1.5.5K", ""])
  func `an invalid amount is wrong usage`(limit: String) async throws {
    let refused = try await crop("orient-landscape-6.jpg", "--max-bytes", limit)
    #expect(refused.status == 64)
  }
}
