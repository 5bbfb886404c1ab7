import CropMetadata

/// The properties of an XMP packet about gain maps and about the images in a file, in their order.
///
/// Unlike `XMPPhotoProperties`, which finds plain properties of the photo and where to edit them, it follows lists and
/// structures: a number for each channel, and Google's directory. Only short plain values are taken over, so nothing
/// else can hide in the written properties.
package struct GainMapXMP {
  /// A family of namespaces.
  package enum Family: Int {
    /// Adobe's `hdrgm`.
    case adobe
    /// Apple's `HDRGainMap` and `apdi`.
    case apple
    /// Google's `Container` and `Item`.
    case google
  }

  /// A property, or the start of an element that may contain some.
  package struct Property {
    package let family: Family
    /// The name without its prefix.
    package let name: [UInt8]
    /// Its values: several for a list, none for an element that only contains others.
    package var values: [[UInt8]] = []
    /// Whether the value was an attribute.
    package let isAttribute: Bool
  }

  package private(set) var all: [Property] = []

  /// The longest value that is read, in bytes.
  private static let longest = 64
  /// The largest number of properties that are read.
  private static let most = 200

  /// The properties of `packet`; none if it can't be parsed.
  package init(_ packet: [UInt8]) {
    guard packet.count <= XMPPacket.maxBytes else { return }
    var scanner = XMPScanner(packet)
    // The open element of these families, and its depth.
    var open: [(index: Int, depth: Int)] = []
    while all.count < Self.most, let token = scanner.next() {
      switch token {
      case .startTag, .emptyTag:
        if let property = Self.property(scanner, scanner.tagName, scanner.name, scanner.nameEnd) {
          all.append(property)
          if token == .startTag { open.append((all.count - 1, scanner.depth)) }
        }
        var at = scanner.nameEnd
        while let attribute = scanner.attribute(from: at), all.count < Self.most {
          at = attribute.valueEnd + 1
          guard
            var property = Self.property(
              scanner, scanner.name(of: attribute), attribute.name, attribute.nameEnd,
              isAttribute: true),
            let value = Self.value(packet, attribute.value, attribute.valueEnd)
          else { continue }
          property.values = [value]
          all.append(property)
        }
      case .endTag: while let last = open.last, last.depth > scanner.depth { open.removeLast() }
      case .text:
        if let last = open.last, let value = Self.value(packet, scanner.start, scanner.at) {
          all[last.index].values.append(value)
        }
      case .instruction, .comment: break
      }
    }
    if !scanner.isAtEnd { all = [] }
  }

  private static func property(
    _ scanner: XMPScanner, _ name: XMPName, _ start: Int, _ end: Int, isAttribute: Bool = false
  ) -> Property? {
    guard let line = scanner.line(of: name, in: "hdrgm:\napdi:\nGCamera:\n"),
      let family = Family(rawValue: line), end - start <= longest
    else { return nil }
    var local = start
    for index in start..<end where scanner.source[index] == UInt8(ascii: ":") { local = index + 1 }
    let text = scanner.source.part(from: local, to: end)
    guard text.allSatisfy(isPlain) else { return nil }
    return Property(family: family, name: text, isAttribute: isAttribute)
  }

  /// A value without white space around it; nil if it is empty, too long or not a plain word.
  private static func value(_ packet: [UInt8], _ start: Int, _ end: Int) -> [UInt8]? {
    var (start, end) = (start, end)
    while start < end, packet[start].isSpace { start += 1 }
    while start < end, packet[end - 1].isSpace { end -= 1 }
    guard start < end, end - start <= longest else { return nil }
    let value = packet.part(from: start, to: end)
    return value.allSatisfy(isPlain) ? value : nil
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."),
      UInt8(ascii: "/"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Adds a property: one value as an attribute, several as a list.
  package mutating func add(_ family: Family, _ name: StaticString, _ values: [[UInt8]]) {
    var own: [UInt8] = []
    own.append(name)
    all.append(
      Property(family: family, name: own, values: values, isAttribute: values.count == 1))
  }

  /// The values of a property; empty if the packet does not have it.
  package func values(_ family: Family, _ name: StaticString) -> [[UInt8]] {
    all.first { $0.family == family && $0.isNamed(name) && !$0.values.isEmpty }?.values ?? []
  }

  /// The numbers of a property.
  package func numbers(_ family: Family, _ name: StaticString) -> [Double] {
    values(family, name).compactMap { $0.decimal(from: 0, to: $0.count) }
  }
}

extension GainMapXMP.Property {
  package func isNamed(_ text: StaticString) -> Bool {
    name.count == text.utf8CodeUnitCount && name.has(text)
  }
}

extension GainMapXMP {
  /// An image of Google's directory of the images in a file (Ultra HDR 1.1, "GContainer").
  struct Item {
    var isGainMap = false
    var length: Int?
  }

  /// The images in file order, including the first one.
  var items: [Item] {
    var items: [Item] = []
    for property in all where property.family == .google {
      if property.isNamed("Item"), property.values.isEmpty {
        items.append(Item())
      } else if let value = property.values.first, !items.isEmpty {
        if property.isNamed("Semantic") {
          items[items.count - 1].isGainMap = value.count == 7 && value.has("GainMap")
        } else if property.isNamed("Length") {
          items[items.count - 1].length = value.decimal(from: 0, to: value.count)
            .flatMap { $0 >= 0 ? Int(exactly: $0) : nil }
        }
      }
    }
    return items
  }
}
