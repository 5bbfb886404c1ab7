import Foundation
import Testing

/// Names that are URLs, such as `s3a://bucket/a.jpg`.
@Suite(.serialized)
struct AddressTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    _ = try folder.write(PNGBomb.bytes(side: 64), as: "a b.png")
  }

  private func run(_ words: String...) async throws -> Outcome {
    try await Program.cropkit.run(words, folder: folder.path)
  }

  private func expectRefused(_ outcome: Outcome, _ name: String) {
    let line = "cropkit: \(name): s3a: URLs are not supported; use a file on this machine"
    #expect(outcome.status == 64 && outcome.lines == [line[...]], "\(outcome)")
    #expect(folder.names == ["a b.png"])
  }

  @Test func `an address in an object store is neither read nor made into a folder`() async throws {
    let file = "s3a://bucket/out/a.png"
    expectRefused(try await run("crop", "a b.png", "--aspect", "1:1", "-o", file), file)
    expectRefused(
      try await run("crop", "a b.png", "--format", "webp", "--dry-run", "-o", file), file)
    expectRefused(try await run("crop", file, "--aspect", "1:1", "-o", "b.png"), file)
    expectRefused(try await run("crop", "a b.png", "-d", "s3a://bucket"), "s3a://bucket")
    expectRefused(try await run("info", "S3A:/bucket/a.png"), "S3A:/bucket/a.png")
    expectRefused(try await run("batch", "s3a://bucket/list"), "s3a://bucket/list")
  }

  @Test func `only the line of a batch that names one fails`() async throws {
    let lines = [
      #"{"input":"a b.png","output":"hdfs://host/b.png","aspect":"1:1"}"#,
      #"{"input":"gs://host/a.png","output":"b.png","aspect":"1:1"}"#,
      #"{"input":"a b.png","output":"c.png","aspect":"1:1"}"#,
    ]
    let list = try folder.write(lines.joined(separator: "\n").utf8, as: "list.jsonl")
    let outcome = try await run("batch", list)
    #expect(outcome.status == 1)
    #expect(outcome.text.contains("hdfs://host: hdfs: URLs are not supported"))
    #expect(outcome.text.contains("gs://host/a.png: gs: URLs are not supported"))
    #expect(folder.names.sorted() == ["a b.png", "c.png", "list.jsonl"])
  }

  @Test func `the address of a file on this machine is its path`() async throws {
    let encoded = folder.path("a b.png").replacingOccurrences(of: " ", with: "%20")
    for (number, start) in ["file:", "file://", "FILE://localhost"].enumerated() {
      let outcome = try await run(
        "crop", start + encoded, "--aspect", "1:1", "-o", start + folder.path("\(number)%25.png"))
      #expect(outcome.status == 0, "\(outcome)")
      #expect(folder.names.contains("\(number)%.png"))
    }
    let elsewhere = try await run("info", "file://host/a.png")
    #expect(elsewhere.status == 64 && elsewhere.errors.contains("on another machine"))
  }

  @Test func `a path that looks like an address starts with a dot`() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("s3a:/bucket"), withIntermediateDirectories: true)
    let outcome = try await run("crop", "a b.png", "-o", "./s3a://bucket/b.png")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(FileManager.default.fileExists(atPath: folder.path("s3a:/bucket/b.png")))
  }
}
