import CropCore

/// The metadata of a gain map as written in its file, kept verbatim.
package struct GainMapNumbers {
  /// The properties of its XMP that concern the map.
  package var xmp = GainMapXMP([])
  /// The content of its ISO 21496-1 segment, without bytes after the parameters.
  package var iso: [UInt8]?
  /// The chunks of its ICC profile, which some programs add, each after its number.
  private var profile: [[UInt8]] = []
  /// The boxes that describe the color space of a map in a HEIC or AVIF.
  package var colors: [[UInt8]] = []
  /// The boxes that describe the brighter image (`tmap`) in a HEIC or AVIF.
  package var brighter: [[UInt8]] = []
  /// The name of another vendor than Apple for the map in a HEIC; nil without one.
  package var vendor: String?

  /// The identifier at the start of ISO segments.
  package static var isoMark: StaticString { "urn:iso:std:iso:ts:21496:-1\0" }
  private static var isoMarkCount: Int { 28 }

  /// Numbers of no map.
  package init() {}

  /// Whether the map declares itself one in any form.
  var isGainMap: Bool { hasUltraHDR || iso != nil || hasApple }

  /// Whether the parameters of Ultra HDR are present: it must state the largest gain; the other
  /// values have defaults.
  package var hasUltraHDR: Bool {
    !xmp.values(.adobe, "Version").isEmpty && !xmp.numbers(.adobe, "GainMapMax").isEmpty
  }

  /// Whether the map is in Apple's format.
  package var hasApple: Bool {
    xmp.values(.apple, "AuxiliaryImageType").contains { $0.has(":hdrgainmap", at: $0.count - 11) }
      || !xmp.values(.apple, "HDRGainMapVersion").isEmpty
  }

  /// The headroom in the packet of Apple's format, as a ratio of at least 1.
  package var appleRatio: Double? {
    xmp.numbers(.apple, "HDRGainMapHeadroom").first.flatMap { $0 >= 1 ? $0 : nil }
  }
}

extension GainMapNumbers {
  /// Reads the parameters from an application segment of a map's file.
  mutating func note(_ marker: UInt8, _ content: [UInt8]) {
    if marker == 0xE1, content.has(JPEGStart.xmpMark), xmp.all.isEmpty {
      xmp = GainMapXMP(content.part(from: JPEGStart.xmpMarkCount, to: content.count))
    } else if marker == 0xE2, content.has(Self.isoMark), iso == nil {
      iso = Self.numbers(ofISO: content)
    } else if marker == 0xE2, content.has("ICC_PROFILE\0"), content.count > 14, profile.count < 16 {
      profile.append(content.part(from: 12, to: content.count))
    }
  }

  /// The exact content of a segment of ISO 21496-1 (annex C.2) that holds a map's numbers; nil if it is too
  /// short for what its flags announce, or a number is divided by 0.
  ///
  /// Behind the mark: two versions of 16 bits; flags; two headrooms and, for one or three channels, least and
  /// greatest gain, gamma and two offsets: fractions of 32 bits each, or numerators with one denominator.
  package static func numbers(ofISO content: [UInt8]) -> [UInt8]? {
    let start = isoMarkCount + 5
    guard content.has(isoMark), content.count > start else { return nil }
    let flags = content[start - 1]
    let channels = flags & 0x80 != 0 ? 3 : 1
    let isCommon = flags & 0x08 != 0
    let length = isCommon ? 12 + 20 * channels : 16 + 40 * channels
    guard content.count >= start + length else { return nil }
    for place in stride(from: isCommon ? 0 : 4, to: isCommon ? 1 : length, by: 8) {
      guard (content.number(start + place, size: 4, order: .big) ?? 0) > 0 else { return nil }
    }
    return content.part(from: 0, to: start + length)
  }

  /// The headroom in the parameters of ISO 21496-1, in stops.
  package static func headroom(ofISO content: [UInt8]) -> Double? {
    let start = isoMarkCount + 5
    let isCommon = content[start - 1] & 0x08 != 0
    guard let over = content.number(start + 8, size: 4, order: .big),
      let under = content.number(start + (isCommon ? 0 : 12), size: 4, order: .big), under > 0
    else { return nil }
    return Double(over) / Double(under)
  }
}

extension GainMapNumbers {
  /// The segments with the parameters in a map's file.
  var segments: [JPEGStart.Segment] {
    var segments: [JPEGStart.Segment] = []
    if let packet { segments.append(JPEGStart.xmp(packet)) }
    if let iso { segments.append((0xE2, iso)) }
    // Other data could be part of what was cut away.
    guard let profile = JPEGParts.profile(of: profile) else { return segments }
    for part in JPEGKeptSegments.parts(of: profile) {
      var content: [UInt8] = []
      content.append("ICC_PROFILE\0")
      segments.append((0xE2, content + part))
    }
    return segments
  }

  /// The XMP packet; nil if it would be empty.
  package var packet: [UInt8]? {
    var (spaces, attributes, elements): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    for index in 0..<3 {
      let (prefix, space): (StaticString, StaticString) =
        switch index {
        case 0: ("hdrgm", "http://ns.adobe.com/hdr-gain-map/1.0/")
        case 1: ("HDRGainMap", "http://ns.apple.com/HDRGainMap/1.0/")
        default: ("apdi", "http://ns.apple.com/pixeldatainfo/1.0/")
        }
      var isFirst = true
      for property in xmp.written where property.place == index {
        if isFirst {
          isFirst = false
          spaces.append(" xmlns:")
          spaces.append(prefix)
          spaces.append("=\"")
          spaces.append(space)
          spaces.append("\"")
        }
        if property.isAttribute {
          property.append(asAttributeOf: prefix, to: &attributes)
        } else {
          property.append(asElementOf: prefix, to: &elements)
        }
      }
    }
    guard !spaces.isEmpty else { return nil }
    var description: [UInt8] = []
    description.append("<rdf:Description rdf:about=\"\"")
    description += spaces
    description += attributes
    description.append(">")
    description += elements
    description.append("</rdf:Description>")
    return XMPPacket.packet(description)
  }
}

extension GainMapXMP {
  /// The properties that are written: each once, with a value for each channel at most.
  fileprivate var written: [Property] {
    var properties: [Property] = []
    for property in all where property.place != nil && !property.values.isEmpty {
      guard !properties.contains(where: { $0.place == property.place && $0.name == property.name })
      else { continue }
      var property = property
      property.values = Array(property.values.prefix(3))
      properties.append(property)
    }
    return properties
  }
}

extension GainMapXMP.Property {
  /// The index of its namespace in a written packet; nil for a property that is not written: only
  /// those with a known meaning are, because a preview could be spread over others.
  fileprivate var place: Int? {
    switch family {
    case .adobe: isNamed(oneOf: Self.adobe) ? 0 : nil
    case .apple: isNamed(oneOf: Self.gainMap) ? 1 : isNamed(oneOf: Self.pixelData) ? 2 : nil
    case .google: nil
    }
  }

  /// The properties of `hdrgm` (Ultra HDR 1.1, "HDR gain map metadata").
  private static var adobe: [StaticString] {
    [
      "Version", "BaseRenditionIsHDR", "GainMapMin", "GainMapMax", "Gamma", "OffsetSDR",
      "OffsetHDR", "HDRCapacityMin", "HDRCapacityMax",
    ]
  }
  /// Those of Apple's `HDRGainMap` and `apdi`.
  private static var gainMap: [StaticString] { ["HDRGainMapVersion", "HDRGainMapHeadroom"] }
  private static var pixelData: [StaticString] {
    ["AuxiliaryImageType", "AuxiliaryImageSubType", "NativeFormat", "StoredFormat"]
  }

  private func isNamed(oneOf names: [StaticString]) -> Bool { names.contains { isNamed($0) } }

  private func append(nameIn prefix: StaticString, to text: inout [UInt8]) {
    text.append(prefix)
    text.append(":")
    text += name
  }

  fileprivate func append(asAttributeOf prefix: StaticString, to text: inout [UInt8]) {
    text.append(" ")
    append(nameIn: prefix, to: &text)
    text.append("=\"")
    text += values[0]
    text.append("\"")
  }

  fileprivate func append(asElementOf prefix: StaticString, to text: inout [UInt8]) {
    text.append("<")
    append(nameIn: prefix, to: &text)
    text.append(">")
    if values.count == 1 {
      text += values[0]
    } else {
      text.append("<rdf:Seq>")
      for value in values {
        text.append("<rdf:li>")
        text += value
        text.append("</rdf:li>")
      }
      text.append("</rdf:Seq>")
    }
    text.append("</")
    append(nameIn: prefix, to: &text)
    text.append(">")
  }
}
