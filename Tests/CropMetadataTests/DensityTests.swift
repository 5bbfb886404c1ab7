import TestMaterial
import Testing

@testable import CropCore
@testable import CropMetadata

/// The density in EXIF, XMP and Photoshop's resources.
struct DensityTests {
  private func short(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

  private func long(_ value: Int) -> [UInt8] { short(value & 0xFFFF) + short(value >> 16) }

  private func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
    short(tag) + short(type) + long(count) + long(value)
  }

  /// A block with a maker, and with a density if `has` it.
  private func block(density has: Bool) -> [UInt8] {
    var bytes: [UInt8] = Array("II".utf8) + [42, 0, 8, 0, 0, 0]
    if has {
      // Four fields; the fractions are at 62 and 70.
      bytes += short(4) + entry(0x010F, 2, 4, 0x0041_4141) + entry(0x011A, 5, 1, 62)
      bytes += entry(0x011B, 5, 1, 70) + entry(0x0128, 3, 1, 3) + long(0)
      bytes += long(28) + long(1) + long(28) + long(1)
    } else {
      bytes += short(2) + entry(0x010F, 2, 4, 0x0041_4141) + entry(0x0131, 2, 4, 0x0042_4242)
      bytes += long(0)
    }
    return bytes
  }

  /// The fields of a block's main directory: the number of each, or its fraction.
  private func fields(_ block: [UInt8]) throws -> [Int: Double] {
    var bytes = block
    let structure = try #require(TIFFStructure(&bytes, base: 0, length: bytes.count))
    let directory = try #require(structure.directory(structure.firstDirectory, &bytes))
    #expect(directory.fields.map(\.tag) == directory.fields.map(\.tag).sorted())
    var found: [Int: Double] = [:]
    for field in directory.fields {
      found[field.tag] =
        structure.fraction(field, &bytes) ?? structure.number(field, &bytes).map(Double.init) ?? -1
    }
    return found
  }

  @Test func `existing fields change in place`() throws {
    let source = block(density: true)
    let stated = try #require(
      EXIFBlock.stating(PixelDensity(across: 300, down: 150.5), in: source))
    #expect(stated.count == source.count)
    #expect(try fields(stated) == [0x010F: -1, 0x011A: 300, 0x011B: 150.5, 0x0128: 2])
    // Nothing else.
    let changed = source.indices.filter { source[$0] != stated[$0] }
    #expect(changed.allSatisfy { $0 >= 46 })
  }

  @Test(arguments: [false, true]) func `missing fields are added, in order`(hasMark: Bool) throws {
    let source = (hasMark ? Array("Exif\0\0".utf8) : []) + block(density: false)
    let stated = try #require(EXIFBlock.stating(PixelDensity(dpi: 240), in: source))
    let plain = hasMark ? Array(stated.dropFirst(6)) : stated
    #expect(stated.starts(with: Array("Exif\0\0".utf8)) == hasMark)
    #expect(
      try fields(plain) == [0x010F: -1, 0x011A: 240, 0x011B: 240, 0x0128: 2, 0x0131: -1])
    // Once there, they change in place.
    let again = try #require(EXIFBlock.stating(PixelDensity(dpi: 72), in: stated))
    #expect(again.count == stated.count)
  }

  @Test func `a new block states only the density`() throws {
    let block = EXIFBlock.block(PixelDensity(dpi: 600))
    #expect(try fields(block) == [0x011A: 600, 0x011B: 600, 0x0128: 2])
    #expect(EXIFBlock.stating(PixelDensity(dpi: 300), in: block)?.count == block.count)
  }

  @Test func `an edit keeps, states or drops the density`() throws {
    func edited(_ density: DensityEdit, _ source: [UInt8]) throws -> [Int: Double] {
      let edit = MetadataEdit(width: 4, height: 3, policy: .keep, density: density)
      return try fields(#require(EXIFBlock(source, edit: edit)).bytes)
    }
    let source = block(density: true)
    #expect(try edited(.kept, source)[0x011A] == 28)
    #expect(try edited(.dropped, source) == [0x010F: -1])
    #expect(try edited(.stated(PixelDensity(dpi: 300)), source)[0x011A] == 300)
    #expect(try edited(.stated(PixelDensity(dpi: 300)), block(density: false))[0x011B] == 300)
  }

  @Test func `damaged blocks are left alone`() {
    let density = PixelDensity(dpi: 300)
    #expect(EXIFBlock.stating(density, in: []) == nil)
    #expect(EXIFBlock.stating(density, in: Array("Exif\0\0".utf8)) == nil)
    var random = Seeded(seed: 0x0560_0003)
    for _ in 0..<20_000 {
      var bytes = block(density: random.chance(0.5))
      for _ in 0...random.int(0...3) {
        bytes[random.int(0...bytes.count - 1)] = UInt8(random.int(0...255))
      }
      if random.chance(0.2) { bytes.removeLast(random.int(0...bytes.count)) }
      // No crash, and no block that can't be read.
      if let stated = EXIFBlock.stating(density, in: bytes) { #expect(!stated.isEmpty) }
    }
  }

  @Test(arguments: [1e-9, 0.004, 1, 72.5, 299.9999, 65_535, 1e12])
  func `any density is a valid fraction`(dpi: Double) throws {
    let stated = try fields(EXIFBlock.block(PixelDensity(across: dpi, down: dpi)))
    let read = try #require(stated[0x011A])
    #expect(read > 0 && read.isFinite)
    if (1...65_535).contains(dpi) { #expect(abs(read - dpi) < 0.001) }
  }

  private let packet = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" \
    xmlns:xmp="http://ns.adobe.com/xap/1.0/" tiff:XResolution="72/1" xmp:Rating="3" \
    tiff:Orientation="6"><tiff:YResolution>72/1</tiff:YResolution>\
    <tiff:ResolutionUnit>2</tiff:ResolutionUnit></rdf:Description></rdf:RDF></x:xmpmeta>
    """

  @Test func `only the density leaves a packet whose density changes`() throws {
    let changed = String(
      decoding: try #require(XMPPacket.withoutDensity(Array(packet.utf8))), as: UTF8.self)
    #expect(!changed.contains("Resolution"))
    #expect(changed.contains("xmp:Rating=\"3\"") && changed.contains("tiff:Orientation=\"6\""))
    #expect(XMPPacket.withoutDensity(Array(changed.utf8)) == nil)
    for (density, isKept) in [
      (DensityEdit.kept, true), (.dropped, false), (.stated(PixelDensity(dpi: 9)), false),
    ] {
      let edit = MetadataEdit(width: 4, height: 3, policy: .keep, density: density)
      let edited = try #require(XMPPacket(Array(packet.utf8), edit: edit)).bytes
      #expect(String(decoding: edited, as: UTF8.self).contains("Resolution") == isKept)
    }
  }

  @Test func `Photoshop's resource states the density`() {
    var bytes = Array("Photoshop 3.0\0".utf8) + Array("8BIM".utf8) + [3, 0xED, 0, 0, 0, 0, 0, 16]
    let start = bytes.count
    bytes += [0, 72, 0, 0, 0, 1, 0, 1, 0, 72, 0, 0, 0, 1, 0, 1]
    let source = bytes
    IPTCRecords.state(PixelDensity(across: 300, down: 150.5), in: &bytes)
    #expect(Array(bytes[start...]) == [1, 44, 0, 0, 0, 1, 0, 1, 0, 150, 128, 0, 0, 1, 0, 1])
    #expect(bytes[..<start] == source[..<start])
    for count in 0..<source.count {
      var cut = Array(source[..<count])
      IPTCRecords.state(PixelDensity(dpi: 300), in: &cut)
      #expect(cut == Array(source[..<count]))
    }
  }
}
