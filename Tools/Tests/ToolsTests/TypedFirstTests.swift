import Foundation
import Testing

/// What users who know other programs type first.
@Suite(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct TypedFirstTests {
  /// 227 × 149, cells of 16 × 16.
  private static let picture = "jpeg-420-227x149.jpg"

  @Test(arguments: [
    (["--size", "60x60"], "60 × 60 of 149 × 149 from 32,0"),
    (["--width", "60", "--height", "60"], "60 × 60 of 149 × 149 from 32,0"),
    (["--size", "60x60", "--gravity", "east"], "60 × 60 of 149 × 149 from 78,0"),
    (["--size", "60x60", "--focus", "0.9,0.5"], "60 × 60 of 149 × 149 from 64,0"),
    (["--width", "454"], "454 × 298 of 227 × 149 from 0,0"),
    (["--height", "75"], "114 × 75 of 227 × 149 from 0,0"),
    (["--width", "50", "--rect", "0,0,100,80"], "50 × 40 of 100 × 80 from 0,0"),
    (["--rect", "100x80"], "100 × 80 of 100 × 80 from 64,32"),
    (["--rect", "100x80", "--gravity", "southeast"], "100 × 80 of 100 × 80 from 127,69"),
    (["--rect", "50%x50%", "--focus", "10%,10%"], "114 × 75 of 114 × 75 from 0,0"),
    (["--aspect", "1.5"], "222 × 148 of 222 × 148 from 0,0"),
    (["--aspect", "16x9"], "224 × 126 of 224 × 126 from 0,16"),
    (["--aspect", "1:1", "--focus", "0.2,0.5,0.1,0.1"], "149 × 149 of 149 × 149 from 0,0"),
    (["--shape", "circle"], "149 × 149 of 149 × 149 from 32,0"),
    (["--shape", "circle", "--size", "64x64"], "64 × 64 of 149 × 149 from 32,0"),
  ])
  func `a box is filled, a size is placed`(options: [String], said: String) async throws {
    let picture = try Picture.named(Self.picture)
    let outcome = try await Program.cropkit.run(
      ["crop", picture.path, "-o", "out.png", "--dry-run"] + options)
    #expect(outcome.status == 0, "\(outcome)")
    let known = said.split(separator: " of ")
    let words = "would be PNG, re-encoded, \(known[0]), of \(known[1])"
    #expect(outcome.errors.contains(words), "\(outcome)")
  }

  @Test(arguments: [
    (["--rect", "0,0,9,9", "--gravity", "south"], "--gravity needs"),
    (["--focus", "0.5,0.5"], "--focus needs"),
    (["--aspect", "1:1", "--focus", "0.5,0.5", "--gravity", "south"], "can't be used together"),
    (["--size", "9x9", "--width", "9"], "can't be used together"),
    (["--rect", "0,0,20,10", "--size", "10x10"], "10 × 10"),
    (["--shape", "circle", "--rect", "0,0,20,10"], "a circle needs a square"),
    (["--shape", "circle", "--size", "20x10"], "a circle needs a square"),
    (["--background", "transparent"], "formats that support transparency keep it"),
    (["--focus", "2,2", "--aspect", "1:1"], "outside the image"),
    (["--backup", ".orig"], "--backup needs --in-place"),
    (["--page", "2-1"], "--page"), (["--page", "0-1"], "--page"),
  ])
  func `contradictory options are rejected`(words: [String], said: String) async throws {
    let picture = try Picture.named(Self.picture)
    let outcome = try await Program.cropkit.run(
      ["crop", picture.path, "-o", "out.png", "--dry-run"] + words)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.errors.contains(said), "\(outcome)")
  }

  @Test func `a folder is its pictures, and -r those of its folders`() async throws {
    let folder = try Folder()
    let picture = try Picture.named(Self.picture)
    let files = FileManager.default
    try files.createDirectory(
      atPath: folder.path("in/a/b"), withIntermediateDirectories: true)
    for name in ["in/one.jpg", "in/a/two.JPG", "in/a/b/three.jpeg"] {
      try files.copyItem(atPath: picture.path, toPath: folder.path(name))
    }
    try Data("no picture".utf8).write(to: URL(fileURLWithPath: folder.path("in/read.me")))
    try files.createSymbolicLink(
      atPath: folder.path("in/a/loop"), withDestinationPath: folder.path("in"))
    let flat = try await Program.cropkit.run(
      "crop", folder.path("in"), "--aspect", "1:1", "-d", folder.path("flat"), "--name",
      "{name}-{width}x{height}.{ext}")
    #expect(flat.status == 0, "\(flat)")
    #expect(try files.subpathsOfDirectory(atPath: folder.path("flat")) == ["one-149x149.jpg"])
    for _ in 0..<2 {
      // Existing results in the folder are not cropped again.
      let deep = try await Program.cropkit.run(
        "crop", "-r", folder.path("in"), "--aspect", "1:1", "-d", folder.path("in/out"), "--force")
      #expect(deep.status == 0, "\(deep)")
      #expect(
        try Set(files.subpathsOfDirectory(atPath: folder.path("in/out")))
          == ["one.jpg", "a", "a/two.JPG", "a/b", "a/b/three.jpeg"])
    }
    let none = try await Program.cropkit.run(
      "crop", folder.path("flat/.."), "--aspect", "1:1", "-d", folder.path("none"))
    #expect(none.status == 64 && none.errors.contains("use -r"), "\(none)")
  }

  @Test func `a backup keeps the input, and is never replaced`() async throws {
    let folder = try Folder()
    let photo = folder.path("photo.jpg")
    try FileManager.default.copyItem(
      atPath: try Picture.named(Self.picture).path, toPath: photo)
    let before = try Data(contentsOf: URL(fileURLWithPath: photo))
    func crop() async throws -> Outcome {
      try await Program.cropkit.run(
        "crop", photo, "--rect", "0,0,50,50", "--in-place", "--backup", ".orig")
    }
    #expect(try await crop().status == 0)
    let after = try Data(contentsOf: URL(fileURLWithPath: photo))
    #expect(after != before)
    #expect(try Data(contentsOf: URL(fileURLWithPath: photo + ".orig")) == before)
    let again = try await crop()
    #expect(again.status == 73 && again.errors.contains("photo.jpg.orig"), "\(again)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: photo)) == after)
    // A file that can't be cropped leaves no copy.
    let other = try await Program.cropkit.run(
      "crop", photo, "--rect", "0,0,51,50", "--in-place", "--backup", ".2")
    #expect(other.status == 64, "\(other)")
    #expect(folder.names == ["photo.jpg", "photo.jpg.orig"])
  }

  @Test func `several pages or frames in a row stay together`() async throws {
    let folder = try Folder()
    func pages(_ name: String, _ page: String, _ ending: String) async throws -> Outcome {
      try await Program.cropkit.run(
        "crop", try Picture.named(name).path, "--rect", "0,0,9,9", "--page", page, "--force", "-o",
        folder.path("out.\(ending)"))
    }
    let tiff = try await pages("tiff-multipage-3.tif", "2-3", "tif")
    #expect(tiff.status == 0 && tiff.errors.contains("2 pages"), "\(tiff)")
    let moving = try await pages("webp-animated.webp", "2-4", "gif")
    #expect(moving.status == 0 && moving.errors.contains("3 frames"), "\(moving)")
    let one = try await pages("tiff-multipage-3.tif", "2-2", "png")
    #expect(one.status == 0, "\(one)")
    let beyond = try await pages("tiff-multipage-3.tif", "2-4", "tif")
    #expect(beyond.status == 64 && beyond.errors.contains("no frame or page 4"), "\(beyond)")
    let still = try await pages("tiff-multipage-3.tif", "2-3", "jpg")
    #expect(still.status == 64, "\(still)")
  }

  @Test func `a batch takes the same words`() async throws {
    let folder = try Folder()
    let input = try Picture.named(Self.picture).path
    let lines = [
      #""size": "60x60", "focus": {"x": 0.9, "y": 0.5}"#, #""width": 60, "height": 60"#,
      #""aspect": 1.5"#, #""rect": "30x30", "focus": "40%,40%""#,
      #""aspect": "1:1", "focus": "face.json""#,
    ].enumerated().map { #"{"input": "\#(input)", "output": "\#($0).png", \#($1)}"# }
    let list = folder.path("crops.jsonl")
    try lines.joined(separator: "\n").write(toFile: list, atomically: true, encoding: .utf8)
    let outcome = try await Program.cropkit.run("batch", list)
    #expect(outcome.status == 1, "\(outcome)")
    #expect(folder.names == ["0.png", "1.png", "2.png", "3.png", "crops.jsonl"])
    #expect(outcome.text.contains("not understood"), "\(outcome)")
  }
}
