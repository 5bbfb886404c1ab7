import CropCore
import FoundationEssentials

/// A part of an image with a meaning, stored in its XMP: `ImageRegion` of the IPTC Photo Metadata
/// Standard 2019.1 and later.
///
/// Positions are fractions of the sides of the upright image. Only rectangles are supported.
public struct ImageRegion: Hashable, Sendable {
  /// The name; empty if the region has none.
  public var name: String
  /// The roles: the last components of the identifiers under ``roles``, such as `squareCropping`.
  public var roles: [String]
  /// The rectangle of the region.
  public var box: FocusBox

  /// A region with the given name, roles and rectangle.
  public init(name: String, roles: [String], box: FocusBox) {
    self.name = name
    self.roles = roles
    self.box = box
  }

  static let vocabulary = "http://cv.iptc.org/newscodes/imageregionrole/"
}

extension ImageRegion {
  /// A region that describes a crop of the given ratio.
  public static func crop(_ name: String, _ box: FocusBox, ratio: AspectRatio) -> Self {
    let kind =
      ratio.width == ratio.height
      ? "squareCropping" : ratio.width > ratio.height ? "landscapeCropping" : "portraitCropping"
    return Self(name: name, roles: ["cropping", kind], box: box)
  }

  /// A region that describes the focus.
  public static func focus(_ box: FocusBox) -> Self {
    Self(name: "focus", roles: ["mainSubjectArea"], box: box)
  }

  /// Whether the region describes a crop.
  public var isCrop: Bool { roles.contains { $0 == "cropping" || $0.hasSuffix("Cropping") } }

  /// Whether the region describes the focus, which a crop should keep.
  public var isFocus: Bool { roles.contains("mainSubjectArea") }

  /// The regions in the XMP of an image of the given upright size; empty if the XMP can't be
  /// parsed.
  public static func all(in source: ImageSource, of image: ImageSize) -> [Self] {
    guard let xmp = ImageMetadata(source).blocks.xmp, !image.isEmpty else { return [] }
    var reader = ImageRegionReader(xmp)
    return reader.run() ? reader.found.compactMap { $0.region(of: image) } : []
  }
}

extension ImageRegion {
  /// The start of the identifiers of regions that CropKit wrote; these are replaced.
  static let ownIdentifier = "cropkit-"

  /// Adds these regions to those that other programs wrote to a JPEG, and returns the new file;
  /// everything else stays the same.
  ///
  /// - Throws: `CropError.usage` if the file is not a JPEG, or if the regions do not fit into its
  ///   XMP.
  public static func added(
    _ regions: [Self], toJPEG source: ImageSource
  ) throws(CropError) -> Data {
    let file = try source.allBytes()
    func refused(_ why: String) -> CropError {
      .usage(detail: "\(source.name): image regions can't be written into it: \(why)")
    }
    let segments = JPEGSegments.applications(in: file)
    guard file.starts(with: [0xFF, 0xD8]) else { throw refused("it is not a JPEG") }
    // Data after the first image are addressed relative to the MPF segment.
    guard !segments.contains(where: { $0.marker == 0xE2 && $0.content.starts(with: "MPF\0".utf8) })
    else { throw refused("other images follow in the file") }
    let mark = JPEGSegments.xmpMark
    let place = segments.firstIndex { $0.marker == 0xE1 && $0.content.starts(with: mark) }
    let old = place.map { Array(segments[$0].content[mark.count...]) }
    guard let xmp = added(regions, to: old), xmp.count <= JPEGSegments.mostXMP else {
      throw refused("its XMP is not understood, or too long")
    }
    // XMP goes after JFIF and EXIF, which must come first.
    let isFirst = segments.map { $0.marker == 0xE0 || $0.marker == 0xE1 }
    let at = place ?? isFirst.lastIndex(of: true).map { $0 + 1 } ?? 0
    let start = 2 + segments[..<at].reduce(0) { $0 + 4 + $1.content.count }
    let end = start + (place.map { 4 + segments[$0].content.count } ?? 0)
    var result = Data(capacity: file.count + xmp.count)
    result += file.prefix(start)
    result += JPEGSegments.segment(0xE1, mark + xmp)
    result += file.dropFirst(end)
    return result
  }

  /// The packet with these regions, and without those that CropKit wrote earlier; nil if it can't
  /// be parsed.
  static func added(_ regions: [Self], to xmp: [UInt8]?) -> [UInt8]? {
    let items = regions.enumerated().map { $1.item(number: $0 + 1) }.joined()
    guard let xmp else { return XMPText.packet(description(items)) }
    var reader = ImageRegionReader(xmp)
    guard reader.run() else { return nil }
    guard let end = reader.endOfList else {
      return XMPText.added(description(items, declaring: true), to: xmp)
    }
    var result: [UInt8] = []
    var at = 0
    for old in reader.found where old.identifier.hasPrefix(ownIdentifier) {
      result += xmp[at..<old.range.lowerBound]
      at = old.range.upperBound
    }
    return result + Array(xmp[at..<end]) + Array(items.utf8) + Array(xmp[end...])
  }

  private static func description(_ items: String, declaring: Bool = false) -> String {
    """
    <rdf:Description \(declaring ? "\(XMPText.rdf) " : "")rdf:about="" \(namespace)>\
    <Iptc4xmpExt:ImageRegion><rdf:Bag>\(items)</rdf:Bag></Iptc4xmpExt:ImageRegion></rdf:Description>
    """
  }

  private static var namespace: String {
    "xmlns:Iptc4xmpExt=\"http://iptc.org/std/Iptc4xmpExt/2008-02-29/\""
  }

  private func item(number: Int) -> String {
    func property(_ name: String, _ text: String) -> String {
      "<Iptc4xmpExt:\(name)>\(text)</Iptc4xmpExt:\(name)>"
    }
    func named(_ name: String) -> String {
      property(
        "Name",
        "<rdf:Alt><rdf:li xml:lang=\"x-default\">\(XMPText.escaped(name))</rdf:li></rdf:Alt>")
    }
    let sides = [("rbX", box.x), ("rbY", box.y), ("rbW", box.width), ("rbH", box.height)]
      .map { property($0, Self.decimal($1)) }.joined()
    let roles = roles.map { role in
      """
      <rdf:li rdf:parseType="Resource"><xmp:Identifier><rdf:Bag><rdf:li>\(Self.vocabulary)\(role)\
      </rdf:li></rdf:Bag></xmp:Identifier></rdf:li>
      """
    }.joined()
    return """
      <rdf:li \(XMPText.rdf) \(Self.namespace) xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
      rdf:parseType="Resource">\(named(name))\
      <Iptc4xmpExt:RegionBoundary rdf:parseType="Resource">\(property("rbShape", "rectangle"))\
      \(property("rbUnit", "relative"))\(sides)</Iptc4xmpExt:RegionBoundary>\
      \(property("rId", "\(Self.ownIdentifier)\(number)"))\
      \(property("rRole", "<rdf:Bag>\(roles)</rdf:Bag>"))</rdf:li>
      """
  }

  /// The number without an exponent, to nine decimals, which is far less than a pixel.
  private static func decimal(_ value: Double) -> String {
    let whole = Int((value * 1e9).rounded())
    let digits = String(whole % 1_000_000_000)
    return "\(whole / 1_000_000_000)." + String(repeating: "0", count: 9 - digits.count) + digits
  }
}
