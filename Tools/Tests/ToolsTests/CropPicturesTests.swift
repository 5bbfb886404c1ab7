import Foundation
import TestMaterial
import Testing

/// `cropkit crop` with every test image.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct CropPicturesTests {
  private struct Report: Decodable {
    let format: String
    let width: Int
    let height: Int
    let bytes: Int
  }

  @Test(arguments: Thorough.all(Picture.valid, or: 12))
  func `a valid picture is cropped and stays as it is`(picture: Picture) async throws {
    let folder = try Folder()
    let before = try Data(contentsOf: URL(fileURLWithPath: picture.path))
    let output = folder.path("out.\(picture.name.split(separator: ".").last ?? "")")
    let outcome = try await Program.cropkit.run(
      "crop", picture.path, "--rect", "25%,25%,50%,50%", "-o", output, "--json",
      // Allows for a busy machine.
      "--limit-seconds", "600")
    try #require(outcome.status == 0, "\(outcome)")
    #expect(outcome.lines.last?.contains(" × ") == true)
    let report = try JSONDecoder().decode(Report.self, from: outcome.output)
    #expect(report.format == picture.format)
    if let shown = picture.shown {
      #expect(report.width == Self.half(of: shown.width))
      #expect(report.height == Self.half(of: shown.height))
    }
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: output)[.size] as? Int)
    #expect(size == report.bytes)
    #expect(folder.names.count == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: picture.path)) == before)
    // The result is an image of that size.
    let info = try await Program.cropkit.run("info", output, "--json")
    #expect(info.status == 0, "\(info)")
    let shown = "\"shown\":{\"height\":\(report.height),\"width\":\(report.width)}"
    #expect(info.text.contains(shown), "\(info.text)")
  }

  /// From 25 % to 75 %, rounded outward.
  private static func half(of side: Int) -> Int {
    (side * 3 + 3) / 4 - side / 4
  }

  @Test(arguments: Picture.refused)
  func `a damaged picture or a bomb is refused without a trace`(picture: Picture) async throws {
    let folder = try Folder()
    let before = try Data(contentsOf: URL(fileURLWithPath: picture.path))
    let outcome = try await Program.cropkit.run(
      "crop", picture.path, "--rect", "0,0,1,1", "-o", folder.path("out.png"))
    #expect(outcome.status == 65, "\(outcome)")
    #expect(outcome.lines.count == 1)
    #expect(outcome.errors.hasPrefix("cropkit: "))
    #expect(outcome.errors.contains(picture.name))
    #expect(folder.names.isEmpty)
    #expect(try Data(contentsOf: URL(fileURLWithPath: picture.path)) == before)
  }

  @Test(arguments: Picture.all.filter { $0.expectation == .soft })
  func `a truncated picture is cropped with a warning if leniency is asked for`(
    picture: Picture
  ) async throws {
    let folder = try Folder()
    let outcome = try await Program.cropkit.run(
      "crop", picture.path, "--lenient", "-o", folder.path("out.png"))
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.errors.contains("warning"))
    #expect(folder.names == ["out.png"])
  }

  @Test(arguments: Picture.all.filter { $0.expectation == .corrupt || $0.expectation == .limit })
  func `leniency does not let in what is corrupt or a bomb`(picture: Picture) async throws {
    let folder = try Folder()
    let outcome = try await Program.cropkit.run(
      "crop", picture.path, "--lenient", "--rect", "0,0,1,1", "-o", folder.path("out.png"))
    #expect(outcome.status == 65, "\(outcome)")
    #expect(folder.names.isEmpty)
  }

  @Test(
    arguments: Thorough.all(
      [
        "orient-landscape-6.jpg", "png-rgba8.png", "webp-lossy-1024x772.webp", "tiff-lzw-rgb.tif",
        "avif-1x1.avif", "gray-gamma22.jpg", "png-palette8-trns.png",
      ], or: 2))
  func `a picture becomes any format by the output's name`(name: String) async throws {
    let picture = try Picture.named(name)
    let folder = try Folder()
    for (format, ending) in [
      ("jpeg", "jpg"), ("png", "png"), ("webp", "webp"), ("gif", "gif"), ("tiff", "tif"),
      ("heic", "heic"), ("avif", "avif"),
    ] {
      let output = folder.path("out.\(ending)")
      let outcome = try await Program.cropkit.run("crop", picture.path, "-o", output)
      #expect(outcome.status == 0, "\(outcome)")
      let info = try await Program.cropkit.run("info", output, "--json")
      #expect(info.text.contains("\"format\":\"\(format)\""), "\(info)")
    }
  }

  /// How often a result is requested again: many times in soak tests.
  private static let repeats =
    ProcessInfo.processInfo.environment["CROPKIT_SOAK"] == nil ? 3 : 100

  @Test(arguments: Picture.refused)
  func `a damaged picture gets the same answer every time`(picture: Picture) async throws {
    var answers: Set<String> = []
    for _ in 0..<Self.repeats {
      let outcome = try await Program.cropkit.run(
        "crop", picture.path, "--rect", "0,0,1,1", "-o", "-", "--format", "png")
      answers.insert("\(outcome.status) \(outcome.errors)")
    }
    #expect(answers.count == 1, "\(answers)")
  }

  @Test(arguments: ["progressive-100x75.jpg", "png-rgb16-trns.png", "tiff-jpeg.tif"])
  func `a valid picture gives the same bytes every time`(name: String) async throws {
    let picture = try Picture.named(name)
    var results: Set<Data> = []
    for _ in 0..<Self.repeats {
      let outcome = try await Program.cropkit.run(
        "crop", picture.path, "--rect", "1,1,30,30", "-o", "-")
      #expect(outcome.status == 0, "\(outcome)")
      results.insert(outcome.output)
    }
    #expect(results.count == 1)
  }

  @Test func `a pipe and a file give the same crop`() async throws {
    let picture = try Picture.named("jpeg-420-227x149.jpg")
    let folder = try Folder()
    let what = ["--rect", "10,20,100,50", "--quality", "80"]
    let file = try await Program.cropkit.run(
      ["crop", picture.path, "-o", folder.path("out.jpg")] + what)
    #expect(file.status == 0, "\(file)")
    #expect(
      file.errors == "cropkit: \(folder.path("out.jpg")): re-encoded, 100 × 50, quality 80; "
        + "the left and top edges are off the 16 × 16 block grid\n")
    let pipe = try await Program.cropkit.run(["crop", "-", "-o", "-"] + what, input: picture.path)
    #expect(pipe.status == 0, "\(pipe)")
    #expect(try pipe.output == Data(contentsOf: folder.url("out.jpg")))
  }

  @Test func `the handling of a JPEG is reported, for users and as JSON`() async throws {
    let picture = try Picture.named("jpeg-420-227x149.jpg")
    let folder = try Folder()
    let cases: [(options: [String], said: String)] = [
      (["--rect", "16,32,64,48"], "lossless, 64 × 48"),
      (["--rect", "16,32,211,117"], "lossless, 211 × 117"),
      (["--rect", "17,33,64,48", "--lossless", "snap"], "lossless, 64 × 48 from 16,32"),
      (["--rect", "17,33,64,48", "--lossless", "outward"], "lossless, 80 × 64 from 16,32"),
      (
        ["--rect", "16,32,64,48", "--lossless", "outward", "--rotate", "180"],
        "lossless, 80 × 64 from 3,21"
      ),
      (["--rect", "16,32,60,44"], "lossless except for the last 12 columns and rows, 60 × 44"),
      (
        ["--rect", "3,37,60,33", "--rotate", "180", "--lossless", "snap"],
        "lossless except for the first 12 columns and the first row, 60 × 33 from"
      ),
      (["--rect", "16,32,60,44", "--lossless", "strict"], "re-encoded, 60 × 44"),
      (["--rect", "16,32,64,48", "--lossless", "never"], "re-encoded, 64 × 48, quality 90"),
      (["--rect", "16,32,64,48", "--bake", "--progressive"], "lossless, 64 × 48"),
    ]
    for (options, said) in cases {
      let outcome = try await Program.cropkit.run(
        ["crop", picture.path, "-o", folder.path("out.jpg"), "--force", "--json"] + options)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.errors.contains(said), "\(options): \(outcome.errors)")
      let isLossless = String(decoding: outcome.output, as: UTF8.self).contains(
        #""lossless":true"#)
      #expect(isLossless == said.hasPrefix("lossless"), "\(options)")
    }
  }

  @Test func `a recipe excludes all other crop options`() async throws {
    let picture = try Picture.named("orient-portrait-8.jpg")
    let folder = try Folder()
    let json = #"{"rect": {"x": 0, "y": 100, "width": 300, "height": 450}, "quarterTurns": 1}"#
    let recipe = try folder.write(json.utf8, as: "recipe.json")
    let outcome = try await Program.cropkit.run(
      "crop", picture.path, "--recipe", recipe, "-o", "-", "--rotate", "90")
    #expect(outcome.status == 64)
    // Turned by 90°, the frame is 600 × 450, and the rectangle extends 100 pixels beyond the
    // bottom.
    let outside = try await Program.cropkit.run("crop", picture.path, "--recipe", recipe, "-o", "-")
    #expect(outside.status == 64, "\(outside)")
    #expect(outside.errors.contains("600") && outside.errors.contains("450"), "\(outside)")
    let options = try await Program.cropkit.run(
      "crop", picture.path, "--rotate", "90", "--rect", "0,0,300,450", "-o", folder.path("a.png"))
    #expect(options.status == 0, "\(options)")
    let good = json.replacingOccurrences(of: "\"y\": 100", with: "\"y\": 0")
    _ = try folder.write(good.utf8, as: "recipe.json")
    let same = try await Program.cropkit.run(
      "crop", picture.path, "--recipe", recipe, "-o", folder.path("b.png"))
    #expect(same.status == 0, "\(same)")
    #expect(
      try Data(contentsOf: folder.url("a.png")) == Data(contentsOf: folder.url("b.png")))
  }

  @Test(arguments: [
    (["--aspect", "1:1"], "450", "450"), (["--aspect", "16:9", "--rotate", "90"], "448", "252"),
    (["--flip", "vertical"], "600", "450"), (["--max-side", "100"], "100", "75"),
    (["--size", "300x225"], "300", "225"), (["--rotate", "270"], "450", "600"),
    (["--tilt", "-10", "--aspect", "3:2"], "", ""), (["--shape", "ellipse"], "600", "450"),
    (["--rect", "0,0,10%,100%"], "60", "450"),
  ])
  func `every way to say what to cut works`(
    what: [String], width: String, height: String
  ) async throws {
    let picture = try Picture.named("orient-landscape-5.jpg")
    let folder = try Folder()
    let outcome = try await Program.cropkit.run(
      bytes: (["crop", picture.path, "-o", folder.path("out.png"), "--json"] + what).map {
        Array($0.utf8)
      })
    #expect(outcome.status == 0, "\(outcome)")
    let report = try JSONDecoder().decode(Report.self, from: outcome.output)
    if !width.isEmpty {
      #expect("\(report.width) \(report.height)" == "\(width) \(height)")
    }
  }
}
