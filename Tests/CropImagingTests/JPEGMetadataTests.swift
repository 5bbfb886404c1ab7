import Foundation
import TestMaterial
import Testing

@testable import CropCore
@testable import CropFormats
@testable import CropImaging
@testable import struct CropMetadata.EXIFBlock

extension MadeJPEG {
  static let hidden = Array("HIDDEN".utf8)

  /// A JPEG that hides data in every known place.
  static func hoard() throws -> [UInt8] {
    let plain = try make(64, 48)
    let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2] + hidden + [0xFF, 0xD9]
    let jfif = HandMade.all(
      HandMade.text("JFIF\0"), [1, 2, 1, 0, 72, 0, 72, 2, 1], hidden)
    var exif = EXIFBlock.block(.right)
    // The link to a second directory, which does not exist; the thumbnail follows.
    exif.replaceSubrange(22..<26, with: [0, 0, 0, 26])
    exif += picture
    var profile = [UInt8](repeating: 0, count: 128)
    profile.replaceSubrange(0..<4, with: [0, 0, 0, 128])
    profile.replaceSubrange(36..<40, with: Array("acsp".utf8))
    let photoshop = HandMade.all(
      HandMade.text("Photoshop 3.0\0"), HandMade.text("8BIM"), [0x04, 0x0C, 0, 0],
      HandMade.big32(picture.count), picture)
    let segments = [
      HandMade.segment(0xE0, jfif), HandMade.segment(0xE0, Array("JFXX\0\u{10}".utf8) + picture),
      HandMade.exifSegment(exif),
      HandMade.segment(0xE1, Array("http://ns.adobe.com/xmp/extension/\0".utf8) + hidden),
      HandMade.segment(
        0xE1,
        Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta><rdf:RDF><rdf:Description".utf8)
          + Array(" tiff:Orientation='6'><xmp:Thumbnails>HIDDEN</xmp:Thumbnails>".utf8)
          + Array("<dc:title>Hill</dc:title></rdf:Description></rdf:RDF></x:xmpmeta>".utf8)),
      HandMade.segment(0xE2, Array("MPF\0".utf8) + hidden),
      HandMade.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile + hidden),
      HandMade.segment(0xEB, Array("JP".utf8) + hidden), HandMade.segment(0xED, photoshop),
      HandMade.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1] + hidden),
      HandMade.segment(0xFE, picture), HandMade.segment(0xFE, Array("a word".utf8)),
      HandMade.segment(0xE5, hidden),
    ]
    return Array(plain[..<2]) + segments.joined() + Array(plain[2...]) + picture
  }
}

@Suite struct `Metadata of a cut JPEG` {
  @Test(arguments: [LosslessMode.never, .exact], [MetadataPolicy.keep, .stripAll])
  func `no picture is left in any place`(mode: LosslessMode, policy: MetadataPolicy) throws {
    let result = try MadeJPEG.crop(
      try MadeJPEG.hoard(), CropRecipe(16, 16, 16, 16),
      ResultOptions(lossless: mode, metadata: policy))
    #expect(result.isLossless == (mode == .exact))
    let bytes = [UInt8](result.bytes)
    #expect(!bytes.contains(MadeJPEG.hidden))
    let info = try MadeJPEG.info(result.bytes)
    #expect(info.orientation == (mode == .exact ? .right : .up))
    #expect(info.metadata.contains(.icc))
    for gone in [MetadataKind.thumbnail, .multiPicture, .credentials, .trailer] {
      #expect(!info.metadata.contains(gone))
    }
    #expect(bytes.contains(Array("a word".utf8)) == (policy == .keep))
    #expect(bytes.contains(Array("Hill".utf8)) == (policy == .keep))
    let flag = mode == .exact ? 6 : 1
    #expect(
      bytes.contains(Array("tiff:Orientation=\"\(flag)\"".utf8)) == (policy == .keep))
  }

  @Test func `an orientation finds room in a block that had none`() throws {
    let plain = try MadeJPEG.make(64, 48)
    // One field: the camera's maker, after the directory.
    var exif: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0]
    exif += [0x0F, 0x01, 2, 0, 5, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0] + Array("Acme\0".utf8)
    let file = Array(plain[..<2]) + HandMade.exifSegment(exif) + Array(plain[2...])
    let result = try MadeJPEG.crop(file, CropRecipe(0, 0, 16, 32, turn: .left))
    #expect(result.isLossless)
    let info = try MadeJPEG.info(result.bytes)
    #expect(info.orientation == .left)
    #expect([UInt8](result.bytes).contains(Array("Acme".utf8)))
  }

  @Test(arguments: [MetadataPolicy.keep, .stripLocation, .stripAll])
  func `Photoshop's copyright flag and URL stay`(policy: MetadataPolicy) throws {
    let plain = try MadeJPEG.make(64, 48)
    func resource(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
      HandMade.text("8BIM") + [4, number, 0, 0] + HandMade.big32(content.count) + content
        + (content.count % 2 == 1 ? [0] : [])
    }
    let (flag, url) = (resource(0x0A, [1]), resource(0x0B, HandMade.text("https://example.org/a")))
    let segment = HandMade.segment(
      0xED, HandMade.text("Photoshop 3.0\0") + flag + resource(0x0C, MadeJPEG.hidden) + url)
    let file = Array(plain[..<2]) + segment + Array(plain[2...])
    for mode in [LosslessMode.never, .exact] {
      let result = try MadeJPEG.crop(
        file, CropRecipe(16, 16, 16, 16), ResultOptions(lossless: mode, metadata: policy))
      let bytes = [UInt8](result.bytes)
      #expect(bytes.contains(flag) == (policy != .stripAll))
      #expect(bytes.contains(url) == (policy != .stripAll))
      #expect(!bytes.contains(MadeJPEG.hidden))
    }
  }

  @Test func `damage is an error or a picture, never a crash`() throws {
    var random = Seeded(seed: Soak.seed(of: "damaged metadata"))
    func next(_ bound: Int) -> Int { random.int(0...bound - 1) }
    for arguments in [["-sample", "2x2"], ["-progressive"], ["-arithmetic"]] {
      let whole = try MadeJPEG.make(80, 70, arguments, orientation: .right)
      for _ in 0..<400 {
        var file = whole
        for _ in 0..<1 + next(4) { file[next(file.count)] = UInt8(next(256)) }
        if next(5) == 0 { file.removeLast(next(file.count - 2)) }
        let options = ResultOptions(
          lossless: [.never, .exact, .snap][next(3)], isBaked: next(2) == 0)
        let recipe = CropRecipe(next(20), next(20), 1 + next(40), 1 + next(40))
        let result: CropResult
        do throws(CropError) {
          result = try MadeJPEG.crop(file, recipe, options)
        } catch {
          // An invalid recipe: the damage may have made the image smaller.
          #expect([64, 65, 69].contains(error.exitStatus), "\(error)")
          continue
        }
        let shown = try MadeJPEG.info(result.bytes).shown
        #expect(FrameSize(width: shown.width, height: shown.height) == result.size)
      }
    }
  }
}
