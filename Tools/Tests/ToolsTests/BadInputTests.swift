import Foundation
import Glibc
import TestMaterial
import Testing

/// An error prints one clear line, has a distinct exit status, and leaves no output file.
@Suite(.serialized)
struct BadInputTests {
  private func expectRefusal(
    _ outcome: Outcome, status: Int32, saying words: String...,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == status, "\(outcome)", sourceLocation: location)
    #expect(outcome.lines.count == 1, "\(outcome)", sourceLocation: location)
    #expect(outcome.errors.hasPrefix("cropkit: "), sourceLocation: location)
    for word in words {
      #expect(outcome.errors.contains(word), "\(outcome)", sourceLocation: location)
    }
    #expect(outcome.output.isEmpty, sourceLocation: location)
  }

  @Test func `a text file named jpg is not a picture`() async throws {
    let folder = try Folder()
    let input = try folder.write("2 2\n1 2\n3 4\n".utf8, as: "matrix.jpg")
    let outcome = try await Program.cropkit.run("crop", input, "-o", folder.path("out.jpg"))
    expectRefusal(outcome, status: 69, saying: "matrix.jpg", "JPEG, PNG, WebP")
    #expect(folder.names == ["matrix.jpg"])
  }

  @Test func `an empty file is reported as empty`() async throws {
    let folder = try Folder()
    let input = try folder.write([], as: "empty.jpg")
    let outcome = try await Program.cropkit.run("crop", input, "-o", folder.path("out.jpg"))
    expectRefusal(outcome, status: 65, saying: "empty.jpg", "empty")
    #expect(folder.names == ["empty.jpg"])
  }

  @Test(
    .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"),
    arguments: [
      "orient-landscape-1.jpg", "progressive-100x75.jpg", "png-rgba8.png", "tiff-lzw-rgb.tif",
      "webp-lossy-1024x772.webp", "heic-iphone-grid-irot3.heic", "webp-animated.webp",
    ], Thorough.all([10, 50, 90, 99], or: 2))
  func `a truncated photo is rejected wherever the crop is`(
    name: String, percent: Int
  ) async throws {
    // The last hundredth of this file is XMP; without it, the image is complete.
    if name == "tiff-lzw-rgb.tif", percent == 99 { return }
    let picture = try Picture.named(name)
    let folder = try Folder()
    let whole = try Data(contentsOf: URL(fileURLWithPath: picture.path))
    let input = try folder.write(whole.prefix(whole.count * percent / 100), as: name)
    let outcome = try await Program.cropkit.run(
      "crop", input, "--rect", "0,0,1,1", "-o", folder.path("out.png"))
    expectRefusal(outcome, status: 65, saying: name)
    #expect(folder.names == [name])
  }

  @Test func `a bomb of 60,000 by 60,000 pixels is refused before anything is decoded`()
    async throws
  {
    let folder = try Folder()
    let input = try folder.write(PNGBomb.bytes(side: 60_000), as: "bomb.png")
    // There is no worker for it either.
    let outcome = try await Program.cropkit.alone(in: folder).run(
      "crop", input, "--rect", "0,0,1,1", "-o", folder.path("out.png"))
    expectRefusal(outcome, status: 65, saying: "bomb.png", "3600 megapixels", "--limit-pixels")
    #expect(folder.names == ["bomb.png", "cropkit"])
  }

  @Test func `an unknown option is named`() async throws {
    let outcome = try await Program.cropkit.run("crop", "a.jpg", "--rectangle", "1", "-o", "b.jpg")
    expectRefusal(outcome, status: 64, saying: "--rectangle", "cropkit crop --help")
  }

  @Test(
    arguments: Thorough.all(
      [
        [], ["frobnicate"], ["crop"], ["crop", "a.jpg"], ["crop", "a.jpg", "-o"],
        ["crop", "a.jpg", "-o", "b", "--in-place"], ["crop", "a", "-o", "b", "--rect", "1,2,3"],
        ["crop", "a", "-o", "b", "--rect", "0,0,1,1", "--aspect", "1:1"],
        ["crop", "a", "-o", "b", "--gravity", "north"], ["crop", "a", "-o", "b", "--quality", "0"],
        ["crop", "a", "-o", "b", "--quality", "ten"], ["crop", "a", "-o", "b", "--format", "bmp"],
        ["crop", "a", "-o", "b", "--rotate", "45"], ["crop", "a", "-o", "b", "--tilt", "nan"],
        ["crop", "a", "-o", "b", "--page", "0"], ["crop", "a", "-o", "b", "--limit-pixels", "-1"],
        ["crop", "a", "-o", "b", "--size", "10x10", "--max-side", "3"],
        ["crop", "a", "-o", "b", "--background", "blurple"], ["crop", "-", "--in-place"],
        ["crop", "-", "-o", "-", "--recipe", "-"], ["crop", "a", "-o", "-", "--json"],
        ["crop", "a", "--in-place", "--force"], ["crop", "a", "b", "-o", "c"], ["info"],
        ["crop", "a", "-o", "b", "--max-side", "99999999999999999999"],
        ["crop", "a", "-o", "b", "--lossless", "always"], ["batch"], ["batch", "-", "--jobs", "0"],
        ["batch", "-", "--jobs", "9223372036854775808"],
      ], or: 10))
  func `wrong usage is reported in one line`(arguments: [String]) async throws {
    let outcome = try await Program.cropkit.run(arguments)
    if arguments.isEmpty {
      // Without arguments, users want the help.
      #expect(outcome.status == 0)
      #expect(outcome.text.contains("USAGE"))
    } else {
      expectRefusal(outcome, status: 64)
    }
  }

  @Test(
    .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"),
    arguments: [
      "0,0,228,149", "-1,0,10,10", "0,0,0,10", "0,0,10.5,10", "0.5,0,10,10", "200,100,28,10",
      "9223372036854775807,0,1,1", "0,0,9223372036854775807,1", "1e308,1e308,1e308,1e308",
      "2147483647,0,2147483647,1", "-5%,0,50%,50%", "60%,0,50%,50%", "0,0,0%,10%",
    ])
  func `a rectangle outside the picture names the picture's size or what is wrong`(
    rect: String
  ) async throws {
    let folder = try Folder()
    let picture = try Picture.named("jpeg-420-227x149.jpg")
    let outcome = try await Program.cropkit.run(
      "crop", picture.path, "--rect", rect, "-o", folder.path("out.jpg"))
    expectRefusal(outcome, status: 64, saying: "jpeg-420-227x149.jpg")
    #expect(folder.names.isEmpty)
    if rect == "0,0,228,149" { #expect(outcome.errors.contains("227 × 149"), "\(outcome)") }
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `invalid numbers are rejected with the recipe`() async throws {
    let picture = try Picture.named("jpeg-420-227x149.jpg")
    for what in [
      ["--tilt", "46"], ["--tilt", "-1e308"], ["--size", "0x0"], ["--size", "-1x5"],
      ["--size", "99999x1"], ["--max-side", "0"], ["--max-side", "-9223372036854775808"],
      ["--shape", "rounded:-1"], ["--inset", "0", "--size", "100x100"],
      ["--shape", "circle", "--inset", "0"],
    ] {
      let outcome = try await Program.cropkit.run(["crop", picture.path, "-o", "-"] + what)
      expectRefusal(outcome, status: 64)
    }
  }

  @Test(
    .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"),
    arguments: [
      "", "{", "[]", "null", #"{"version": 3}"#, #"{"rect": {"x": 0}}"#, #"{"rct": null}"#,
      #"{"rect": {"x": 0, "y": 0, "width": 1e999, "height": 1}}"#, #"{"quarterTurns": 1.5}"#,
      #"{"tilt": "3"}"#, #"{"output": {"width": 1}}"#, #"{"shape": "star"}"#,
      #"{"rect": {"x": 0, "y": 0, "width": 1, "height": 1, "z": 1}}"#,
    ])
  func `an invalid recipe is rejected`(json: String) async throws {
    let folder = try Folder()
    let picture = try Picture.named("jpeg-420-227x149.jpg")
    let recipe = try folder.write(json.utf8, as: "recipe.json")
    let outcome = try await Program.cropkit.run(
      "crop", picture.path, "--recipe", recipe, "-o", folder.path("out.jpg"))
    expectRefusal(outcome, status: 64, saying: "recipe.json")
    #expect(folder.names == ["recipe.json"])
  }

  @Test(
    .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"),
    arguments: Thorough.all(["y.bmp", "y.jpg.part", "y.JPG2", "out.d/y.psd"], or: 2))
  func `an extension that is no format needs one named`(name: String) async throws {
    let folder = try Folder()
    mkdir(folder.path("out.d"), 0o755)
    let picture = try Picture.named("jpeg-420-227x149.jpg").path
    let known = "jpg, png, webp, gif, tif, heic, avif, jxl"
    // Parsed by the fast path, and by the parser.
    for options in [["--rect", "0,0,8,8"], ["--aspect", "1:1"]] {
      let words = ["crop", picture, "-o", folder.path(name)] + options
      let refused = try await Program.cropkit.run(words)
      expectRefusal(refused, status: 64, saying: name, known, "--format")
    }
    let line = #"{"input":"\#(picture)","output":"\#(name)","recipe":{}}"#
    let list = try folder.write(line.utf8, as: "list")
    let batch = try await Program.cropkit.run("batch", list)
    #expect(batch.status == 1 && batch.errors.contains(known), "\(batch)")
    #expect(folder.names == ["list", "out.d"])
    let named = try await Program.cropkit.run(
      "crop", picture, "-o", folder.path(name), "--format", "png")
    #expect(named.status == 0, "\(named)")
    let info = try await Program.cropkit.run("info", "--json", folder.path(name))
    #expect(info.text.contains(#""format":"png""#))
  }

  @Test(
    .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"),
    arguments: ["y", ".jpgs", "y.", "sub.d/y"])
  func `without an extension the format stays`(name: String) async throws {
    let folder = try Folder()
    mkdir(folder.path("sub.d"), 0o755)
    let outcome = try await Program.cropkit.run(
      "crop", Picture.named("png-graya8.png").path, "-o", folder.path(name))
    #expect(outcome.status == 0, "\(outcome)")
    let info = try await Program.cropkit.run("info", "--json", folder.path(name))
    #expect(info.text.contains(#""format":"png""#))
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `invalid JSON is reported with line and column`() async throws {
    let folder = try Folder()
    let picture = try Picture.named("jpeg-420-227x149.jpg").path
    let recipe = try folder.write("{\n  \"tilt\": 3,\n  quarterTurns: 1}".utf8, as: "r.json")
    let crop = try await Program.cropkit.run("crop", picture, "--recipe", recipe, "-o", "-")
    expectRefusal(
      crop, status: 64, saying: #"r.json: not a recipe: it is not JSON: an unexpected "q" at "#,
      "line 3, column 3")
    let list = try folder.write("\n{\"input\": \"a.jpg\", recipe: {}}".utf8, as: "list")
    let batch = try await Program.cropkit.run("batch", list)
    #expect(
      batch.lines.first == #"cropkit: line 2: it is not JSON: an unexpected "r" at column 20"#)
  }

  @Test func `a missing input is not found`() async throws {
    let outcome = try await Program.cropkit.run("crop", "/nonexistent/a.jpg", "-o", "/tmp/x.jpg")
    expectRefusal(outcome, status: 66, saying: "/nonexistent/a.jpg")
    let empty = try Folder()
    let folder = try await Program.cropkit.run("crop", empty.path, "-o", "/tmp/x.jpg")
    expectRefusal(folder, status: 64, saying: empty.path, "no images in this folder")
    let info = try await Program.cropkit.run("info", empty.path)
    expectRefusal(info, status: 64, saying: empty.path, "no images in this folder")
    let recipe = try await Program.cropkit.run("info", "/nonexistent\nb/a.jpg")
    expectRefusal(recipe, status: 66)
    let manifest = try await Program.cropkit.run("batch", "/nonexistent/list")
    expectRefusal(manifest, status: 66, saying: "/nonexistent/list: no such file")
    let other = try await Program.cropkit.run("batch", "/tmp")
    expectRefusal(other, status: 66, saying: "/tmp", "directory")
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `advice about a recipe's file is about a recipe`() async throws {
    let folder = try Folder()
    let picture = try Picture.named("jpeg-420-227x149.jpg")
    let long = try folder.write(Data(repeating: 0x20, count: 2 << 20), as: "long.json")
    for (recipe, status, words) in [
      (long, Int32(64), "larger than 1 MiB"), (folder.path, 66, "it is a folder; name a file"),
    ] {
      let outcome = try await Program.cropkit.run(
        "crop", picture.path, "--recipe", recipe, "-o", "-")
      expectRefusal(outcome, status: status, saying: words)
    }
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `limits have different codes`() async throws {
    let picture = try Picture.named("jpeg-420-227x149.jpg")
    let count = try Data(contentsOf: URL(fileURLWithPath: picture.path)).count
    for (option, limit, words) in [
      ("--limit-bytes", count - 1, "has \(count) bytes, more than the limit of \(count - 1);"),
      ("--limit-pixels", 1, "has 33823 pixels, more than the limit of 1;"),
      ("--limit-pixels", 33_822, "has 33823 pixels, more than the limit of 33822;"),
    ] {
      let outcome = try await Program.cropkit.run(
        "crop", picture.path, option, "\(limit)", "-o", "-")
      expectRefusal(outcome, status: 65, saying: words)
    }
    let enlarged = try await Program.cropkit.run(
      "crop", picture.path, "--size", "2270x1490", "--limit-pixels", "100K", "-o", "-")
    expectRefusal(
      enlarged, status: 65, saying: "the result of ", "3.4 megapixels, more than the limit of 0.1")
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `a result of far more pixels than its picture names the option that allows it`() async throws
  {
    let picture = try Picture.named("jpeg-420-227x149.jpg")
    let refused = try await Program.cropkit.run(
      "crop", picture.path, "--size", "16000x16000", "-o", "-")
    expectRefusal(
      refused, status: 65, saying: "256 megapixels, more than the limit of 16", "--limit-output")
    let allowed = try await Program.cropkit.run(
      "crop", picture.path, "--size", "10x10", "--limit-output", "99", "-o", "-")
    expectRefusal(
      allowed, status: 65, saying: "has 100 pixels, more than the limit of 99; raise --limit-output"
    )
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `a missing output folder is reported before any work`() async throws {
    let folder = try Folder()
    let picture = try Picture.named("jpeg-420-227x149.jpg")
    let outcome = try await Program.cropkit.run(
      "crop", picture.path, "-o", folder.path("missing/out.jpg"))
    expectRefusal(outcome, status: 73, saying: "missing/out.jpg")
    #expect(folder.names.isEmpty)
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `an existing output is only replaced with --force`() async throws {
    let folder = try Folder()
    let picture = try Picture.named("jpeg-420-227x149.jpg")
    let output = try folder.write("mine".utf8, as: "out.jpg")
    let outcome = try await Program.cropkit.run("crop", picture.path, "-o", output)
    expectRefusal(outcome, status: 73, saying: "out.jpg", "--force")
    #expect(try Data(contentsOf: folder.url("out.jpg")) == Data("mine".utf8))
    let forced = try await Program.cropkit.run("crop", picture.path, "-o", output, "--force")
    #expect(forced.status == 0, "\(forced)")
    #expect(folder.names == ["out.jpg"])
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `the input is only replaced in place, under any name`() async throws {
    let folder = try Folder()
    let picture = try Picture.named("jpeg-420-227x149.jpg")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: picture.path))
    let input = try folder.write(bytes, as: "a.jpg")
    symlink("a.jpg", folder.path("soft.jpg"))
    link(input, folder.path("hard.jpg"))
    for name in ["a.jpg", "soft.jpg", "hard.jpg", "../\(folder.path.dropFirst(5))/a.jpg"] {
      let outcome = try await Program.cropkit.run(
        "crop", input, "--rect", "0,0,9,9", "-o", folder.path(name), "--force")
      expectRefusal(outcome, status: 73, saying: "--in-place")
      #expect(try Data(contentsOf: folder.url("a.jpg")) == bytes)
    }
    let outcome = try await Program.cropkit.run("crop", input, "--rect", "0,0,9,9", "--in-place")
    #expect(outcome.status == 0, "\(outcome)")
    let info = try await Program.cropkit.run("info", input)
    #expect(info.text.contains("9 × 9"))
    #expect(folder.names == ["a.jpg", "hard.jpg", "soft.jpg"])
    let other = try await Program.cropkit.run("crop", input, "--in-place", "--format", "png")
    expectRefusal(other, status: 64, saying: "a.jpg")
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `a full device is a failed write`() async throws {
    let picture = try Picture.named("jpeg-420-227x149.jpg")
    let outcome = try await Program.cropkit.run(
      "crop", picture.path, "-o", "-", output: "/dev/full")
    expectRefusal(outcome, status: 74, saying: "standard output", "no room left")
    let info = try await Program.cropkit.run("info", picture.path, output: "/dev/full")
    expectRefusal(info, status: 74, saying: "standard output")
  }

  @Test(
    .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"),
    .enabled(if: geteuid() == 0, "only root can mount a small disk"))
  func `a full disk leaves the old file and no new one`() async throws {
    let folder = try Folder()
    guard mount("none", folder.path, "tmpfs", 0, "size=64k") == 0 else {
      print("SKIPPED: a full disk, for no small disk can be mounted here")
      return
    }
    defer { umount2(folder.path, 2) }
    let picture = try Picture.named("orient-landscape-1.jpg")
    let old = try folder.write([UInt8](repeating: 1, count: 40_000), as: "out.png")
    let outcome = try await Program.cropkit.run("crop", picture.path, "-o", old, "--force")
    expectRefusal(outcome, status: 74, saying: "out.png", "no room left")
    #expect(folder.names == ["out.png"])
    #expect(try Data(contentsOf: folder.url("out.png")) == Data(repeating: 1, count: 40_000))
    let new = try await Program.cropkit.run("crop", picture.path, "-o", folder.path("new.png"))
    expectRefusal(new, status: 74, saying: "new.png")
    #expect(folder.names == ["out.png"])
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `a worker that is killed is one clear error and leaves no file`() async throws {
    let folder = try Folder()
    let program = try await Program.cropkit.alone(in: folder)
    let worker = try await FakeWorker(.die, in: folder, as: "cropkit-worker")
    let input = try folder.write(PNGBomb.bytes(side: 100), as: "black.png")
    let names = folder.names
    let outcome = try await program.run(
      "crop", input, "--rect", "0,0,9,9", "-o", folder.path("out.png"))
    expectRefusal(outcome, status: 70, saying: "black.png", "it was killed")
    #expect(worker.orders == 1)
    #expect(folder.names.filter { !$0.hasSuffix(".orders") } == names)
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `a picture that takes too long is given up in time`() async throws {
    let folder = try Folder()
    let program = try await Program.cropkit.alone(in: folder)
    let worker = try await FakeWorker(.hang, in: folder, as: "cropkit-worker")
    let input = try folder.write(PNGBomb.bytes(side: 100), as: "black.png")
    let names = folder.names
    let outcome = try await program.run(
      "crop", input, "--rect", "0,0,9,9", "--limit-seconds", "1", "-o", folder.path("out.png"))
    expectRefusal(outcome, status: 70, saying: "black.png", "longer than 1 s", "--limit-seconds")
    // On a busy machine, it is killed before it has noted its order.
    #expect(worker.orders <= 1)
    #expect(folder.names.filter { !$0.hasSuffix(".orders") } == names)
  }

  @Test func `without its worker the program says what is missing`() async throws {
    let folder = try Folder()
    let input = try folder.write(PNGBomb.bytes(side: 100), as: "black.png")
    let outcome = try await Program.cropkit.alone(in: folder).run(
      "crop", input, "--rect", "0,0,1,1", "-o", folder.path("out.png"))
    expectRefusal(outcome, status: 69, saying: "cropkit-worker")
    #expect(folder.names == ["black.png", "cropkit"])
  }
}
