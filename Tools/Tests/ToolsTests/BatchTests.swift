import Foundation
import Glibc
import TestMaterial
import Testing

@testable import cropkit

/// `cropkit batch`, as a process.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct BatchTests {
  private let folder: Folder
  private let photo: String

  init() throws {
    folder = try Folder()
    photo = try Picture.named("jpeg-420-227x149.jpg").path
  }

  /// A line of a manifest.
  private func line(_ input: String, _ output: String, x: Int = 0) -> String {
    #"{"input":"\#(input)","output":"\#(output)","recipe":{"rect":"#
      + #"{"x":\#(x),"y":0,"width":32,"height":16}}}"#
  }

  private func run(_ lines: [String], _ options: String...) async throws -> Outcome {
    let text = lines.map { "\($0)\n" }.joined()
    let manifest = try folder.write(text.utf8, as: "list.jsonl")
    return try await Program.cropkit.run(["batch", manifest] + options)
  }

  @Test func `two hundred lines are reported in order, and the bad ones counted`() async throws {
    let lines = (1...200).map { number in
      number % 20 == 7
        ? line("missing-\(number).jpg", "bad-\(number).png")
        : line(photo, "\(number).\(number % 9 == 0 ? "png" : "jpg")", x: number % 190)
    }
    let outcome = try await run(lines, "--jobs", "3")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.lines.last == "cropkit: 10 of 200 crops failed")
    #expect(outcome.lines.count == 11)
    #expect(outcome.values("line") == (1...200).map(String.init))
    let oks = outcome.values("ok")
    #expect(oks.count { $0 == "0" || $0 == "false" } == 10)
    #expect(folder.names.count == 191)
  }

  @Test func `one confined worker makes every format of every other, in every way`() async throws {
    let suffixes = ["png", "webp", "gif", "tif", "heic", "avif", "jxl", "jpg"]
    let whole = #""rect":{"x":0,"y":0,"width":64,"height":48}"#
    let sources = try await run(
      suffixes.map {
        #"{"input":"\#(photo)","output":"in.\#($0)","recipe":{\#(whole)}}"#
      }, "--lossless", "never")
    try #require(sources.status == 0, "\(sources)")
    let lines = suffixes.flatMap { from in
      suffixes.map { to in
        #"{"input":"in.\#(from)","output":"\#(from).\#(to)","recipe":{"tilt":3,"shape":"ellipse","#
          + #""rect":{"x":20,"y":15,"width":24,"height":18},"output":{"width":12,"height":9}}}"#
      }
    }
    let made = try await run(lines, "--jobs", "1", "--linear", "--srgb")
    #expect(made.status == 0, "\(made)")
    #expect(folder.names.count == suffixes.count * (suffixes.count + 1) + 1)
  }

  @Test(
    arguments: Thorough.all(
      ["png-exif-orientation-6.png", "webp-lossy-1024x772.webp", "tiff-lzw-rgb.tif"], or: 1),
    ["1", "3"])
  func `crops of one picture are as if cropped separately`(
    name: String, jobs: String
  ) async throws {
    let picture = try Picture.named(name).path
    let suffix = name.split(separator: ".").last ?? ""
    let places = [0, 9, 3, 0, 17, 5, 12, 1, 30, 2, 8]
    let lines = places.enumerated().map { line(picture, "\($0).\(suffix)", x: $1) }
    let together = try await run(lines, "--jobs", jobs)
    #expect(together.status == 0, "\(together)")
    #expect(together.values("line") == (1...places.count).map(String.init))
    for (number, x) in places.enumerated() {
      let alone = try await run([line(picture, "alone-\(number).\(suffix)", x: x)])
      #expect(alone.status == 0, "\(alone)")
      let bytes = try Data(contentsOf: folder.url("\(number).\(suffix)"))
      #expect(bytes == (try Data(contentsOf: folder.url("alone-\(number).\(suffix)"))))
    }
  }

  @Test func `an invalid line is reported and the rest continues`() async throws {
    let outcome = try await run([
      "nonsense", "", "[1]", #"{"input":"a.jpg","recipe":{}}"#,
      #"{"input":"\#(photo)","output":"a.jpg"}"#,
      #"{"input":"\#(photo)","output":"a.jpg","recipe":{"rext":1}}"#,
      #"{"input":"\#(photo)","output":"a.jpg","recipe":{},"more":1}"#,
      #"{"input":"-","output":"a.jpg","recipe":{}}"#,
      #"{"input":"\#(photo)","output":"-","recipe":{}}"#, "\"\\ud800\"", "{", "\0",
      String(repeating: "x", count: 2 << 20),
      #"{"input":"\#(photo)","output":"e.jpg","recipe":{"rect":{"x":1e308,"y":0,"#
        + #""width":1e308,"height":9223372036854775808}}}"#,
      #"{"input":"a\u0000b","output":"a\u0000c","recipe":{}}"#, line(photo, "good.jpg"),
    ])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(
      outcome.values("line")
        == ["1", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16"])
    let codes = outcome.values("code")
    #expect(codes.last == "nil")
    #expect(Set(codes.dropLast()) == ["usage", "invalid-recipe", "input-missing"], "\(codes)")
    #expect(outcome.lines.last == "cropkit: 14 of 15 crops failed")
    #expect(folder.names == ["good.jpg", "list.jsonl"])
  }

  @Test(arguments: [
    (#"{"rect":{"x":0}}"#, #""recipe.rect.y" is missing"#),
    (#"{"quarterTurns":1.5}"#, "recipe.quarterTurns: 1.5 is not a whole number"),
    (#"{"output":{"maxSide":1e30}}"#, "recipe.output.maxSide: the number is too large"),
    (#"{"tilt":1e400}"#, "recipe.tilt: the number is too large"),
    (#"{"tilt":"3"}"#, "recipe.tilt: it must be a number"),
    (#"{"mirrored":1}"#, "recipe.mirrored: it must be true or false"),
    (#"{"foo":1}"#, #"recipe.foo: "foo" is not known"#), ("null", "recipe: it must be"),
    ("[]", "recipe: it must be a JSON object"),
  ])
  func `errors of a recipe name its picture`(
    recipe: String, words: String
  ) async throws {
    let outcome = try await run([
      #"{"input":"\#(photo)","output":"a.jpg","recipe":\#(recipe)}"#
    ])
    #expect(outcome.values("code") == ["invalid-recipe"])
    let message = outcome.values("message").first ?? ""
    #expect(message.hasPrefix("\(photo): \(words)"), "\(message)")
  }

  @Test(arguments: [
    (#"{"quality":80.5}"#, "options.quality: 80.5 is not a whole number"),
    (#"{"quality":1e400}"#, "options.quality: the number is too large"),
  ])
  func `an option that is no whole number is named`(options: String, words: String) async throws {
    let outcome = try await run([
      #"{"input":"\#(photo)","output":"a.jpg","aspect":"1:1","options":\#(options)}"#
    ])
    #expect(outcome.values("message").first?.contains(words) == true, "\(outcome)")
  }

  @Test(arguments: [
    (#""width":1e400"#, "width: the number is too large"),
    (#""aspect":-1e400"#, "aspect: the number is too large"),
    (#""id":1e400,"aspect":1"#, "id: the number is too large"),
    (#""aspect":true"#, "aspect: it must be a string"),
  ])
  func `a number that nothing can hold is named`(key: String, words: String) async throws {
    let outcome = try await run([#"{"input":"\#(photo)","output":"a.jpg",\#(key)}"#])
    #expect(outcome.values("message").first?.hasPrefix(words) == true, "\(outcome)")
  }

  @Test func `no line writes what another reads or writes`() async throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: photo))
    for name in ["a.jpg", "b.jpg"] { _ = try folder.write(bytes, as: name) }
    symlink("a.jpg", folder.path("link.jpg"))
    mkdir(folder.path("sub"), 0o755)
    let outcome = try await run(
      [
        line("a.jpg", "b.jpg"), line("b.jpg", "sub/../a.jpg"), line("b.jpg", "link.jpg"),
        line("a.jpg", "c.jpg"), line("b.jpg", "sub/../c.jpg"), line("c.jpg", "d.jpg"),
      ], "--force")
    #expect(outcome.status == 1)
    #expect(
      outcome.values("code") == [
        "output-is-input", "output-is-input", "output-is-input", "output-is-input",
        "output-is-input", "input-missing",
      ])
    #expect(try Data(contentsOf: folder.url("a.jpg")) == bytes)
    #expect(try Data(contentsOf: folder.url("b.jpg")) == bytes)
  }

  @Test func `of two lines with one output the second is refused`() async throws {
    let outcome = try await run(
      [
        line(photo, "c.jpg"), line(photo, "./c.jpg", x: 8), line(photo, "/dev/null"),
        line(photo, "/dev/null"),
      ], "--force")
    #expect(outcome.values("code") == ["nil", "output-uncreatable", "nil", "nil"])
  }

  @Test func `an existing output stays without --force`() async throws {
    _ = try folder.write("old".utf8, as: "c.jpg")
    let refused = try await run([line(photo, "c.jpg")])
    #expect(refused.status == 1)
    #expect(refused.values("code") == ["output-exists"])
    #expect(try Data(contentsOf: folder.url("c.jpg")) == Data("old".utf8))
    let forced = try await run([line(photo, "c.jpg")], "--force")
    #expect(forced.status == 0, "\(forced)")
    #expect(forced.lines == ["cropkit: 1 crop done"])
    #expect(try Data(contentsOf: folder.url("c.jpg")).count > 100)
  }

  @Test func `only finished crops are skipped`() async throws {
    let names = ["a.jpg", "b.png", "c.jpg", "d.jpg", "e.jpg"]
    _ = try await run(names.map { line(photo, $0) })
    var times: [String: timespec] = [:]
    for name in names { times[name] = changed(name) }
    // One is missing, one was replaced, one was written to, one has other options.
    unlink(folder.path("a.jpg"))
    unlink(folder.path("c.jpg"))
    _ = try folder.write("other".utf8, as: "c.jpg")
    let handle = try FileHandle(forWritingTo: folder.url("d.jpg"))
    try handle.write(contentsOf: Data("other".utf8))
    try handle.close()
    let lines = names.map { line(photo, $0, x: $0 == "e.jpg" ? 16 : 0) }
    let again = try await run(lines, "--resume")
    #expect(again.values("skipped") == ["nil", "1", "nil", "nil", "nil"])
    #expect(
      again.values("code") == [
        "nil", "nil", "output-exists", "output-exists", "output-exists",
      ])
    #expect(changed("b.png").tv_nsec == times["b.png"]?.tv_nsec)
    let forced = try await run(lines, "--resume", "--force")
    #expect(forced.status == 0, "\(forced)")
    #expect(forced.values("skipped") == ["1", "1", "nil", "nil", "nil"])
    let idle = try await run(lines, "--resume")
    #expect(idle.lines == ["cropkit: 5 crops done, 5 of them skipped"])
  }

  @Test func `an output with the key of its line is skipped, and without it as ever`() async throws
  {
    func keyed(_ key: String, x: Int = 0) -> String {
      String(line(photo, "a.jpg", x: x).dropLast()) + #","key":"\#(key)"}"#
    }
    let first = try await run([keyed("k-1_A")])
    #expect(first.values("skipped") == ["nil"], "\(first)")
    // Only the key decides; it is up to the sender.
    let again = try await run([keyed("k-1_A", x: 16)], "--resume")
    #expect(again.values("skipped") == ["1"], "\(again)")
    #expect(again.values("bytes") == first.values("bytes"))
    let plain = try await run([line(photo, "a.jpg")], "--resume")
    #expect(plain.values("skipped") == ["1"], "\(plain)")
    let other = try await run([keyed("k-2", x: 16)], "--resume")
    #expect(other.values("code") == ["output-exists"], "\(other)")
    for wrong in ["", "a b", "a+b", "12345678901234567", "ä"] {
      let refused = try await run([keyed(wrong)], "--resume")
      #expect(refused.values("code") == ["usage"], "\(refused)")
    }
  }

  @Test func `without its note an output is compared`() async throws {
    let lines = [line(photo, "a.jpg"), line(photo, "b.png")]
    let first = try await run(lines)
    for name in ["a.jpg", "b.png"] {
      // A copy of only the bytes.
      let bytes = try Data(contentsOf: folder.url(name))
      unlink(folder.path(name))
      _ = try folder.write(bytes, as: name)
    }
    let again = try await run(lines, "--resume")
    #expect(again.status == 0, "\(again)")
    #expect(again.values("skipped") == ["1", "1"])
    #expect(again.values("bytes") == first.values("bytes"))
  }

  @Test func `two batches of the same crops at the same time both succeed`() async throws {
    let lines = (0..<60).map { line(photo, "\($0).png", x: $0) }
    let list = try folder.write(lines.joined(separator: "\n").utf8, as: "list.jsonl")
    async let one = Program.cropkit.run(["batch", list, "--resume"])
    async let other = Program.cropkit.run(["batch", list, "--resume"])
    for outcome in try await [one, other] { #expect(outcome.status == 0, "\(outcome)") }
    #expect(folder.names.count == 61)
  }

  @Test func `a manifest comes from a pipe too, and its paths from the current folder`()
    async throws
  {
    let manifest = try folder.write(
      "\u{FEFF}\(line(photo, "a.jpg"))\r\n\(line(photo, "b.jpg"))".utf8, as: "list")
    let scratch = try Folder()
    let outcome = try await Program.shell(
      "cat \(manifest) | \(Program.cropkit.path) batch -", folder: scratch.path)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(scratch.names == ["a.jpg", "b.jpg"])
  }

  @Test func `a closed reader ends the batch`() async throws {
    let manifest = try folder.write(line(photo, "a.jpg").utf8, as: "list.jsonl")
    let outcome = try await Program.cropkit.run("batch", manifest, output: "/dev/full")
    #expect(outcome.status == 74, "\(outcome)")
    #expect(
      outcome.lines.last == "cropkit: standard output: no room left; free some and try again"
        || outcome.errors.contains("standard output"))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends it cleanly, and it goes on from there`(signal: Int32) async throws {
    let slow = try Picture.named("orient-landscape-1.jpg").path
    let lines = (1...60).map {
      #"{"input":"\#(slow)","output":"\#($0).png","recipe":{"tilt":3}}"#
    }
    let text = lines.map { "\($0)\n" }.joined()
    let manifest = try folder.write(text.utf8, as: "list.jsonl")
    let scratch = try Folder()
    // The tests' caller may ignore signals, and ignored signals are inherited.
    var fresh = Program("env")
    fresh.path = "/usr/bin/env"
    let words =
      ["--default-signal", Program.cropkit.path, "batch", manifest, "--jobs", "2"]
      + Program.patience
    // It can't exit before it has reported all its outcomes.
    let output = try HeldOutput(in: scratch)
    let running = try fresh.start(words, output: output.path, errors: scratch.path("errors"))
    try await eventually("some are done") { folder.names.count > 10 }
    running.send(signal)
    try await eventually("the signal is heard") { running.hasHeardAll }
    let reported = try output.release()
    #expect(await running.end() == 128 + signal)
    let errors = try String(contentsOf: scratch.url("errors"), encoding: .utf8)
    #expect(errors.hasPrefix("cropkit: stopped after "))
    // The reported files exist, and no others.
    #expect(reported.split(separator: "\n").count == folder.names.count - 1)
    let rest = try await run(lines, "--resume")
    #expect(rest.status == 0, "\(rest)")
    #expect(folder.names.count == 61)
  }

  private func changed(_ name: String) -> timespec {
    var status = stat()
    lstat(folder.path(name), &status)
    return status.st_ctim
  }

  @Test func `the bar shows rate and time left`() {
    let tally = BatchTally(finished: 3100, failed: 12, skipped: 100)
    #expect(
      BatchProgress.text(tally, total: 10_000, seconds: 60)
        == "[######              ] 3100 of 10000, 50/s, 2:18 left, 12 failed")
    #expect(
      BatchProgress.text(BatchTally(), total: 0, seconds: 0) == "[####################] 0 of 0")
  }
}
