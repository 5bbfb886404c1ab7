import Foundation
import TestMaterial
import Testing

@testable import CropFormats
@testable import CropImaging
@testable import CropJPEG
@testable import CropMetadata
@testable import CropSystem

/// Files of the corpus whose auxiliary images belong to several items, as in those of phones.
@Suite struct `What a decoder reads of a HEIC` {
  private func seed(_ name: String) throws -> [UInt8] {
    let file = try #require(Corpus.headers.first { $0.lastPathComponent == name })
    return [UInt8](try Data(contentsOf: file))
  }

  private func source(_ bytes: [UInt8]) -> ImageSource {
    ImageSource(bytes: Data(bytes), name: "picture")
  }

  /// The bytes as the decoder reads them.
  private func seen(_ bytes: [UInt8]) throws -> [UInt8] {
    var copy = bytes
    let view = try HEIFView(source(bytes), page: 1)
    copy.withUnsafeMutableBytes { all in view.patches.forEach { $0.apply(to: all, at: 0) } }
    return copy
  }

  /// The only position of a text.
  private func place(of text: String, in bytes: [UInt8]) throws -> Int {
    let range = try #require(Data(bytes).range(of: Data(text.utf8)))
    return range.lowerBound
  }

  @Test func `a gain map of two pictures belongs to neither, and nothing else changes`() throws {
    let bytes = try seed("shared-gain-map.heic")
    let auxl = try place(of: "auxl", in: bytes)
    let patches = try HEIFView(source(bytes), page: 1).patches
    #expect(patches == [BytePatch(start: auxl, bytes: Array("skip".utf8))])
    #expect(try seen(seen(bytes)) == seen(bytes))
  }

  @Test func `an alpha plane of two pictures is that of the main one, at the same length`() throws {
    let bytes = try seed("shared-alpha.heic")
    let seen = try seen(bytes)
    #expect(seen.count == bytes.count)
    // Item 4 belonged to items 1 and 2.
    let old = HandMade.big32(16) + HandMade.text("auxl") + [0, 4, 0, 2, 0, 1, 0, 2]
    let new = HandMade.big32(14) + HandMade.text("auxl") + [0, 4, 0, 1, 0, 1]
    #expect(Data(bytes).range(of: Data(old)) != nil && Data(bytes).range(of: Data(new)) == nil)
    #expect(Data(seen).range(of: Data(new)) != nil && Data(seen).range(of: Data(old)) == nil)
    #expect(try inspect(seen).hasAlpha)
    // The result needs no further change, and the data did not move.
    #expect(try HEIFView(source(seen), page: 1).patches.isEmpty)
    let data = try place(of: "mdat", in: bytes)
    #expect(seen[data...] == bytes[data...])
  }

  @Test func `numbers of 32 bits, metadata and thumbnails of several pictures are patched too`()
    throws
  {
    let bytes = try seed("shared-alpha-wide.heic")
    let seen = try seen(bytes)
    let main = HandMade.big32(0x12341)
    let new = HandMade.big32(18) + HandMade.text("auxl") + HandMade.big32(0x12344) + [0, 1] + main
    #expect(Data(seen).range(of: Data(new)) != nil)
    #expect(Data(seen).range(of: Data("cdsc".utf8)) == nil)
    #expect(Data(seen).range(of: Data("thmb".utf8)) == nil)
    #expect(try inspect(seen).hasAlpha && inspect(seen).orientation == .up)
  }

  @Test func `a brand that libheif knows is read where a file names none`() throws {
    let bytes = try seed("brand.heic")
    #expect(try inspect(bytes).format == .heic)
    #expect(Data(bytes).prefix(28).range(of: Data("mif1".utf8)) == nil)
    #expect(try Array(seen(bytes)[16..<20]) == HandMade.text("mif1"))
  }

  @Test func `a patch is applied to the bytes that were read`() {
    let patch = BytePatch(start: 10, bytes: [1, 2, 3])
    func read(_ range: Range<Int>) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: range.count)
      bytes.withUnsafeMutableBytes { patch.apply(to: $0, at: range.lowerBound) }
      return bytes
    }
    #expect(read(9..<14) == [0, 1, 2, 3, 0])
    #expect(read(0..<11) == [UInt8](repeating: 0, count: 10) + [1])
    #expect(read(12..<14) == [3, 0])
    #expect(read(11..<12) == [2])
    #expect(read(0..<10).allSatisfy { $0 == 0 } && read(13..<20).allSatisfy { $0 == 0 })
    #expect(read(10..<10).isEmpty)
  }

  @Test(arguments: ["shared-gain-map.heic", "shared-alpha.heic", "shared-alpha-wide.heic"])
  func `a file truncated anywhere, with any numbers, gets a response`(
    name: String
  ) throws {
    let bytes = try seed(name)
    let end = try place(of: "mdat", in: bytes)
    for count in 0..<end { _ = try? HEIFView(source(Array(bytes[..<count])), page: 1) }
    // From the box of references to the next one: invalid sizes, counts and numbers.
    let start = try place(of: "iref", in: bytes) - 4
    for place in start..<min(start + 160, end) {
      for value: UInt8 in [0, 1, 8, 0x7F, 0xFF] {
        var damaged = bytes
        damaged[place] = value
        guard let seen = try? seen(damaged) else { continue }
        #expect(seen.count == bytes.count)
      }
    }
  }

  @Test func `a reference to itself, to nothing or to thousands ends too`() throws {
    for (count, width) in [(0, 2), (2, 2), (3, 4), (60_000, 2)] {
      let targets = (0..<count).flatMap { _ in [UInt8](repeating: 0, count: width - 1) + [4] }
      let from = [UInt8](repeating: 0, count: width - 1) + [4]
      let reference = HandMade.box("auxl", from + HandMade.big16(count) + targets)
      let references = HandMade.fullBox("iref", version: width == 2 ? 0 : 1, reference)
      var file = try seed("shared-alpha.heic")
      let meta = try place(of: "meta", in: file) - 4
      let old = try place(of: "iref", in: file) - 4
      let oldEnd = try old + #require(Data(file[old..<old + 4]).last.map(Int.init))
      file.replaceSubrange(old..<oldEnd, with: references)
      let size = try place(of: "mdat", in: file) - 4 - meta
      file.replaceSubrange(meta..<meta + 4, with: HandMade.big32(size))
      let patches = try HEIFView(source(file), page: 1).patches
      #expect(patches.map(\.bytes) == [Array("skip".utf8)])
    }
  }
}
