import Foundation
import TestMaterial
import Testing

@testable import CropCore
@testable import CropFormats
@testable import CropImaging
@testable import CropJPEG
@testable import CropMetadata
@testable import CropSystem

/// HEIC and AVIF files whose properties are edited so that their image is displayed turned.
@Suite struct `A turn of a HEIC or AVIF` {
  /// The properties that orient an image, in all orders that files have.
  private static let before: [[[UInt8]]] = [
    [], [HandMade.box("irot", [1])], [HandMade.box("irot", [3]), HandMade.box("imir", [0])],
    [HandMade.box("imir", [1]), HandMade.box("irot", [2])], [HandMade.box("imir", [0])],
  ]

  private func turned(
    _ bytes: [UInt8], by orientation: Orientation, page: Int = 1
  ) -> [UInt8]? {
    FileEditor(
      EditedMetadata(),
      turning: .init(page: page, by: orientation, keepsOtherMetadata: true)
    )
    .edited(Data(bytes), .avif).map { [UInt8]($0) }
  }

  @Test(arguments: before, Orientation.allCases)
  func `the display is turned further, and the data are unchanged`(
    properties: [[UInt8]], orientation: Orientation
  ) throws {
    let bytes = HandMade.heif(properties: [HandMade.extents(300, 200)] + properties)
    let was = try inspect(bytes)
    let result = try #require(turned(bytes, by: orientation))
    let now = try inspect(result)
    #expect(now.orientation == was.orientation.followed(by: orientation))
    #expect(now.stored == was.stored)
    #expect(result.suffix(12) == bytes.suffix(12))
    // An image has at most one turn and one mirror, whatever it had before.
    let file = Data(result)
    let isMirrored = now.orientation.isMirrored
    #expect((file.range(of: Data("imir".utf8)) != nil) == isMirrored)
    // The inverse turn restores the file.
    let back = try #require(turned(result, by: orientation.inverse))
    #expect(try inspect(back).orientation == was.orientation)
  }

  @Test func `a picture that is cut after it is turned is not turned by properties`() {
    let cut = HandMade.box(
      "clap", [40, 1, 60, 1, 0, 1, 0, 1].flatMap { HandMade.big32($0) })
    let turn = HandMade.box("irot", [1])
    let extents = HandMade.extents(300, 200)
    #expect(turned(HandMade.heif(properties: [extents, turn, cut]), by: .right) == nil)
    #expect(turned(HandMade.heif(properties: [extents, cut, turn]), by: .right) != nil)
  }

  @Test func `more properties than one byte can number are linked by two`() throws {
    let fillers = (0..<126).map { HandMade.box("free", [UInt8($0)]) }
    let bytes = HandMade.heif(properties: [HandMade.extents(300, 200)] + fillers)
    let result = try #require(turned(bytes, by: .rightMirrored))
    #expect(try inspect(result).orientation == .rightMirrored)
    // The version is 0, and the flag means that numbers have two bytes.
    let links = HandMade.text("ipma") + [0, 0, 0, 1] + HandMade.big32(1)
    #expect(Data(result).range(of: Data(links)) != nil)
  }

  @Test(arguments: ["shared-gain-map.heic", "shared-alpha.heic", "shared-alpha-wide.heic"])
  func `the requested image of several is kept, with everything that belongs to it`(name: String)
    throws
  {
    let seed = try #require(Corpus.headers.first { $0.lastPathComponent == name })
    let bytes = [UInt8](try Data(contentsOf: seed))
    let was = try inspect(bytes)
    #expect(was.pictureCount == 2)
    for page in 1...2 {
      let result = try #require(turned(bytes, by: .right, page: page))
      let now = try inspect(result)
      #expect(now.pictureCount == 1 && now.hasAlpha == was.hasAlpha)
      #expect(now.orientation == was.orientation.followed(by: .right))
      // Only the first image keeps the gain map.
      let hasMap = page == 1 && was.metadata.contains(.gainMap)
      #expect(now.metadata.contains(.gainMap) == hasMap)
    }
  }

  @Test func `an invalid HEIF is not changed`() {
    let bytes = HandMade.heif(properties: [HandMade.extents(300, 200)])
    for length in [0, 40, bytes.count / 2, bytes.count - 1] {
      #expect(turned(Array(bytes.prefix(length)), by: .right) == nil)
    }
    #expect(turned(bytes, by: .right, page: 2) == nil)
  }
}
