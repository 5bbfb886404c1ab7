import Foundation
import Testing

/// Options that have no effect, or an odd one, are reported.
@Suite(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct UnusedOptionTests {
  private let folder: Folder
  /// 227 × 149 pixels in blocks of 16.
  private let photo: String

  init() throws {
    folder = try Folder()
    photo = try Picture.named("jpeg-420-227x149.jpg").path
  }

  /// The codes of the warnings of each result.
  private func codes(_ outcome: Outcome) -> [[String]] {
    outcome.objects.map { report in
      (report["warnings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }
  }

  @Test(arguments: [
    ("0,0,64,64", [], ["quality-unused"]), ("1,0,64,64", [], []),
    ("0,0,64,64", ["--lossless", "never"], []),
  ])
  func `a quality without effect is reported, in a dry run too`(
    rect: String, options: [String], expected: [String]
  ) async throws {
    for run in [["--dry-run"], []] {
      let outcome = try await Program.cropkit.run(
        ["crop", photo, "--rect", rect, "--quality", "50", "--json", "-o", folder.path("a.jpg")]
          + options + run)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(codes(outcome) == [expected], "\(outcome)")
    }
  }

  @Test(arguments: [
    ("a.png", "jpeg", ["other-extension"]), ("a.jpg", "jpeg", []), ("a.heif", "heic", []),
    ("a.part", "jpeg", []),
  ])
  func `a name with the extension of another format is reported`(
    name: String, format: String, expected: [String]
  ) async throws {
    let outcome = try await Program.cropkit.run(
      "crop", photo, "--rect", "1,0,64,64", "--format", format, "--json", "-o", folder.path(name))
    #expect(outcome.status == 0, "\(outcome)")
    #expect(codes(outcome) == [expected], "\(outcome)")
  }

  @Test(arguments: [["--margin", "5%"], ["--place", "north"], ["--fill", "blur"]])
  func `options of a canvas need a target that has one`(options: [String]) async throws {
    let words = ["targets", photo, "--set", "social", "-d", folder.path("out"), "--dry-run"]
    let refused = try await Program.cropkit.run(words + options)
    #expect(refused.status == 64 && refused.errors.contains("--fit contain"), "\(refused)")
    let accepted = try await Program.cropkit.run(words + options + ["--fit", "contain"])
    #expect(accepted.status == 0, "\(accepted)")
  }

  @Test func `a line's options of a canvas need a target that has one, the command's don't`()
    async throws
  {
    let line = #"{"input":"\#(photo)","targets":"social","directory":"out""#
    let own = try folder.write((line + #","options":{"margin":5}}"#).utf8, as: "own.jsonl")
    let refused = try await Program.cropkit.run("batch", own)
    #expect(refused.status == 1 && refused.errors.contains(#""fit": "contain""#), "\(refused)")
    let plain = try folder.write((line + "}").utf8, as: "plain.jsonl")
    let accepted = try await Program.cropkit.run("batch", plain, "--margin", "5")
    #expect(accepted.status == 0, "\(accepted)")
  }

  @Test(arguments: [
    (["--rect", "0,0,64,64"], "lossless"), (["--rect", "8,0,64,64"], "off the 16 × 16 block grid"),
    (["--rect", "0,0,64,64", "--max-bytes", "1M"], "lossless if it is small enough"),
    (["--rect", "0,0,64,64", "--max-side", "32"], "re-encoded"),
    ([], "lossless"), (["--canvas", "1:1"], "a result on a canvas is never lossless"),
  ])
  func `a dry run says whether the crop is lossless`(
    options: [String], words: String
  ) async throws {
    let outcome = try await Program.cropkit.run(
      ["crop", photo, "-o", folder.path("a.jpg"), "--dry-run"] + options)
    #expect(outcome.status == 0 && outcome.errors.contains(words), "\(outcome)")
  }

  @Test(arguments: [
    ("png-rgba16-interlaced.png", "lossless"), ("tiff-lzw-rgb.tif", "lossless if the pixels"),
  ])
  func `a dry run of another format promises what the crop does`(
    name: String, words: String
  ) async throws {
    let picture = try Picture.named(name).path
    let command = [
      "crop", picture, "--rect", "0,0,20,20", "-o", folder.path("a.\(name.suffix(3))"),
    ]
    let plan = try await Program.cropkit.run(command + ["--dry-run"])
    #expect(plan.errors.contains(", \(words)"), "\(plan)")
    let result = try await Program.cropkit.run(command)
    #expect(result.errors.contains(": lossless"), "\(result)")
  }

  @Test(arguments: [
    (["--size", "20000x13128", "--format", "webp"], 64, "16383"),
    (["--size", "2270x1490", "--limit-pixels", "100K"], 65, "--limit-pixels"),
    (["--page", "2"], 64, "page"),
  ])
  func `a dry run refuses what the crop would refuse`(
    options: [String], status: Int32, words: String
  ) async throws {
    let command = ["crop", photo, "--rect", "0,0,227,149", "-o", folder.path("a")] + options
    for run in [["--dry-run"], []] {
      let outcome = try await Program.cropkit.run(command + run)
      #expect(outcome.status == status && outcome.errors.contains(words), "\(outcome)")
    }
  }
}
