import Foundation
import Testing

/// `{width}` and `{height}` in the names of trimmed crops.
@Suite(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct LateNameTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A photo of 227 × 149 pixels with a border of 20 pixels.
  private func bordered(_ name: String) async throws -> String {
    let photo = try Picture.named("jpeg-420-227x149.jpg").path
    let outcome = try await Program.cropkit.run(
      "crop", photo, "--margin", "20", "--fill", "#00f", "--format", "png", "-o",
      folder.path(name))
    try #require(outcome.status == 0, "\(outcome)")
    return folder.path(name)
  }

  @Test func `a picture over a limit is not decoded for its name`() async throws {
    // One color: if it were decoded, that would be the error.
    let picture = try folder.write(PNGBomb.bytes(side: 64), as: "a.png")
    let outcome = try await Program.cropkit.run(
      "crop", picture, "-d", folder.path("out"), "--trim", "--name", "{width}.{ext}",
      "--limit-pixels", "1000")
    #expect(outcome.status == 65 && outcome.errors.contains("--limit-pixels"), "\(outcome)")
  }

  @Test(arguments: [[], ["--dry-run"]])
  func `one picture is named after what is left`(options: [String]) async throws {
    let picture = try await bordered("a.png")
    let outcome = try await Program.cropkit.run(
      ["crop", picture, "-d", folder.path("out"), "--trim", "--json"]
        + ["--name", "{name}-{width}x{height}.{ext}"] + options)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.values("output") == [folder.path("out/a-227x149.png")])
    #expect(
      Folder.names(in: folder.path("out")) == (options.isEmpty ? ["a-227x149.png"] : []))
  }

  @Test(arguments: [[], ["--dry-run"]])
  func `of two pictures with one name the second is refused, even with --force`(
    options: [String]
  ) async throws {
    let inputs = [try await bordered("a.png"), try await bordered("b.png")]
    let outcome = try await Program.cropkit.run(
      ["crop"] + inputs + ["-d", folder.path("out"), "--trim", "--force", "--json"]
        + ["--name", "{width}x{height}.{ext}"] + options)
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.errors.contains("an earlier crop has the same output"), "\(outcome)")
    #expect(outcome.values("output").filter { $0 != "nil" } == [folder.path("out/227x149.png")])
  }
}
