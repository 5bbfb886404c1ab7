import CropCore
import CropMetadata

/// Reads the image regions of an XMP packet.
struct ImageRegionReader {
  /// A region and its position in the packet.
  struct Found {
    /// Its item in the list.
    var range: Range<Int>
    var identifier = ""
    var name = ""
    var roles: [String] = []
    var shape = ""
    var unit = ""
    /// The left edge, top edge, width and height.
    var sides: [Double?] = [nil, nil, nil, nil]
  }

  private var scanner: XMPScanner
  private(set) var found: [Found] = []
  /// The end of the list; nil without one.
  private(set) var endOfList: Int?
  /// The number of open elements inside the property.
  private var depth: Int?
  private var current: Found?
  /// The lines of the names of the elements that are open inside the item.
  private var open: [Line?] = []

  /// The lines of the table of names.
  private enum Line: Int {
    case property, item, x, y, width, height, shape, unit, identifier, name, role, type
    case roleIdentifier
  }

  private static var names: StaticString {
    """
    Iptc4xmpExt:ImageRegion
    rdf:li
    Iptc4xmpExt:rbX
    Iptc4xmpExt:rbY
    Iptc4xmpExt:rbW
    Iptc4xmpExt:rbH
    Iptc4xmpExt:rbShape
    Iptc4xmpExt:rbUnit
    Iptc4xmpExt:rId
    Iptc4xmpExt:Name
    Iptc4xmpExt:rRole
    Iptc4xmpExt:rCtype
    xmp:Identifier

    """
  }

  init(_ xmp: [UInt8]) { scanner = XMPScanner(xmp) }

  /// Reads the packet; false if it can't be parsed.
  mutating func run() -> Bool {
    guard scanner.source.count <= XMPPacket.maxBytes else { return false }
    while let token = scanner.next() {
      switch token {
      case .startTag: startTag(isEmpty: false)
      case .emptyTag: startTag(isEmpty: true)
      case .text: text()
      case .endTag: endTag()
      case .instruction, .comment: break
      }
    }
    return scanner.isAtEnd
  }

  private func line(_ name: XMPName) -> Line? {
    scanner.line(of: name, in: Self.names).flatMap(Line.init)
  }

  private mutating func startTag(isEmpty: Bool) {
    let line = line(scanner.tagName)
    guard let depth else {
      if line == .property, !isEmpty { self.depth = scanner.depth }
      return
    }
    if current != nil {
      open.append(line)
      attributes()
      if isEmpty { open.removeLast() }
    } else if line == .item, scanner.depth == depth + 2, !isEmpty {
      current = Found(range: scanner.start..<scanner.at)
      open = []
      attributes()
    }
  }

  private mutating func attributes() {
    var at = scanner.nameEnd
    while let attribute = scanner.attribute(from: at) {
      at = attribute.valueEnd + 1
      let line = line(scanner.name(of: attribute))
      set(line, scanner.source[attribute.value..<attribute.valueEnd])
    }
  }

  private mutating func text() {
    guard current != nil else { return }
    // The items of a list are values of the enclosing property.
    let line = open.last { $0 != nil && $0 != .item }.flatMap(\.self)
    set(line, scanner.source[scanner.start..<scanner.at])
  }

  private mutating func set(_ line: Line?, _ value: ArraySlice<UInt8>) {
    guard let line else { return }
    let text = XMPText.plain(value)
    guard !text.allSatisfy(\.isWhitespace) else { return }
    let isInRole = open.contains(.role)
    let isOfRegion = !isInRole && !open.contains(.type)
    switch line {
    case .x, .y, .width, .height: current?.sides[line.rawValue - Line.x.rawValue] = Double(text)
    case .shape: current?.shape = text
    case .unit: current?.unit = text
    case .identifier: current?.identifier = text
    case .name: if isOfRegion, current?.name.isEmpty == true { current?.name = text }
    case .roleIdentifier:
      if isInRole, let last = text.split(separator: "/").last {
        current?.roles.append(String(last))
      }
    case .property, .item, .role, .type: break
    }
  }

  private mutating func endTag() {
    guard let depth else { return }
    if current != nil, !open.isEmpty {
      open.removeLast()
    } else if var region = current {
      region.range = region.range.lowerBound..<scanner.at
      found.append(region)
      current = nil
    } else if scanner.depth == depth {
      endOfList = scanner.start
    } else if scanner.depth < depth {
      self.depth = nil
    }
  }
}

extension ImageRegionReader.Found {
  /// The region on an image of the given upright size; nil for an unsupported shape, or a region
  /// outside the image.
  func region(of image: ImageSize) -> ImageRegion? {
    guard shape == "rectangle", ["relative", "pixel"].contains(unit),
      let x = sides[0], let y = sides[1], let width = sides[2], let height = sides[3]
    else { return nil }
    let (across, down) =
      unit == "pixel" ? (Double(image.width), Double(image.height)) : (1, 1)
    let box = FocusBox(x: x / across, y: y / down, width: width / across, height: height / down)
    return box.map { ImageRegion(name: name.isEmpty ? identifier : name, roles: roles, box: $0) }
  }
}
