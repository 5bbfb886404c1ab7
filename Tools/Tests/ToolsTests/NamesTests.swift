import Foundation
import TestMaterial
import Testing

/// File names may contain any bytes.
@Suite(.serialized, .enabled(if: Picture.areAvailable, "no pictures; see CROPKIT_IMAGES"))
struct NamesTests {
  private static let names: [[UInt8]] = {
    let texts = [
      "with space.jpg", "new\nline.jpg", "-x.jpg", "--", "🏔️.jpg", "a[fail_on=none].jpg",
      "x.jpg[Q=1]", "'\"$(id)`.jpg", String(repeating: "n", count: 251) + ".jpg", "%s%n.jpg",
    ]
    let bytes: [[UInt8]] = [
      [0x66, 0xff, 0xfe, 0x2e, 0x6a, 0x70, 0x67], [0xf4, 0x8f, 0xbe, 0x80, 0x2e, 0x6a, 0x70, 0x67],
    ]
    return texts.map { Array($0.utf8) } + bytes
  }()

  @Test(arguments: Thorough.all(names, or: 6))
  func `any name works, as input and as output`(name: [UInt8]) async throws {
    let folder = try Folder()
    let picture = try Picture.named("jpeg-420-227x149.jpg")
    let place = Array("\(folder.path)/".utf8)
    func words(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }
    // As output; the format is given, since not every name has an extension.
    let output = try await Program.cropkit.run(
      bytes: words("crop", picture.path, "--rect", "1,2,30,40", "--format", "jpeg", "-o") + [name],
      folder: folder.path)
    try #require(output.status == 0, "\(output)")
    // As input, of both.
    let inside = try await Program.cropkit.run(
      bytes: words("crop", "--rect", "0,0,5,6", "-o", "-", "--") + [name], folder: folder.path)
    #expect(inside.status == 0, "\(inside)")
    let input = try await Program.cropkit.run(bytes: words("info", "--json") + [place + name])
    #expect(input.status == 0, "\(input)")
    #expect(input.text.contains("\"shown\":{\"height\":40,\"width\":30}"))
    // In place.
    let replaced = try await Program.cropkit.run(
      bytes: words("crop", "--in-place", "--rect", "0,0,5,6") + [place + name])
    #expect(replaced.status == 0, "\(replaced)")
    #expect(replaced.lines.count == 1)
    let after = try await Program.cropkit.run(bytes: words("info", "--json") + [place + name])
    #expect(after.text.contains("\"shown\":{\"height\":6,\"width\":5}"))
    #expect(folder.names.count == 1)
  }
}
