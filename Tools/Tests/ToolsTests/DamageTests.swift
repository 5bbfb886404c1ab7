import Foundation
import Testing

/// Damage in the data of a JPEG, which the header does not show.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct DamageTests {
  private let folder: Folder
  private let input: String
  private let bytes: Data

  /// Stored as 2048 × 1536, displayed upright as 1536 × 2048, with zeros in the middle of its data.
  init() throws {
    folder = try Folder()
    let photo = try Picture.named("camera-canon-orient6-gps.jpg")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: photo.path))
    bytes.replaceSubrange(400_000..<400_512, with: Data(count: 512))
    self.bytes = bytes
    input = try folder.write(bytes, as: "photo.jpg")
  }

  private static let nearly = ["--rect", "16,16,1504,2016"]
  /// The first stored rows are at the right edge of the displayed image.
  private static let sound = ["--rect", "1472,0,64,64"]

  private func crop(_ arguments: [String]) async throws -> Outcome {
    try await Program.cropkit.run(["crop", input] + arguments)
  }

  @Test(arguments: [
    ["-o", "out.jpg"], ["-o", "out.jpg", "--lossless", "never"], ["-o", "out.png"],
    ["-o", "out.webp", "--max-side", "90"], ["-o", "out.jpg", "--srgb", "--rotate", "180"],
  ])
  func `zeros in nearly all of a photo are reported in every format`(how: [String]) async throws {
    let arguments = Self.nearly + how.map { $0.hasPrefix("out.") ? folder.path($0) : $0 }
    let outcome = try await crop(arguments)
    #expect(outcome.status == 65, "\(outcome)")
    #expect(outcome.lines.count == 1 && outcome.errors.contains("photo.jpg: the file "))
    #expect(folder.names == ["photo.jpg"])
    let lenient = try await crop(arguments + ["--lenient"])
    #expect(lenient.status == 0, "\(lenient)")
    #expect(lenient.lines.contains { $0.contains("warning: part of the image") }, "\(lenient)")
  }

  @Test func `a batch reports it for each line`() async throws {
    let lines = ["jpg", "png"].map { format in
      #"{"input":"\#(input)","output":"\#(format).\#(format)","recipe":{"rect":"#
        + #"{"x":16,"y":16,"width":1504,"height":2016}}}"#
    }
    let list = try folder.write(lines.joined(separator: "\n").utf8, as: "list")
    let outcome = try await Program.cropkit.run("batch", list)
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.lines.last == "cropkit: 2 of 2 crops failed")
    #expect(folder.names == ["list", "photo.jpg"])
  }

  @Test func `a photo is replaced in place only if all of it is sound`() async throws {
    let output = folder.path("out.jpg")
    #expect(try await crop(Self.sound + ["-o", output]).status == 0)
    let refused = try await crop(Self.sound + ["--in-place"])
    #expect(refused.status == 65, "\(refused)")
    #expect(try Data(contentsOf: folder.url("photo.jpg")) == bytes)
    let lenient = try await crop(Self.sound + ["--in-place", "--lenient"])
    #expect(lenient.status == 0 && lenient.errors.contains("warning: "), "\(lenient)")
    #expect(
      try Data(contentsOf: folder.url("photo.jpg")) == Data(contentsOf: folder.url("out.jpg")))
  }

  @Test func `a photo of the library is replaced only if all of it is sound`() async throws {
    let path = LibraryServer.photos(folder)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try bytes.write(to: URL(fileURLWithPath: "\(path)/a.jpg"))
    let library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    let order = #"{"recipe": {"rect": {"x": 1472, "y": 0, "width": 64, "height": 64}}}"#
    let body = Data(order.utf8)
    let answer = try await library.server.send("POST /api/photos/\(id)/replace", body: body)
    #expect(answer.status == 422, "\(answer)")
    #expect(try Data(contentsOf: folder.url("Photos/a.jpg")) == bytes)
    let crop = try await library.server.send("POST /api/photos/\(id)/crops", body: body)
    #expect(crop.status == 201, "\(crop)")
    await library.server.stop()
  }
}
