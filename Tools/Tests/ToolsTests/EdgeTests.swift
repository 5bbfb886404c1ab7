import Foundation
import Glibc
import Testing

/// Values and environments at the limit of what is allowed.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct EdgeTests {
  private let folder: Folder
  private let photo: String

  init() throws {
    folder = try Folder()
    photo = try Picture.named("jpeg-420-227x149.jpg").path
  }

  private func crop(_ words: String...) async throws -> Outcome {
    try await Program.cropkit.run(["crop"] + words, folder: folder.path)
  }

  @Test func `minus zero leaves nothing at the far edge`() async throws {
    let outcome = try await crop(photo, "--rect", "10,10,-0,-0", "-o", "a.png", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.text.contains(#""rect":{"height":139,"width":217,"x":10,"y":10}"#))
    let share = try await crop(photo, "--rect", "0,0,-0%,-0%", "-o", "b.png")
    #expect(share.errors.contains("227 × 149"), "\(share)")
  }

  @Test func `an inset under a tilt is cut off what the tilt leaves`() async throws {
    let whole = try await crop(photo, "--tilt", "5", "-o", "a.png", "--json")
    let inset = try await crop(photo, "--tilt", "5", "--inset", "10,4", "-o", "b.png", "--json")
    #expect(inset.status == 0, "\(inset)")
    let rects = try [whole, inset].map { outcome in
      let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
      return try #require(object?["rect"] as? [String: Double])
    }
    #expect(rects[1]["x"] == (rects[0]["x"] ?? 0) + 10)
    #expect(rects[1]["y"] == (rects[0]["y"] ?? 0) + 4)
    #expect(rects[1]["width"] == (rects[0]["width"] ?? 0) - 20)
    #expect(rects[1]["height"] == (rects[0]["height"] ?? 0) - 8)
  }

  @Test func `a longest side beyond every picture is no limit`() async throws {
    for side in ["65536", "9223372036854775807"] {
      let outcome = try await crop(photo, "--max-side", side, "-o", "\(side).jpg")
      #expect(outcome.status == 0 && outcome.errors.contains("lossless, 227 × 149"), "\(outcome)")
    }
    let outcome = try await crop(photo, "--max-side", "0", "-o", "0.jpg")
    #expect(outcome.status == 64 && outcome.errors.contains("use 1 or more"), "\(outcome)")
  }

  @Test func `a picture without an extension gets that of its content in a folder`() async throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: photo))
    for name in ["scan", "photo.dat", "b.jpeg"] { _ = try folder.write(bytes, as: name) }
    let outcome = try await crop("scan", "photo.dat", "b.jpeg", "-d", "out")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(Folder.names(in: folder.path("out")) == ["b.jpeg", "photo.jpg", "scan.jpg"])
    let webp = try await crop("scan", "-d", "out", "--format", "webp")
    #expect(webp.status == 0 && folder.names.contains("out"), "\(webp)")
    #expect(Folder.names(in: folder.path("out")).contains("scan.webp"))
  }

  @Test func `other files in a folder are named, too`() async throws {
    _ = try folder.write("%PDF-1.4".utf8, as: "paper")
    try FileManager.default.createDirectory(
      atPath: folder.path("empty"), withIntermediateDirectories: false)
    let outcomes = try await [
      crop("empty", "-d", "out"), crop("missing", "-d", "out"), crop("paper", "-d", "out"),
      crop("/dev/null", "-d", "out"),
    ]
    #expect(outcomes.map(\.status) == [64, 66, 69, 64], "\(outcomes)")
    let words = [
      "empty: no images in this folder; use -r", "missing: no such file", "a PDF document",
      "--format",
    ]
    for (outcome, words) in zip(outcomes, words) {
      #expect(outcome.errors.contains(words) && outcome.lines.count == 1, "\(outcome)")
    }
  }

  @Test func `the pages of a TIFF are called pages`() async throws {
    let pages = try Picture.named("tiff-multipage-3.tif").path
    let outcome = try await crop(pages, "--rect", "0,0,1,1", "-o", "a.tif")
    #expect(outcome.errors.contains("only page 1 of 3 is in the result"), "\(outcome)")
    #expect(!outcome.errors.contains("frame"), "\(outcome)")
  }

  @Test func `a batch makes the folder of an output as -d does`() async throws {
    let lines = [
      #"{"input":"\#(photo)","output":"new/a.jpg","rect":"0,0,16,16"}"#,
      #"{"input":"\#(photo)","output":"new/b.jpg","rect":"0,0,16,16"}"#,
      #"{"input":"\#(photo)","output":"far/away/c.jpg","rect":"0,0,16,16"}"#,
    ]
    let list = try folder.write(lines.joined(separator: "\n").utf8, as: "list")
    let outcome = try await Program.cropkit.run("batch", list)
    #expect(outcome.status == 1 && outcome.lines.count == 2, "\(outcome)")
    #expect(
      outcome.errors.contains("line 3: far/away: can't be created")
        || outcome.errors.contains("away: can't be created"), "\(outcome)")
    #expect(Folder.names(in: folder.path("new")) == ["a.jpg", "b.jpg"])
  }

  @Test(arguments: [
    (#""rect":"0,0,8,8","rect":"0,0,16,16""#, #"the key \"rect\" occurs twice"#),
    (#""recipe":{"tilt":1,"t\u0069lt":2}"#, #"the key \"tilt\" occurs twice"#),
    (#""rect":"0,0,8,8","#, "it is not JSON"),
    (#""recipe":{"tilt":1e-400}"#, "too close to 0"),
    (#""aspect":"1.5:""#, "expected WIDTH:HEIGHT"),
  ])
  func `a line of a batch with a duplicate key is rejected`(
    fields: String, words: String
  ) async throws {
    let line = #"{"input":"\#(photo)","output":"a.jpg",\#(fields)}"#
    let list = try folder.write(line.utf8, as: "list")
    for options in [["batch", list], ["batch", "--stream", list]] {
      let outcome = try await Program.cropkit.run(options)
      #expect(outcome.status == 1 && outcome.text.contains(words), "\(outcome.text) \(outcome)")
    }
    #expect(folder.names == ["list"])
  }

  @Test func `a recipe or a file of targets with a duplicate key is rejected`() async throws {
    _ = try folder.write(#"{"tilt": 1, "tilt": 2}"#.utf8, as: "recipe")
    let crop = try await crop(photo, "--recipe", "recipe", "-o", "a.jpg")
    #expect(crop.status == 64 && crop.errors.contains("the key \"tilt\" occurs twice"), "\(crop)")
    _ = try folder.write(
      #"{"targets": [{"name": "a", "ratio": "1:1", "ratio": "2:1"}]}"#.utf8, as: "targets")
    let targets = try await Program.cropkit.run(
      "targets", photo, "--targets", "targets", "-d", ".", folder: folder.path)
    #expect(
      targets.status == 64 && targets.errors.contains("\"ratio\" occurs twice"), "\(targets)")
    #expect(folder.names == ["recipe", "targets"])
  }

  @Test func `a closed reader ends the program silently`() async throws {
    for words in ["info \(photo)", "info --json \(photo)", "crop \(photo) -o -", "--help"] {
      // A pipe without a reader. The tests' caller may ignore SIGPIPE, which the shell can't undo.
      let outcome = try await Program.shell(
        "rm -f p; mkfifo p; exec 3<>p 4>p 3<&-; exec '\(Program.cropkit.path)' \(words) >&4",
        folder: folder.path)
      #expect(outcome.status == 128 + SIGPIPE && outcome.errors.isEmpty, "\(words): \(outcome)")
    }
  }

  @Test func `a program starts without the tests' open files`() async throws {
    let inherited = open("/dev/null", O_RDONLY)
    defer { close(inherited) }
    let outcome = try await Program.shell("test -e /dev/fd/\(inherited)", folder: folder.path)
    #expect(inherited > 2 && outcome.status == 1, "\(outcome)")
  }

  @Test(arguments: [4, 5, 6, 7, 8, 9])
  func `too few open files are named, and what to do`(limit: Int) async throws {
    let picture = try Picture.named("heic-iphone-grid-irot3.heic").path
    let outcome = try await Program.shell(
      "ulimit -n \(limit); exec '\(Program.cropkit.path)' crop '\(picture)' -o x.png",
      folder: folder.path)
    #expect([71, 73].contains(outcome.status), "\(outcome)")
    #expect(outcome.lines.count == 1 && outcome.errors.contains("(ulimit -n)"), "\(outcome)")
    #expect(outcome.errors.contains("raise"), "\(outcome)")
    #expect(folder.names.isEmpty)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal ends a stream whose output is not read`(signal: Int32) async throws {
    let batch = try StreamedBatch(in: folder)
    let line = #"{"input":"missing.jpg","output":"a.jpg","rect":"0,0,8,8"}"#
    try await eventually("its answers fill the pipe") {
      _ = batch.sendWhileTaken(line)
      return batch.waitingBytes > 60_000
    }
    batch.running.send(signal)
    try await eventually("it ends, though nothing was read") { batch.running.isOver }
    #expect(await batch.running.end() == 128 + signal)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can take /proc away"))
  func `without /proc pictures are cropped all the same`() async throws {
    let png = try Picture.named("png-graya8.png").path
    let program = Program.cropkit.path
    let outcome = try await Program.shell(
      "exec unshare -m sh -c \"mount --make-rprivate / && umount -l /proc || exit 99; "
        + "'\(program)' info '\(photo)' && '\(program)' crop '\(photo)' --rect 0,0,16,16 -o a.jpg"
        + " && '\(program)' crop '\(png)' --rect 0,0,4,4 -o a.webp\"",
      folder: folder.path)
    // A container may not allow it.
    if outcome.status == 99 || outcome.errors.hasPrefix("unshare") { return }
    #expect(outcome.status == 0, "\(outcome)")
    #expect(folder.names == ["a.jpg", "a.webp"])
  }
}
