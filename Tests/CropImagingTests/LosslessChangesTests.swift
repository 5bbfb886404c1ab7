import Foundation
import TestMaterial
import Testing

@testable import CropCore
@testable import CropImaging

@Suite struct `Changes that need no new encoding` {
  private func changes(_ bytes: [UInt8]) throws -> LosslessChanges {
    try CropEngine(backend: NoBackend()).open(
      ImageSource(bytes: Data(bytes), name: "picture")
    ).losslessChanges
  }

  @Test(arguments: 1...8)
  func `a JPEG is cropped and turned, whatever its orientation`(number: Int) throws {
    let found = try changes(HandMade.jpeg(HandMade.exifSegment(HandMade.exif(number))))
    #expect(found == LosslessChanges(crop: true, turn: true, obstacle: nil))
  }

  @Test func `a JPEG without its detail is neither, and says why`() throws {
    // A progressive JPEG whose only scan has the first coefficient of each block.
    let scan = HandMade.segment(0xDA, [3, 1, 0, 2, 0x11, 3, 0x11, 0, 0, 0]) + [0x12, 0x34]
    let frame = HandMade.frame(16, 8, marker: 0xC2)
    let found = try changes(HandMade.start + frame + scan + HandMade.end)
    #expect(found == LosslessChanges(crop: false, turn: false, obstacle: .missingScans))
  }

  @Test func `other formats`() throws {
    #expect(
      try changes(HandMade.png()) == LosslessChanges(crop: true, turn: true, obstacle: nil))
    let heif = HandMade.heif(properties: [HandMade.extents(30, 20)])
    #expect(try changes(heif) == LosslessChanges(crop: false, turn: true, obstacle: nil))
    let gif = HandMade.gif(4, 4, [HandMade.gifFrame(0, 0, 4, 4)])
    #expect(try changes(gif) == LosslessChanges(crop: nil, turn: nil, obstacle: nil))
  }
}
