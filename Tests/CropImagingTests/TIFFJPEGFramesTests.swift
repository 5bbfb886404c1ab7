import CropCore
import CropImaging
import Foundation
import TestMaterial
import Testing

@Suite struct `TIFFs whose pixels are JPEGs` {
  /// A piece that ends after its frame header, which comes after a comment.
  private static func piece(
    _ width: Int, _ height: Int, components: Int, depth: UInt8 = 8
  ) -> [UInt8] {
    let parts = (0..<components).flatMap { number -> [UInt8] in [UInt8(number + 1), 0x11, 0] }
    return HandMade.all(
      [0xFF, 0xD8, 0xFF, 0xFE, 0, 4, 1, 2, 0xFF, 0xFF, 0xC0],
      HandMade.big16(8 + parts.count), [depth], HandMade.big16(height), HandMade.big16(width),
      [UInt8(components)], parts)
  }

  /// A page of 40 × 30 pixels in one strip or tile, which is at the end of the file.
  private static func file(
    _ piece: [UInt8], photometric: Int, samples: Int, _ further: [(Int, Int, Int)] = []
  ) -> [UInt8] {
    func file(at place: Int) -> [UInt8] {
      let fields = [
        (259, 3, 7), (262, 3, photometric), (277, 3, samples), (273, 4, place),
        (279, 4, piece.count),
      ]
      return HandMade.tiff(fields + further, width: 40, height: 30) + piece
    }
    return file(at: file(at: 0).count - piece.count)
  }

  @Test(arguments: [(1, 1), (0, 1), (2, 3), (6, 3), (5, 4)])
  func `a frame that has the page's size and channels is read`(
    photometric: Int, samples: Int
  ) throws {
    let piece = Self.piece(40, 30, components: samples)
    let info = try inspect(Self.file(piece, photometric: photometric, samples: samples))
    #expect(info.stored == BitmapSize(width: 40, height: 30))
  }

  @Test func `an extra channel is one of the frame's components`() throws {
    let piece = Self.piece(40, 30, components: 4)
    _ = try inspect(Self.file(piece, photometric: 2, samples: 4, [(338, 3, 1)]))
    #expect(inspectionFailure(Self.file(piece, photometric: 2, samples: 4))?.exitStatus == 69)
  }

  @Test(arguments: [(1, 3), (0, 4), (1, 4), (2, 1), (6, 4), (6, 1), (5, 3)])
  func `channels that do not fit the page's colors are refused`(
    photometric: Int, samples: Int
  ) {
    let piece = Self.piece(40, 30, components: samples)
    let error = inspectionFailure(Self.file(piece, photometric: photometric, samples: samples))
    #expect(error?.exitStatus == 69, "\(error?.description ?? "none")")
  }

  @Test(arguments: [(39, 30, 3), (41, 30, 3), (40, 29, 3), (40, 31, 3), (40, 0, 3), (40, 30, 1)])
  func `a frame of another size or number of components is refused`(
    width: Int, height: Int, components: Int
  ) {
    let piece = Self.piece(width, height, components: components)
    let error = inspectionFailure(Self.file(piece, photometric: 6, samples: 3))
    #expect(error?.exitStatus == 69, "\(error?.description ?? "none")")
  }

  @Test func `a frame of another depth is refused, and a piece without one is damaged`() {
    let deep = Self.piece(40, 30, components: 1, depth: 12)
    #expect(inspectionFailure(Self.file(deep, photometric: 1, samples: 1))?.exitStatus == 69)
    let none: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDA, 0, 4, 1, 2, 3, 4]
    #expect(inspectionFailure(Self.file(none, photometric: 1, samples: 1))?.code == "corrupt")
  }

  @Test func `a strip is at most as high as the page`() {
    for (height, isRead) in [(30, true), (32, false), (29, false)] {
      let file = Self.file(
        Self.piece(40, height, components: 1), photometric: 1, samples: 1, [(278, 4, 32)])
      #expect((inspectionFailure(file) == nil) == isRead, "\(height)")
    }
  }

  @Test func `a tile has its whole size`() {
    func refusal(_ width: Int, _ height: Int) -> CropError? {
      let piece = Self.piece(width, height, components: 1)
      func file(at place: Int) -> [UInt8] {
        HandMade.tiff(
          [
            (259, 3, 7), (322, 3, 48), (323, 3, 32), (324, 4, place), (325, 4, piece.count),
          ], width: 40, height: 30) + piece
      }
      return inspectionFailure(file(at: file(at: 0).count - piece.count))
    }
    #expect(refusal(48, 32) == nil)
    #expect(refusal(40, 30)?.exitStatus == 69)
    #expect(refusal(48, 30)?.exitStatus == 69)
  }
}
