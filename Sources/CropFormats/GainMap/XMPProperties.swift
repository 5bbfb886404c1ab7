import CropMetadata

/// The properties of an XMP packet that speak of gain maps and of the pictures in a file, in the order in which
/// they stand.
///
/// Only short plain values are taken over, so nothing else can hide in what is written of them.
struct XMPProperties {
  /// A family of namespaces.
  enum Family: Int {
    /// Adobe's `hdrgm`.
    case adobe
    /// Apple's `HDRGainMap` and `apdi`.
    case apple
    /// Google's `Container` and `Item`.
    case google
  }

  /// A property, or the start of an element that may hold some.
  struct Property: Equatable {
    let family: Family
    /// The name without its prefix.
    let name: String
    /// Its values: several of a list, none of an element that only holds others.
    var values: [String] = []
    /// Whether the value was an attribute.
    let isAttribute: Bool
  }

  private(set) var all: [Property] = []

  /// The longest value that is taken over, in bytes.
  private static let longest = 64
  /// The most properties that are looked at.
  private static let most = 200

  /// The properties of `packet`; none of one that is not understood.
  init(_ packet: [UInt8]) {
    guard packet.count <= XMPPacket.mostBytes else { return }
    var scanner = XMPScanner(packet)
    // Which element of these families is open, and how deep it lies.
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
            let value = Self.value(packet[attribute.value..<attribute.valueEnd])
          else { continue }
          property.values = [value]
          all.append(property)
        }
      case .endTag: while let last = open.last, last.depth > scanner.depth { open.removeLast() }
      case .text:
        if let last = open.last, let value = Self.value(packet[scanner.start..<scanner.at]) {
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
    let text = scanner.source[start..<end]
    let local = text.lastIndex(of: UInt8(ascii: ":")).map { text[($0 + 1)...] } ?? text
    guard local.allSatisfy(isPlain) else { return nil }
    return Property(
      family: family, name: String(decoding: local, as: UTF8.self), isAttribute: isAttribute)
  }

  /// A value without the space around it; nil for one that is empty, long or more than a plain word.
  private static func value(_ bytes: ArraySlice<UInt8>) -> String? {
    let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    var rest = bytes.drop { space.contains($0) }
    while let last = rest.last, space.contains(last) { rest.removeLast() }
    guard !rest.isEmpty, rest.count <= longest, rest.allSatisfy(isPlain) else { return nil }
    return String(decoding: rest, as: UTF8.self)
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

  /// The values of a property; none where it does not stand in the packet.
  func values(_ family: Family, _ name: String) -> [String] {
    all.first { $0.family == family && $0.name == name && !$0.values.isEmpty }?.values ?? []
  }

  /// The numbers of a property.
  func numbers(_ family: Family, _ name: String) -> [Double] {
    values(family, name).compactMap { Double($0) }.filter(\.isFinite)
  }
}

extension XMPProperties {
  /// A picture of Google's directory of the pictures in a file (Ultra HDR 1.1, "GContainer").
  struct Item {
    var semantic = ""
    var length: Int?
    var padding = 0
  }

  /// The pictures in the order in which they follow in the file, the first one too.
  var items: [Item] {
    var items: [Item] = []
    for property in all where property.family == .google {
      if property.name == "Item", property.values.isEmpty {
        items.append(Item())
      } else if let value = property.values.first, !items.isEmpty {
        switch property.name {
        case "Semantic": items[items.count - 1].semantic = value
        case "Length": items[items.count - 1].length = Int(value).flatMap { $0 >= 0 ? $0 : nil }
        case "Padding": items[items.count - 1].padding = max(0, Int(value) ?? 0)
        default: break
        }
      }
    }
    return items
  }
}
