import CropCore
import CropFormats
import Foundation
import Testing

/// Image regions in the XMP of a JPEG. `Tests/Peers` tests that other programs understand them.
struct ImageRegionTests {
  /// A JPEG that ends before its tables, which is enough for metadata at its start.
  private func jpeg(_ xmp: String? = nil, behind others: [UInt8] = []) -> Data {
    var bytes: [UInt8] = [0xFF, 0xD8] + others
    if let xmp {
      let content = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.utf8)
      let count = content.count + 2
      bytes += [0xFF, 0xE1, UInt8(count >> 8), UInt8(count & 0xFF)] + content
    }
    // A grayscale frame of 80 × 60 pixels, and the start of its scan.
    bytes += [0xFF, 0xC0, 0, 11, 8, 0, 60, 0, 80, 1, 1, 0x11, 0]
    bytes += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0, 0xFF, 0xD9]
    return Data(bytes)
  }

  private let image = ImageSize(width: 80, height: 60)

  private func read(_ file: Data) -> [ImageRegion] {
    ImageRegion.all(in: ImageSource(bytes: file, name: "a.jpg"), of: image)
  }

  private func added(_ regions: [ImageRegion], to file: Data) throws -> Data {
    try ImageRegion.added(regions, toJPEG: ImageSource(bytes: file, name: "a.jpg"))
  }

  private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) throws -> FocusBox {
    try #require(FocusBox(x: x, y: y, width: width, height: height))
  }

  private func packet(_ property: String) -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <r:Description r:about="" xmlns:e="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" \
    xmlns:p="http://ns.adobe.com/xap/1.0/" p:Rating="4">\(property)</r:Description></r:RDF></x:xmpmeta>
    """
  }

  @Test(arguments: [nil, ""])
  func `written regions can be read`(property: String?) throws {
    let regions = [
      ImageRegion.crop("a & <b>", try box(0.125, 0, 0.5, 1), ratio: .square),
      .crop("wide", try box(0, 0.25, 1, 1 / 3), ratio: try #require(AspectRatio(16, 9))),
      .focus(try box(0.4, 0.5, 0, 0)),
    ]
    let file = jpeg(property.map(packet))
    let made = try added(regions, to: file)
    let found = read(made)
    #expect(found.map(\.name) == ["a & <b>", "wide", "focus"])
    #expect(
      found.map(\.roles) == [
        ["cropping", "squareCropping"], ["cropping", "landscapeCropping"], ["mainSubjectArea"],
      ])
    #expect(found[0].box == regions[0].box && found[2].box == regions[2].box)
    #expect(abs(found[1].box.height - 1 / 3) < 1e-9)
    // Everything after the metadata is unchanged, and so is what other programs wrote.
    #expect(made.suffix(26) == file.suffix(26))
    #expect(property == nil || made.range(of: Data("p:Rating=\"4\"".utf8)) != nil)
  }

  @Test func `regions of others stay, and earlier ones of these go`() throws {
    let face = """
      <e:ImageRegion><r:Bag><r:li r:parseType="Resource"><e:rId>face</e:rId>\
      <e:RegionBoundary e:rbShape="rectangle" e:rbUnit="pixel" e:rbX="8" e:rbY="6" e:rbW="40" \
      e:rbH="30"/><e:rRole><r:Bag><r:li><r:Description><p:Identifier><r:Bag>\
      <r:li>http://cv.iptc.org/newscodes/imageregionrole/subjectArea</r:li></r:Bag></p:Identifier>\
      <e:Name><r:Alt><r:li xml:lang="x-default">subject area</r:li></r:Alt></e:Name>\
      </r:Description></r:li></r:Bag></e:rRole></r:li></r:Bag></e:ImageRegion>
      """
    let file = jpeg(packet(face))
    let there = ImageRegion(name: "face", roles: ["subjectArea"], box: try box(0.1, 0.1, 0.5, 0.5))
    #expect(read(file) == [there])
    let first = try added([.focus(try box(0, 0, 0.5, 0.5))], to: file)
    #expect(read(first).map(\.name) == ["face", "focus"])
    let second = try added([.crop("new", try box(0, 0, 1, 1), ratio: .square)], to: first)
    #expect(read(second).map(\.name) == ["face", "new"])
  }

  @Test func `other shapes and regions outside are ignored`() throws {
    func item(_ boundary: String) -> String {
      "<r:li r:parseType=\"Resource\"><e:RegionBoundary \(boundary)/></r:li>"
    }
    let property = """
      <e:ImageRegion><r:Bag>\(item(#"e:rbShape="circle" e:rbUnit="relative" e:rbX="0" e:rbY="0""#))\
      \(item(#"e:rbShape="rectangle" e:rbUnit="relative" e:rbX="0.5" e:rbY="0" e:rbW="0.6" e:rbH="1""#))\
      \(item(#"e:rbShape="rectangle" e:rbUnit="relative" e:rbX="nan" e:rbY="0" e:rbW="0.6" e:rbH="1""#))\
      </r:Bag></e:ImageRegion>
      """
    #expect(read(jpeg(packet(property))).isEmpty)
  }

  @Test func `nothing is done if it is impossible`() throws {
    let focus = ImageRegion.focus(try box(0, 0, 1, 1))
    #expect(throws: CropError.self) { try added([focus], to: jpeg("<x:xmpmeta")) }
    let further: [UInt8] = [0xFF, 0xE2, 0, 6] + Array("MPF\0".utf8)
    #expect(throws: CropError.self) { try added([focus], to: jpeg(nil, behind: further)) }
    #expect(throws: CropError.self) { try added([focus], to: Data("GIF89a".utf8)) }
    let many = [ImageRegion](repeating: focus, count: 100)
    #expect(throws: CropError.self) { try added(many, to: jpeg()) }
  }
}
