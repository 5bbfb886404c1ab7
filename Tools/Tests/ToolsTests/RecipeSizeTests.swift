import Foundation
import Testing

/// A recipe with a size, or with a rectangle that is clamped, in each face.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct RecipeSizeTests {
  private let folder: Folder
  /// 227 × 149 pixels.
  private let photo: String

  init() throws {
    folder = try Folder()
    photo = try Picture.named("jpeg-420-227x149.jpg").path
  }

  private static let recipe =
    #"{"rect":{"x":0,"y":0,"width":200,"height":100},"output":{"width":400,"height":200}}"#

  @Test(arguments: [
    (["--max-side", "50"], "50 × 25"), (["--max-side", "500"], "400 × 200"),
    (["--size", "80x40"], "80 × 40"), (["--width", "60"], "60 × 30"), ([], "400 × 200"),
  ])
  func `the command adds a size to a recipe`(options: [String], size: String) async throws {
    let recipe = try folder.write(Self.recipe.utf8, as: "r.json")
    let outcome = try await Program.cropkit.run(
      ["crop", photo, "--recipe", recipe, "-o", folder.path("a.jpg")] + options)
    #expect(outcome.status == 0 && outcome.errors.contains(size), "\(outcome)")
  }

  @Test func `a recipe takes nothing else, and no size of another ratio`() async throws {
    let recipe = try folder.write(Self.recipe.utf8, as: "r.json")
    let words = ["crop", photo, "--recipe", recipe, "-o", folder.path("a.jpg")]
    let turned = try await Program.cropkit.run(words + ["--rotate", "90"])
    #expect(turned.status == 64 && turned.errors.contains("--rotate"), "\(turned)")
    let other = try await Program.cropkit.run(words + ["--size", "80x80"])
    #expect(other.status == 64, "\(other)")
  }

  @Test func `a line has a size beside its recipe, or in its options`() async throws {
    let keys = [
      #""maxSide":50"#, #""options":{"maxSide":50}"#, #""size":"80x40""#,
      #""options":{"size":"80x40"}"#, #""options":{"size":"80x40","maxSide":9}"#,
    ]
    let lines = keys.enumerated().map { number, key in
      #"{"input":"\#(photo)","output":"\#(number).jpg","recipe":\#(Self.recipe),\#(key)}"#
    }
    let list = try folder.write(lines.joined(separator: "\n").utf8, as: "list.jsonl")
    let outcome = try await Program.cropkit.run("batch", list)
    let sizes = outcome.objects.map { line in
      let size = line["size"] as? [String: Int]
      return size.map { "\($0["width"] ?? 0)x\($0["height"] ?? 0)" } ?? "none"
    }
    #expect(sizes == ["50x25", "50x25", "80x40", "80x40", "none"], "\(outcome)")
  }

  @Test func `a resumed batch makes a crop again whose size has changed`() async throws {
    for (side, skipped) in [(50, false), (50, true), (60, false)] {
      let start = #"{"input":"\#(photo)","output":"a.jpg","recipe":\#(Self.recipe)"#
      let line = start + #","maxSide":\#(side)}"#
      let list = try folder.write(line.utf8, as: "list.jsonl")
      let outcome = try await Program.cropkit.run(
        "batch", list, "--resume", "--force", folder: folder.path)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.text.contains(#""skipped":true"#) == skipped, "\(outcome.text)")
    }
  }

  @Test(arguments: [
    (#"{"maxSide":50}"#, "50x25"), (#"{"size":"80x40"}"#, "80x40"),
    (#"{"size":"40x20mm","dpi":50}"#, "79x39"), (#"{"size":"4x2in","enlarge":true}"#, "1200x600"),
    (#"{"size":"38x18mm","bleed":"1mm","dpi":50}"#, "79x39"),
    (#"{"size":"40x20mm","dpi":50,"sheet":"90x45mm"}"#, "177x89"),
  ])
  func `the server takes a size in the encoding`(encoding: String, size: String) async throws {
    let server = try await RunningServer()
    let answer = try await server.send(
      "POST /api/crop?recipe=\(Self.recipe.query)&encoding=\(encoding.query)",
      body: Data(contentsOf: URL(fileURLWithPath: photo)))
    #expect(answer.status == 200 && answer.fields["cropkit-size"] == size, "\(answer)")
    await server.stop()
  }

  @Test func `a rectangle partly outside is cut to the picture only with --clamp, which says so`()
    async throws
  {
    let advised = try await Program.cropkit.run(
      "crop", photo, "--rect", "-3,100,64,100", "-o", folder.path("a.jpg"))
    #expect(
      advised.errors.contains("; the part inside is 0,100,61,49: use that, or --clamp\n"),
      "\(advised)")
    let words = ["crop", photo, "--rect", "-3.5,100.2,64,100", "-o", folder.path("a.jpg")]
    let refused = try await Program.cropkit.run(words)
    #expect(refused.status == 64, "\(refused)")
    let outcome = try await Program.cropkit.run(words + ["--clamp", "--json"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.errors.contains("cut to 0,100,61,49"), "\(outcome)")
    let rect = try #require(outcome.objects.first?["rect"] as? [String: Int])
    #expect(rect == ["x": 0, "y": 100, "width": 61, "height": 49])
    let outside = try await Program.cropkit.run(
      "crop", photo, "--rect", "300,0,10,10", "--clamp", "-o", folder.path("b.jpg"))
    #expect(outside.status == 64 && !outside.errors.contains("inside"), "\(outside)")
    let useless = try await Program.cropkit.run(
      "crop", photo, "--aspect", "1:1", "--clamp", "-o", folder.path("b.jpg"))
    #expect(useless.status == 64 && useless.errors.contains("--clamp needs --rect"), "\(useless)")
  }

  @Test func `a line with only options is about the whole picture`() async throws {
    let line = #"{"input":"\#(photo)","output":"a.png","options":{"strip":"all"}}"#
    let list = try folder.write(line.utf8, as: "list.jsonl")
    let outcome = try await Program.cropkit.run("batch", list)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.text.contains(#""size":{"height":149,"width":227}"#), "\(outcome.text)")
  }

  @Test(arguments: [
    (#""aspect":"1:1","maxSide":9,"width":9"#, "maxSide and width can't be used together"),
    (#""gravity":"north""#, "gravity needs a rectangle without a position: aspect, size or rect"),
    (#""rect":"0,0,9,9","options":{"page":2}"#, "page"),
    (#""trim":true,"rect":"0,0,9,9""#, "trim"),
  ])
  func `the message about a line names its keys`(keys: String, words: String) async throws {
    let line = #"{"input":"\#(photo)","output":"--a.jpg",\#(keys)}"#
    let list = try folder.write(line.utf8, as: "list.jsonl")
    let outcome = try await Program.cropkit.run("batch", list)
    let message = try #require(outcome.values("message").first)
    #expect(message.contains(words) && !message.contains(" --"), "\(message)")
    #expect(outcome.errors.contains(words), "\(outcome)")
  }
}
