/// Reads the tags of an XMP packet, and identifies names by their namespaces.
///
/// Entities, document types and marked sections are not supported. They, and tags that do not
/// match, end the scan.
package struct XMPScanner {
  /// The kind of a stretch of the packet.
  package enum Token { case text, instruction, comment, startTag, emptyTag, endTag }

  /// An attribute: offsets of the space before it, of its name and of its value.
  package struct Attribute {
    /// The start of the space before it, and of its name.
    package let space: Int, name: Int
    /// Where its name ends.
    package let nameEnd: Int
    /// The range of its value, without quotation marks.
    package let value: Int, valueEnd: Int
  }

  /// An open element, or a namespace that it declares.
  private final class Mark {
    /// The enclosing one. An element's own namespaces enclose it.
    let outer: Mark?
    /// The range of the element's name or the namespace's prefix.
    let name: Int, nameEnd: Int
    /// The index of the namespace in the table of the rules.
    let namespace: Int?
    let isElement: Bool

    init(_ outer: Mark?, _ name: Int, _ nameEnd: Int, namespace: Int?, isElement: Bool) {
      self.outer = outer
      self.name = name
      self.nameEnd = nameEnd
      self.namespace = namespace
      self.isElement = isElement
    }
  }

  /// The packet.
  package let source: [UInt8]
  /// The start of the current token.
  package private(set) var start = 0
  /// The end of the current token.
  package private(set) var at = 0
  /// The range of a tag's name.
  package private(set) var name = 0, nameEnd = 0
  /// The number of open elements.
  package private(set) var depth = 0
  /// The innermost mark.
  private var mark: Mark?
  private var namespaceCount = 0

  /// The largest number of levels, more than any program writes: each prefix is searched among all.
  private static let mostLevels = 100
  private static let mostNamespaces = 200

  /// A scan of `source` from its start.
  package init(_ source: [UInt8]) { self.source = source }

  /// Whether the complete packet was parsed.
  package var isAtEnd: Bool { at == source.count && depth == 0 }

  /// The next token; nil at the end, and if the packet can't be parsed.
  package mutating func next() -> Token? {
    start = at
    if at == source.count { return nil }
    if byte(at) != UInt8(ascii: "<") {
      while at < source.count, byte(at) != UInt8(ascii: "<") { at += 1 }
      return .text
    }
    name = at + 1
    switch byte(name) {
    case UInt8(ascii: "?"): return skip(through: "?>") ? .instruction : nil
    case UInt8(ascii: "!"):
      return source.has("<!--", at: at) && skip(through: "-->") ? .comment : nil
    case UInt8(ascii: "/"): return endTag() ? .endTag : nil
    default: return startTag()
    }
  }

  private mutating func skip(through text: StaticString) -> Bool {
    while at < source.count {
      if source.has(text, at: at) {
        at += text.utf8CodeUnitCount
        return true
      }
      at += 1
    }
    return false
  }

  private mutating func startTag() -> Token? {
    closeNamespaces()
    nameEnd = endOfName(name)
    if nameEnd == name { return nil }
    at = nameEnd
    while let attribute = attribute(from: at) {
      guard bind(attribute) else { return nil }
      at = attribute.valueEnd + 1
    }
    at = endOfSpace(at)
    let isEmpty = byte(at) == UInt8(ascii: "/")
    if isEmpty { at += 1 }
    if byte(at) != UInt8(ascii: ">") { return nil }
    at += 1
    if isEmpty { return .emptyTag }
    depth += 1
    mark = Mark(mark, name, nameEnd, namespace: nil, isElement: true)
    return depth <= Self.mostLevels ? .startTag : nil
  }

  private mutating func endTag() -> Bool {
    closeNamespaces()
    name += 1
    nameEnd = endOfName(name)
    guard let element = mark, isSame(element, name, nameEnd) else { return false }
    mark = element.outer
    depth -= 1
    at = endOfSpace(nameEnd) + 1
    return byte(at - 1) == UInt8(ascii: ">")
  }

  /// Removes the namespaces of closed elements.
  private mutating func closeNamespaces() {
    while let inner = mark, !inner.isElement {
      mark = inner.outer
      namespaceCount -= 1
    }
  }

  /// The attribute after some space at `space`; nil if there is none.
  package func attribute(from space: Int) -> Attribute? {
    let name = endOfSpace(space)
    let nameEnd = endOfName(name)
    let equals = endOfSpace(nameEnd)
    guard name > space, nameEnd > name, byte(equals) == UInt8(ascii: "=") else { return nil }
    let value = endOfSpace(equals + 1) + 1
    let quote = byte(value - 1)
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    var end = value
    while byte(end) != quote {
      if end >= source.count || byte(end) == UInt8(ascii: "<") { return nil }
      end += 1
    }
    return Attribute(space: space, name: name, nameEnd: nameEnd, value: value, valueEnd: end)
  }
}

extension XMPScanner {
  /// The byte at `offset`; 0 past the end.
  @inline(never)
  package func byte(_ offset: Int) -> UInt8 { offset < source.count ? source[offset] : 0 }

  /// The end of the white space that starts at `start`.
  package func endOfSpace(_ start: Int) -> Int {
    var at = start
    while true {
      switch byte(at) {
      case 0x20, 0x0A, 0x0D, 0x09: at += 1
      default: return at
      }
    }
  }

  /// The end of the name that starts at `start`.
  func endOfName(_ start: Int) -> Int {
    var at = start
    while true {
      switch byte(at) {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "-"), 0x80...0xFF:
        at += 1
      default: return at
      }
    }
  }

  /// Whether a mark has the name from `start` up to `end`.
  private func isSame(_ mark: Mark, _ start: Int, _ end: Int) -> Bool {
    if end - start != mark.nameEnd - mark.name { return false }
    for index in 0..<end - start where byte(start + index) != byte(mark.name + index) {
      return false
    }
    return true
  }
}

// Names and namespaces.
extension XMPScanner {
  /// The name of the current tag.
  package var tagName: XMPName { qualified(name, nameEnd, isElement: true) }

  /// The name of an attribute.
  package func name(of attribute: Attribute) -> XMPName {
    qualified(attribute.name, attribute.nameEnd, isElement: false)
  }

  private func qualified(_ start: Int, _ end: Int, isElement: Bool) -> XMPName {
    var prefixEnd = start
    while prefixEnd < end, byte(prefixEnd) != UInt8(ascii: ":") { prefixEnd += 1 }
    var local = prefixEnd + 1
    if prefixEnd == end {
      // Without a prefix an attribute has no namespace, and an element the one declared for none.
      guard isElement else { return XMPName(namespace: nil, start: start) }
      (prefixEnd, local) = (start, start)
    }
    var next = mark
    while let mark = next {
      if !mark.isElement, isSame(mark, start, prefixEnd) {
        guard let namespace = mark.namespace else { break }
        return XMPName(namespace: namespace, start: local)
      }
      next = mark.outer
    }
    return XMPName(namespace: nil, start: start)
  }

  /// Records the namespace that an attribute declares, if it does; false if the namespace is
  /// ambiguous.
  private mutating func bind(_ attribute: Attribute) -> Bool {
    var prefix = attribute.name + 5
    guard source.has("xmlns", at: attribute.name) else { return true }
    if prefix < attribute.nameEnd {
      if byte(prefix) != UInt8(ascii: ":") { return true }
      prefix += 1
    }
    for index in attribute.value..<attribute.valueEnd where byte(index) == UInt8(ascii: "&") {
      return false
    }
    mark = Mark(
      mark, prefix, attribute.nameEnd, namespace: namespace(attribute), isElement: false)
    namespaceCount += 1
    return namespaceCount <= Self.mostNamespaces
  }
}
