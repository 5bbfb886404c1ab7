import CropArguments
import Foundation
import Testing

/// The information that `cropkit` prints about itself and about images.
struct CommandTests {
  @Test(arguments: [
    ["--help"], ["crop", "--help"], ["info", "-h"], ["recipe", "-h"], ["batch", "--help"],
    ["serve", "--help"], ["help"],
  ])
  func `help goes to standard output`(arguments: [String]) async throws {
    let outcome = try await Program.cropkit.run(arguments)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.text.contains("USAGE: cropkit"))
    #expect(outcome.errors.isEmpty)
    for line in outcome.text.split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
  }

  @Test(arguments: [Program.cropkit, .server])
  func `the version is one line, the same of every program`(program: Program) async throws {
    let outcome = try await program.run("--version")
    #expect(outcome.status == 0)
    #expect(outcome.text == "\(Version.text)\n")
    #expect(outcome.text.wholeMatch(of: /\d+\.\d+\.\d+( \([0-9a-f]+\+?\))?\n/) != nil)
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `info describes a picture`() async throws {
    let outcome = try await Program.cropkit.run(
      "info", "orient-landscape-6.jpg", folder: Picture.folder)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      outcome.text == """
        orient-landscape-6.jpg
          format     JPEG, 137,628 bytes
          size       600 × 450 (stored 450 × 600, orientation 6)
          pixels     RGB, 8 bits per channel, chroma 4:2:0
          colors     profile “Generic RGB Profile”
          lossless   crops on a grid of 16 × 16, rotations
          metadata   EXIF, ICC profile

        """)
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `info shows the duration of an animation and the coding of colors`() async throws {
    let outcome = try await Program.cropkit.run(
      "info", "webp-animated.webp", "heic-iphone-grid-irot3.heic", "png-gray2.png",
      folder: Picture.folder)
    #expect(outcome.status == 0, "\(outcome)")
    for line in [
      "animation  10 frames", "size       3024 × 4032 (stored 4032 × 3024, orientation 6)",
      "pixels     gray, 2 bits", "colors     gamma 1.00",
    ] {
      #expect(outcome.text.contains(line), "\(outcome.text)")
    }
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `info goes on after a picture it can't read, and ends with its status`() async throws {
    let outcome = try await Program.cropkit.run(
      "info", "--json", "missing.jpg", "avif-1x1.avif", folder: Picture.folder)
    #expect(outcome.status == 66, "\(outcome)")
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.contains(#""code":"input-missing""#) == true)
    #expect(lines.last?.contains(#""format":"avif""#) == true)
  }

  @Test func `info continues after a file that becomes shorter`() async throws {
    let folder = try Folder()
    _ = try folder.write("GIF89a".utf8, as: "closed.gif")
    // Standard input is only open for writing.
    let outcome = try await Program.shell(
      "exec '\(Program.cropkit.path)' info --json - missing.jpg 0>>closed.gif", folder: folder.path)
    #expect(outcome.status == 74, "\(outcome)")
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.count == 2, "\(outcome)")
    #expect(lines.first?.contains(#""code":"read-failed""#) == true)
    #expect(lines.last?.contains(#""code":"input-missing""#) == true)
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `info reads the header of every valid picture`() async throws {
    let names = Picture.valid.map(\.path)
    let outcome = try await Program.cropkit.run(["info", "--json"] + names)
    #expect(outcome.status == 0, "\(outcome)")
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.count == names.count)
    for (line, picture) in zip(lines, Picture.valid) {
      #expect(line.contains("\"format\":\"\(picture.format)\""), "\(line)")
      if let shown = picture.shown {
        let size = "\"shown\":{\"height\":\(shown.height),\"width\":\(shown.width)}"
        #expect(line.contains(size), "\(picture.name): \(line)")
      }
    }
  }

  @Test(.enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
  func `a name can't reverse a terminal's text`() async throws {
    let folder = try Folder()
    let picture = try Picture.named("jpeg-420-227x149.jpg")
    let name = "a\u{202E}gpj.jpg"
    _ = try folder.write(Data(contentsOf: URL(fileURLWithPath: picture.path)), as: name)
    let info = try await Program.cropkit.run("info", name, folder: folder.path)
    #expect(info.text.hasPrefix("a?gpj.jpg\n"), "\(info.text)")
    let crop = try await Program.cropkit.run("crop", name, "--in-place", folder: folder.path)
    #expect(crop.errors.hasPrefix("cropkit: a?gpj.jpg: "), "\(crop)")
  }

  @Test func `a missing server is reported`() async throws {
    let folder = try Folder()
    let outcome = try await Program.cropkit.alone(in: folder).run("serve")
    #expect(outcome.status == 69, "\(outcome)")
    #expect(outcome.errors.contains("cropkit-server is missing"))
  }
}
