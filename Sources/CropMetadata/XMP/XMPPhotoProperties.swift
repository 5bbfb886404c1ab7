/// Simple properties of an XMP packet, and their positions.
///
/// Only properties of the photo itself are found, not those inside other properties: Camera Raw
/// stores snapshots and looks there, with settings of the same names.
package struct XMPPhotoProperties {
  /// A property with a plain value: an attribute of a description, or an element in it.
  package struct Property {
    /// The line of the table that names it.
    package let line: Int
    /// The range of its value.
    package fileprivate(set) var value: Int, valueEnd: Int
    /// The range of its name, with its prefix.
    package let name: Int, nameEnd: Int
    /// Whether it is an element without content, `<a:b/>`, so that its value goes after its tag.
    package let isEmptyElement: Bool
    /// Whether it contains elements, so that it has no plain value.
    package fileprivate(set) var isStructured = false
  }

  /// The packet.
  package let source: [UInt8]
  /// The properties in their order.
  package private(set) var all: [Property] = []
  /// The range of the first description's subject; nil if not stated.
  package private(set) var about: (start: Int, end: Int)?
  /// The position of the tag that closes the descriptions.
  package private(set) var end = 0

  /// The properties of `source` that a line of `table` names, such as `crs:HasCrop`.
  ///
  /// Nil for a packet that is longer than ``XMPPacket/maxBytes`` or not understood to its end.
  package init?(_ source: [UInt8], named table: StaticString) {
    guard source.count <= XMPPacket.maxBytes else { return nil }
    self.source = source
    var scanner = XMPScanner(source)
    // The number of open elements around descriptions.
    var level: Int?
    var isDescription = false
    var isOpen = false
    while let token = scanner.next() {
      switch token {
      case .text: if isOpen, scanner.depth == (level ?? 0) + 2 { extendValue(to: scanner) }
      case .comment, .instruction: break
      case .endTag:
        if let level {
          if scanner.depth == level + 1 { isOpen = false }
          if scanner.depth == level - 1 { end = scanner.start }
        }
      case .startTag, .emptyTag:
        let depth = scanner.depth + (token == .emptyTag ? 1 : 0)
        if level == nil, token == .startTag,
          scanner.line(of: scanner.tagName, in: "rdf:RDF\n") != nil
        {
          level = depth
        } else if let level, depth == level + 1 {
          isDescription = scanner.line(of: scanner.tagName, in: "rdf:Description\n") != nil
          if isDescription { addAttributes(scanner, table) }
        } else if let level, depth == level + 2, isDescription {
          isOpen = addElement(scanner, table, isEmpty: token == .emptyTag)
        } else if let level, depth > level + 2, isOpen, !all.isEmpty {
          all[all.count - 1].isStructured = true
        }
      }
    }
    guard scanner.isAtEnd, end > 0 else { return nil }
  }

  private mutating func addAttributes(_ scanner: XMPScanner, _ table: StaticString) {
    var at = scanner.nameEnd
    while let attribute = scanner.attribute(from: at) {
      at = attribute.valueEnd + 1
      let name = scanner.name(of: attribute)
      if about == nil, scanner.line(of: name, in: "rdf:about\n") != nil {
        about = (attribute.value, attribute.valueEnd)
      }
      if let line = line(of: name, upTo: attribute.nameEnd, scanner, table) {
        all.append(
          Property(
            line: line, value: attribute.value, valueEnd: attribute.valueEnd, name: attribute.name,
            nameEnd: attribute.nameEnd, isEmptyElement: false))
      }
    }
  }

  /// Adds the element if it is a requested property, and keeps it open.
  private mutating func addElement(
    _ scanner: XMPScanner, _ table: StaticString, isEmpty: Bool
  ) -> Bool {
    guard let line = line(of: scanner.tagName, upTo: scanner.nameEnd, scanner, table) else {
      return false
    }
    all.append(
      Property(
        line: line, value: scanner.at, valueEnd: scanner.at, name: scanner.name,
        nameEnd: scanner.nameEnd, isEmptyElement: isEmpty))
    return !isEmpty
  }

  /// The value of an element is the text between its tags; a value that a comment interrupts is not
  /// a plain value.
  private mutating func extendValue(to scanner: XMPScanner) {
    guard let last = all.indices.last else { return }
    if all[last].valueEnd != scanner.start { all[last].isStructured = true }
    all[last].valueEnd = scanner.at
  }

  /// The line of the table that equals the name, or the name up to an underscore.
  private func line(
    of name: XMPName, upTo end: Int, _ scanner: XMPScanner, _ table: StaticString
  ) -> Int? {
    guard let line = scanner.line(of: name, in: table) else { return nil }
    var (row, column, local) = (0, 0, 0)
    for index in 0..<table.utf8CodeUnitCount {
      let letter = table.utf8Start[index]
      if letter == UInt8(ascii: "\n") {
        if row == line { break }
        (row, column) = (row + 1, 0)
      } else {
        column += 1
        if letter == UInt8(ascii: ":") { local = column }
      }
    }
    let length = column - local
    let isBeginning = source[name.start + length - 1] == UInt8(ascii: "_")
    return isBeginning || name.start + length == end ? line : nil
  }
}

extension XMPPhotoProperties {
  /// The only property of a line with a plain value.
  ///
  /// Nil if there is none. Two of the same name, or one with elements inside, give `.failure`.
  package subscript(line: Int) -> Lookup {
    var found = Lookup.none
    for property in all where property.line == line {
      if case .none = found, !property.isStructured {
        found = .one(property)
      } else {
        return .unclear
      }
    }
    return found
  }

  /// The result of looking up a property.
  package enum Lookup {
    /// There is none.
    case none
    /// There is one.
    case one(Property)
    /// There are several, or it has no plain value.
    case unclear
  }

  /// Whether the value is `text`.
  package func has(_ property: Property, _ text: StaticString) -> Bool {
    property.valueEnd - property.value == text.utf8CodeUnitCount
      && source.has(text, at: property.value)
  }

  /// The value parsed as a decimal number; nil for anything else.
  package func number(_ property: Property) -> Double? {
    source.decimal(from: property.value, to: property.valueEnd)
  }
}
