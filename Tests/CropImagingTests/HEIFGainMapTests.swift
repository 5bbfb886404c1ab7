import Foundation
import TestMaterial
import Testing

@testable import CropCore
@testable import CropFormats
@testable import CropJPEG
@testable import CropMetadata
@testable import CropSystem

/// Reading the gain map of a HEIC, and keeping it when the file is edited; `Tests/Peers` has crops.
@Suite struct `The gain map of a HEIC` {
  /// 64 × 64 pixels with a map of half that size, Apple's numbers and a tone-mapped image.
  private static let seed: [UInt8] = {
    let file = Corpus.headers.first { $0.lastPathComponent == "gain-map.heic" }
    return file.flatMap { try? Data(contentsOf: $0) }.map { [UInt8]($0) } ?? []
  }()

  private func info(_ bytes: [UInt8]) throws -> ImageInfo {
    var inspection = Inspection(
      ImageSource(bytes: Data(bytes), name: "a.heic"), limits: Limits(), isLenient: false)
    return try inspection.info()
  }

  @Test func `is named with its size, scale and headroom`() throws {
    let info = try info(Self.seed)
    let map = try #require(info.gainMap)
    #expect(map.kinds == [.apple, .toneMapped] && map.fault == nil && map.place == nil)
    #expect(map.size?.width == 32 && map.size?.height == 32 && map.channels == 1)
    #expect(map.scale == 2 && map.headroom == 3)
    #expect(map.item?.number == 10 && map.item?.orientation == 1)
    // A packet that only describes the map is not the image's XMP.
    #expect(!info.metadata.contains(.xmp) && info.metadata.contains(.gainMap))
  }

  @Test func `is read from packet, note and tone-mapped picture`() throws {
    let source = ImageSource(bytes: Data(Self.seed), name: "a.heic")
    let numbers = try GainMapNumbers(inHEIF: source, page: 1)
    #expect(numbers.kinds == [.iso, .apple])
    #expect(numbers.xmp.values(.apple, "HDRGainMapHeadroom") == [Array("4.0".utf8)])
    #expect(numbers.colors.count == 1)
    let exif = try #require(ImageMetadata(source).blocks.exif)
    #expect(AppleHeadroom(inEXIF: exif)?.stops == 3)
  }

  @Test func `keeps its numbers where the file is edited`() throws {
    for dropsOthers in [false, true] {
      let editor = FileEditor(EditedMetadata(), dropsOthers: dropsOthers)
      let edited = try #require(editor.edited(Data(Self.seed), .heic))
      let map = try #require(try info([UInt8](edited)).gainMap)
      #expect(map.fault == nil && map.size?.width == 32)
      #expect(map.kinds == [.apple, .toneMapped])
      #expect(edited.range(of: Data("HDRGainMapHeadroom>4.0<".utf8)) != nil)
    }
  }

  @Test func `does not make the image invalid if its data are missing`() throws {
    let end = try #require(Data(Self.seed).range(of: Data("<x:xmpmeta".utf8))).lowerBound
    // Numbers and note are removed too; the properties that the image needs are not.
    var broken = Self.seed
    let places = try #require(Data(broken).range(of: Data("iloc".utf8))).upperBound
    // Version and flags, sizes, count, then 14 bytes for each item: the second one is the map.
    broken[places + 8 + 14 + 6] = 0x7F
    #expect(try info(broken).gainMap?.fault == "it is not in the file")
    #expect(throws: CropError.self) { try info(Array(Self.seed[..<(end - 40)])) }
  }

  @Test func `damaged in any byte of the boxes it is refused or named with a fault`() throws {
    let start = try #require(Data(Self.seed).range(of: Data("meta".utf8))).lowerBound
    let end = try #require(Data(Self.seed).range(of: Data("mdat".utf8))).lowerBound
    var sound = 0
    for at in start..<end {
      for value: UInt8 in Thorough.all([0xFF, 0], or: 1) {
        var broken = Self.seed
        broken[at] = value
        guard let map = try? info(broken).gainMap else { continue }
        if map.fault == nil { sound += 1 } else { #expect(map.usableSize == nil) }
        _ = FileEditor(EditedMetadata(), dropsOthers: true).edited(Data(broken), .heic)
      }
    }
    #expect(sound > 0)
  }
}
