import CropCore
import CropImaging
import CropPixels
import Foundation
import TestMaterial
import Testing

/// The XMP of a saved crop names its source, in every format.
@Suite(.enabled(if: !SharedPictures.rows.isEmpty, "no pictures; see CROPKIT_IMAGES"))
struct ProvenanceTests {
  private let engine = CropEngine.inProcess()

  @Test(arguments: ImageFormat.allCases)
  func `a crop in any format states its recipe, its canvas and its source`(format: ImageFormat)
    throws
  {
    let source = try picture("jpeg-444-icc-xmp.jpg")
    let provenance = Provenance(
      recipe: CropRecipe(rect: FrameRect(x: 8, y: 9, width: 100, height: 80), quarterTurns: 1),
      canvas: FilledCanvas(CropCanvas(extent: .ratio(.square), margin: .percent(5)), fill: .edge),
      sourceName: "a \"b\" <c> & d's\u{1F4F7}.jpg", sourceBytes: 12_345,
      checksum: String(repeating: "0f", count: 32))
    let result = try engine.crop(
      source, recipe: provenance.recipe,
      options: ResultOptions(format: format, provenance: provenance))
    let made = ImageSource(bytes: result.bytes, name: "made")
    #expect(Provenance(in: made) == provenance)
    #expect(try engine.info(made).metadata.contains(.xmp))
  }

  /// A JPEG with EXIF of 60 KiB and a color profile of 800 KiB, both incompressible.
  private func heavy() throws -> ImageSource {
    var random = Seeded(seed: 7)
    func noise(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
    let plain = Array(try picture("jpeg-444-icc-xmp.jpg").allBytes())
    var profile: [UInt8] = []
    var segments: [[UInt8]] = []
    var at = 2
    while plain[at + 1] != 0xDA {
      let end = at + 2 + Int(plain[at + 2]) << 8 + Int(plain[at + 3])
      let segment = Array(plain[at..<end])
      if segment[1] == 0xE2, segment[4...].starts(with: "ICC_PROFILE\0".utf8) {
        profile += segment[18...]
      } else if segment[1] != 0xE1 {
        segments.append(segment)
      }
      at = end
    }
    try #require(profile.count > 128)
    profile += noise(800_000)
    for (index, shift) in [24, 16, 8, 0].enumerated() {
      profile[index] = UInt8(truncatingIfNeeded: profile.count >> shift)
    }
    func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      let length = content.count + 2
      return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }
    // One directory with a user comment (0x9286, undefined bytes) after it.
    let comment = noise(60_000)
    var exif = Array("Exif\0\0II*\0".utf8)
    exif += [8, 0, 0, 0, 1, 0, 0x86, 0x92, 7, 0, 0x60, 0xEA, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]
    exif += comment
    let most = 60_000
    let parts = (profile.count + most - 1) / most
    var file: [UInt8] = [0xFF, 0xD8] + segment(0xE1, exif)
    for part in 0..<parts {
      var content = Array("ICC_PROFILE\0".utf8)
      content += [UInt8(part + 1), UInt8(parts)]
      content += profile[(part * most)..<min((part + 1) * most, profile.count)]
      file += segment(0xE2, content)
    }
    return ImageSource(bytes: Data(file + segments.joined() + plain[at...]), name: "heavy.jpg")
  }

  @Test(
    arguments: Thorough.all(ImageFormat.allCases, or: 2),
    [nil, OutputSize.exact(width: 1500, height: 1200)])
  func `it is found next to large metadata and in large files`(
    format: ImageFormat, output: OutputSize?
  ) throws {
    let provenance = Provenance(
      recipe: CropRecipe(rect: FrameRect(x: 8, y: 9, width: 100, height: 80), output: output),
      sourceName: "heavy.jpg", sourceBytes: 9, checksum: String(repeating: "0f", count: 32))
    let result = try engine.crop(
      heavy(), recipe: provenance.recipe,
      options: ResultOptions(format: format, quality: 100, provenance: provenance))
    let made = ImageSource(bytes: result.bytes, name: "made")
    #expect(Provenance(in: made) == provenance, "\(result.byteCount) bytes")
    #expect(try engine.summary(made).hasXMP)
  }

  @Test func `a lossless crop and a complete copy state it too`() throws {
    let source = try picture("jpeg-420-227x149.jpg")
    for rect in [FrameRect(x: 16, y: 16, width: 64, height: 48), nil] {
      let provenance = Provenance(
        recipe: CropRecipe(rect: rect), sourceName: "x.jpg", sourceBytes: 9,
        checksum: String(repeating: "a", count: 64))
      let result = try engine.crop(
        source, recipe: provenance.recipe,
        options: ResultOptions(metadata: .stripAll, provenance: provenance))
      #expect(result.isLossless)
      #expect(Provenance(in: ImageSource(bytes: result.bytes, name: "made")) == provenance)
    }
  }

  @Test(
    .enabled(if: exiftool != nil, "no exiftool"),
    arguments: Thorough.all(ImageFormat.allCases, or: 2))
  func `it is found after another program has rewritten the packet`(
    format: ImageFormat
  ) throws {
    let provenance = Provenance(
      recipe: CropRecipe(rect: FrameRect(x: 8, y: 9, width: 100, height: 80), isMirrored: true),
      sourceName: "a \"b\" <c> & d's\u{1F4F7}.jpg", sourceBytes: 12_345,
      checksum: String(repeating: "0f", count: 32))
    let result = try engine.crop(
      picture("jpeg-444-icc-xmp.jpg"), recipe: provenance.recipe,
      options: ResultOptions(format: format, provenance: provenance))
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("rewritten-\(UUID()).\(format)")
    defer { try? FileManager.default.removeItem(at: file) }
    try result.bytes.write(to: file)
    let program = Process()
    program.executableURL = URL(fileURLWithPath: try #require(Self.exiftool))
    program.arguments = ["-q", "-overwrite_original", "-XMP-dc:Title=Hill", file.path]
    try program.run()
    program.waitUntilExit()
    try #require(program.terminationStatus == 0)
    let written = try Data(contentsOf: file)
    #expect(written.range(of: Data("<cropkit:recipe>".utf8)) != nil, "in elements")
    #expect(Provenance(in: ImageSource(bytes: written, name: "rewritten")) == provenance)
    // The next crop only names its source.
    var next = provenance
    next.sourceName = "rewritten"
    next.recipe = CropRecipe(rect: FrameRect(x: 1, y: 2, width: 30, height: 20))
    let second = try engine.crop(
      ImageSource(bytes: written, name: "rewritten"), recipe: next.recipe,
      options: ResultOptions(provenance: next))
    #expect(Provenance(in: ImageSource(bytes: second.bytes, name: "second")) == next)
    #expect(second.bytes.range(of: Data("12345".utf8)) != nil)
    #expect(second.bytes.range(of: Data("d's".utf8)) == nil)
  }

  private static let exiftool = ["/usr/bin/exiftool", "/usr/local/bin/exiftool"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(arguments: [
    // Attributes in other quotation marks, with another prefix.
    """
    <rdf:Description xmlns:k='urn:cropkit:provenance:1' k:sourceSHA256='SUM' k:sourceBytes = '77'
    k:recipe='{"version": 1, "quarterTurns": 1}' k:sourceName='d&apos;s &#x1F4F7;&#38;.jpg'/>
    """,
    // Elements, some with references to characters.
    """
    <rdf:Description xmlns:k='urn:cropkit:provenance:1'><k:sourceName>d's &#128247;&amp;.jpg</k:sourceName
    ><k:sourceBytes>77</k:sourceBytes><k:recipe>{&quot;version&quot;: 1, "quarterTurns": 1}</k:recipe>
    <!-- and --><k:sourceSHA256>SUM</k:sourceSHA256></rdf:Description>
    """,
    // Both.
    """
    <rdf:Description xmlns:k='urn:cropkit:provenance:1' k:sourceSHA256="SUM" k:sourceBytes="77">
    <k:recipe xml:lang="de">{&#34;version&#34;: 1, "quarterTurns": 1}</k:recipe><k:sourceName>d's \u{1F4F7}&amp;.jpg</k:sourceName>
    </rdf:Description>
    """,
  ])
  func `attributes and elements are read alike`(description: String) throws {
    let sum = String(repeating: "c3", count: 32)
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      \(description.replacingOccurrences(of: "SUM", with: sum))</rdf:RDF></x:xmpmeta>
      """
    let plain = Array(try picture("jpeg-420-227x149.jpg").allBytes())
    let content = Array("http://ns.adobe.com/xap/1.0/\0\(packet)".utf8)
    let length = content.count + 2
    let head = plain[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)]
    let source = ImageSource(bytes: Data(head + content + plain[2...]), name: "made")
    let expected = Provenance(
      recipe: CropRecipe(quarterTurns: 1), sourceName: "d's \u{1F4F7}&.jpg", sourceBytes: 77,
      checksum: sum)
    #expect(Provenance(in: source) == expected)
  }

  @Test func `it is added to a packet with another prefix for RDF`() throws {
    let packet = """
      <m:xmpmeta xmlns:m="adobe:ns:meta/"><R:RDF xmlns:R="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <R:Description R:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="Hill"/></R:RDF></m:xmpmeta>
      """
    let plain = Array(try picture("jpeg-420-227x149.jpg").allBytes())
    let content = Array("http://ns.adobe.com/xap/1.0/\0\(packet)".utf8)
    let length = content.count + 2
    let head = plain[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)]
    let provenance = Provenance(
      recipe: CropRecipe(rect: FrameRect(x: 16, y: 16, width: 64, height: 48)), sourceName: "x.jpg",
      sourceBytes: 9, checksum: String(repeating: "a", count: 64))
    let result = try engine.crop(
      ImageSource(bytes: Data(head + content + plain[2...]), name: "made"),
      recipe: provenance.recipe, options: ResultOptions(provenance: provenance))
    #expect(Provenance(in: ImageSource(bytes: result.bytes, name: "result")) == provenance)
    #expect(result.bytes.range(of: Data("Hill".utf8)) != nil)
  }

  @Test func `a crop of a crop only states the last one`() throws {
    func reported(_ name: String) -> ResultOptions {
      ResultOptions(
        provenance: Provenance(
          recipe: CropRecipe(), sourceName: name, sourceBytes: 9,
          checksum: String(repeating: "b", count: 64)))
    }
    let recipe = CropRecipe(rect: FrameRect(x: 0, y: 0, width: 100, height: 80))
    let first = try engine.crop(
      picture("jpeg-444-icc-xmp.jpg"), recipe: recipe, options: reported("first.jpg"))
    let second = try engine.crop(
      ImageSource(bytes: first.bytes, name: "first"), recipe: recipe,
      options: reported("second.jpg"))
    let source = ImageSource(bytes: second.bytes, name: "second")
    #expect(Provenance(in: source)?.sourceName == "second.jpg")
    #expect(second.bytes.range(of: Data("first.jpg".utf8)) == nil)
    let third = try engine.crop(
      source, recipe: CropRecipe(rect: FrameRect(x: 0, y: 0, width: 50, height: 40)))
    #expect(Provenance(in: ImageSource(bytes: third.bytes, name: "third")) == nil)
  }

  private func picture(_ name: String) throws -> ImageSource {
    try ImageSource(path: "\(SharedPictures.folder)/\(name)")
  }
}
