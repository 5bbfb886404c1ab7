import Foundation
import Glibc
import TestMaterial
import Testing

/// An original is never replaced if other data in its file would be lost.
@Suite(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct InPlaceLossTests {
  /// A copy of a shared image, with additional bytes at its end.
  private func copy(_ picture: String, to folder: Folder, adding: [UInt8] = []) throws -> String {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: Picture.named(picture).path))
    return try folder.write(bytes + adding, as: picture)
  }

  /// The start of an MP4 file.
  fileprivate static let video: [UInt8] =
    [0, 0, 0, 16] + Array("ftypmp42".utf8) + [0, 0, 0, 0, 0, 0, 0, 8] + Array("mdat".utf8)

  @Test(arguments: [[], ["--page", "1"]])
  func `pages are not lost in place`(options: [String]) async throws {
    let folder = try Folder()
    let file = try copy("tiff-multipage-3.tif", to: folder)
    let before = try Data(contentsOf: folder.url("tiff-multipage-3.tif"))
    let words = ["crop", file, "--rect", "0,0,8,8", "--in-place"] + options
    let outcome = try await Program.cropkit.run(words)
    #expect(outcome.status == 73, "\(outcome)")
    #expect(
      outcome.errors.contains("2 other pages") && outcome.errors.contains("--drop-rest"),
      "\(outcome)")
    #expect(try Data(contentsOf: folder.url("tiff-multipage-3.tif")) == before)
    let json = try await Program.cropkit.run(words + ["--json"])
    #expect(json.text.contains(#""code":"would-lose-data""#), "\(json.text)")
    let plan = try await Program.cropkit.run(words + ["--dry-run"])
    #expect(plan.status == 73, "\(plan)")
    let allowed = try await Program.cropkit.run(words + ["--drop-rest"])
    #expect(allowed.status == 0, "\(allowed)")
    #expect(try Data(contentsOf: folder.url("tiff-multipage-3.tif")) != before)
  }

  @Test func `all pages are cropped in place without further words`() async throws {
    let folder = try Folder()
    let file = try copy("tiff-multipage-3.tif", to: folder)
    let outcome = try await Program.cropkit.run(
      "crop", file, "--rect", "0,0,8,8", "--in-place", "--page", "all")
    #expect(outcome.status == 0, "\(outcome)")
  }

  /// A shared image with an application segment after its first marker and bytes after its end.
  fileprivate static func jpeg(
    _ name: String = "jpeg-420-227x149.jpg", application number: UInt8 = 0, _ segment: [UInt8] = [],
    adding: [UInt8] = []
  ) throws -> Data {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: Picture.named(name).path))
    let length = segment.count + 2
    let added =
      segment.isEmpty
      ? [] : [0xFF, 0xE0 + number, UInt8(length >> 8), UInt8(length & 255)] + segment
    return bytes[..<2] + added + bytes[2...] + adding
  }

  /// A JPEG whose table (CIPA DC-007) has another image of the given type after its end.
  fileprivate static func camera(type: UInt32) throws -> Data {
    func bytes(_ numbers: UInt32...) -> [UInt8] {
      numbers.flatMap { number in [24, 16, 8, 0].map { UInt8(number >> $0 & 255) } }
    }
    let further = try jpeg("gray-gamma22.jpg")
    func table(at place: Int) -> [UInt8] {
      Array("MPF\0MM\0*".utf8) + bytes(8) + [0, 1, 0xB0, 2, 0, 7] + bytes(32, 26, 0)
        + bytes(0x2003_0000, 0, 0, 0) + bytes(type, UInt32(further.count), UInt32(place), 0)
    }
    // Positions are relative to the end of the marks of the image, the segment and the table: 2 + 4
    // + 4 bytes.
    let place = try jpeg(application: 2, table(at: 0)).count - 10
    return try jpeg(application: 2, table(at: place), adding: Array(further))
  }

  /// What a file contains besides its image.
  enum Rest: String, CaseIterable, CustomTestStringConvertible {
    case gainMap = "HDR gain map"
    case depthMap = "depth map"
    case video = "video"
    case further = "other images"
    case trailer = "bytes after the end"

    var testDescription: String { rawValue }

    fileprivate var file: Data {
      get throws {
        switch self {
        // A truncated one can't be cropped with the image.
        case .gainMap: try InPlaceLossTests.jpeg("icc-displayp3-apple-gainmap.jpg").dropLast(100)
        case .depthMap:
          try InPlaceLossTests.jpeg(
            application: 1,
            Array("http://ns.adobe.com/xap/1.0/\0<x GDepth:Format=\"RangeInverse\"/>".utf8))
        case .video: try InPlaceLossTests.jpeg(adding: InPlaceLossTests.video)
        // An image of a panorama.
        case .further: try InPlaceLossTests.camera(type: 0x02_0001)
        case .trailer: try InPlaceLossTests.jpeg(adding: [1, 2, 3])
        }
      }
    }
  }

  @Test(arguments: Thorough.all(Rest.allCases, or: 2))
  func `other data of a file are not lost in place`(rest: Rest) async throws {
    let folder = try Folder()
    let (picture, name) = ("photo.jpg", rest.rawValue)
    let before = try rest.file
    let file = try folder.write(before, as: picture)
    for options in [[], ["--strip", "all"], ["--max-bytes", "90K"]] {
      let words = ["crop", file, "--rect", "0,0,64,64", "--in-place"] + options
      let outcome = try await Program.cropkit.run(words)
      #expect(outcome.status == 73 && outcome.errors.contains(name), "\(options): \(outcome)")
      #expect(try Data(contentsOf: folder.url(picture)) == before)
    }
    let two = try await Program.cropkit.run(
      "crop", file, copy("gray-gamma22.jpg", to: folder), "--rect", "0,0,64,64", "--in-place")
    #expect(two.status == 1 && two.errors.contains(name), "\(two)")
    #expect(try Data(contentsOf: folder.url(picture)) == before)
    let allowed = try await Program.cropkit.run(
      "crop", file, "--rect", "0,0,64,64", "--in-place", "--drop-rest")
    #expect(allowed.status == 0, "\(allowed)")
  }

  @Test func `everything that would be lost in place is named at once`() async throws {
    let folder = try Folder()
    let xmp = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" \
      GPano:ProjectionType="equirectangular"/></rdf:RDF></x:xmpmeta>
      """
    let file = try folder.write(
      Self.jpeg(
        application: 1, Array("http://ns.adobe.com/xap/1.0/\0\(xmp)".utf8), adding: [1, 2, 3]),
      as: "photo.jpg")
    for options in [[], ["--dry-run"]] {
      let outcome = try await Program.cropkit.run(
        ["crop", file, "--rect", "0,0,64,64", "--in-place"] + options)
      #expect(outcome.status == 73, "\(outcome)")
      #expect(outcome.errors.contains("panorama geometry"), "\(outcome)")
      #expect(outcome.errors.contains("bytes after the end"), "\(outcome)")
    }
  }

  @Test func `a camera's preview goes in place, with a warning`() async throws {
    let folder = try Folder()
    let file = try folder.write(Self.camera(type: 0x01_0002), as: "camera.jpg")
    let outcome = try await Program.cropkit.run(
      "crop", file, "--rect", "0,0,64,64", "--in-place", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.errors.contains("left out: preview"), "\(outcome)")
    let after = try Data(contentsOf: folder.url("camera.jpg"))
    #expect(after.range(of: Data("MPF".utf8)) == nil)
    let info = try await Program.cropkit.run("info", file, "--json")
    #expect(!info.text.contains("preview") && !info.text.contains("trailer"), "\(info)")
  }

  @Test func `--drop-rest needs --in-place`() async throws {
    let outcome = try await Program.cropkit.run("crop", "a.jpg", "-o", "b.jpg", "--drop-rest")
    #expect(outcome.status == 64 && outcome.errors.contains("--in-place"), "\(outcome)")
  }

  @Test func `metadata that is to go may go in place`() async throws {
    let folder = try Folder()
    let file = try copy("jpeg-444-icc-xmp.jpg", to: folder)
    let outcome = try await Program.cropkit.run(
      "crop", file, "--rect", "0,0,16,16", "--in-place", "--strip", "all")
    #expect(outcome.status == 0, "\(outcome)")
  }

  @Test func `that the uncut picture has another name is reported`() async throws {
    let folder = try Folder()
    let file = try copy("gray-gamma22.jpg", to: folder)
    #expect(link(file, folder.path("other.jpg")) == 0)
    let outcome = try await Program.cropkit.run(
      "crop", file, "--rect", "0,0,16,16", "--in-place", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.text.contains(#""code":"hard-linked""#), "\(outcome.text)")
    #expect(outcome.errors.contains("hard link"), "\(outcome)")
    let single = try await Program.cropkit.run(
      "crop", file, "--rect", "0,0,8,8", "--in-place", "--json")
    #expect(!single.text.contains("hard-linked"), "\(single.text)")
  }

  @Test func `the library asks before something is lost`() async throws {
    let folder = try LibraryServer.folder(["a.jpg": "icc-displayp3-apple-gainmap.jpg"])
    let photo = URL(fileURLWithPath: LibraryServer.photos(folder) + "/a.jpg")
    // A truncated gain map can't be cropped with the image.
    let before = try Data(contentsOf: photo).dropLast(100)
    try before.write(to: photo)
    let library = try await LibraryServer(folder)
    let id = try await library.id("a.jpg")
    let recipe = #""recipe": {"rect": {"x": 0, "y": 0, "width": 64, "height": 48}}"#
    let refused = try await library.json(
      "POST /api/photos/\(id)/replace", "{\(recipe)}", status: 409)
    #expect(refused["code"] as? String == "would-lose-data")
    let losses = try #require(refused["losses"] as? [[String: String]])
    #expect(
      losses.contains { $0["code"] == "gain-map" && $0["name"] == "HDR gain map" }, "\(losses)")
    #expect((refused["detail"] as? String)?.contains("dropRest") == true, "\(refused)")
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: LibraryServer.photos(folder) + "/a.jpg")) == before)
    let done = try await library.json(
      "POST /api/photos/\(id)/replace", "{\(recipe), \"dropRest\": true}")
    #expect(done["width"] as? Int == 64)
    let elsewhere = try await library.server.send(
      "POST /api/photos/\(id)/crops", body: Data("{\(recipe), \"dropRest\": true}".utf8))
    #expect(elsewhere.status == 400, "\(elsewhere)")
    await library.server.stop()
  }
}
