import CropCore

/// Goes through an XMP packet tag by tag and copies what stays.
struct XMPEditor {
  private let source: [UInt8]
  private let edit: MetadataEdit
  private var at = 0
  /// Where the names of the elements that are open begin.
  private var open: [Int] = []
  /// How many elements were open where one that is left out began.
  private var leftOut: Int?
  /// The number that stands for what is inside the innermost element.
  private var replacement: Int?
  private var isDone = false
  private(set) var sawDescription = false
  private(set) var result: [UInt8] = []

  private static let mostLevels = 100

  init(_ source: [UInt8], edit: MetadataEdit) {
    self.source = source
    self.edit = edit
    result.reserveCapacity(source.count)
  }

  /// Copies what stays; false for what is not understood.
  mutating func run() -> Bool {
    while at < source.count {
      guard source[at] == UInt8(ascii: "<") else {
        let end = position(of: UInt8(ascii: "<"), from: at) ?? source.count
        // Behind the last element there is only padding.
        if leftOut == nil, replacement == nil, !isDone { copy(from: at, to: end) }
        at = end
        continue
      }
      let isUnderstood: Bool
      if source.has("<?", at: at) {
        isUnderstood = copy(through: "?>")
      } else if source.has("<!--", at: at) {
        isUnderstood = skip(through: "-->")
      } else if source.has("</", at: at) {
        isUnderstood = endTag()
      } else if source.has("<!", at: at) {
        isUnderstood = false
      } else {
        isUnderstood = startTag()
      }
      if !isUnderstood { return false }
    }
    return open.isEmpty
  }

  private mutating func copy(from start: Int, to end: Int) {
    result.append(source, from: start, to: end)
  }

  private func position(of byte: UInt8, from start: Int) -> Int? {
    var at = start
    while at < source.count {
      if source[at] == byte { return at }
      at += 1
    }
    return nil
  }

  /// The end of the next `text`.
  private func end(of text: StaticString) -> Int? {
    var at = at
    while at < source.count {
      if source.has(text, at: at) { return at + text.utf8CodeUnitCount }
      at += 1
    }
    return nil
  }

  private mutating func copy(through text: StaticString) -> Bool {
    guard let end = end(of: text) else { return false }
    if leftOut == nil, replacement == nil {
      if isDone { result.append(UInt8(ascii: "\n")) }
      copy(from: at, to: end)
    }
    at = end
    return true
  }

  private mutating func skip(through text: StaticString) -> Bool {
    guard let end = end(of: text) else { return false }
    at = end
    return true
  }

  private mutating func endTag() -> Bool {
    guard let end = position(of: UInt8(ascii: ">"), from: at), let name = open.last else {
      return false
    }
    // The name of the innermost element, then nothing but space.
    let length = endOfName(name) - name
    var rest = at + 2 + length
    guard rest <= end else { return false }
    for index in 0..<length where source[at + 2 + index] != source[name + index] { return false }
    while rest < end, Self.isSpace(source[rest]) { rest += 1 }
    guard rest == end else { return false }
    open.removeLast()
    if let replacement {
      append(number: replacement)
      self.replacement = nil
    }
    if leftOut == nil {
      copy(from: at, to: end + 1)
    } else if leftOut == open.count {
      leftOut = nil
    }
    isDone = open.isEmpty
    at = end + 1
    return true
  }

  private mutating func startTag() -> Bool {
    // A property with a plain value has no elements inside; and only one element is outermost.
    guard replacement == nil, !isDone, open.count < Self.mostLevels else { return false }
    let start = at
    let name = at + 1
    at = endOfName(name)
    guard at > name else { return false }
    if isNamed(name, at, "rdf:RDF") { sawDescription = true }
    let isLeftOut = leftOut != nil || isRemoved(name, at)
    if !isLeftOut { copy(from: start, to: at) }
    while true {
      let space = at
      skipSpace()
      guard at < source.count else { return false }
      switch source[at] {
      case UInt8(ascii: ">"):
        at += 1
        if !isLeftOut { result.append(UInt8(ascii: ">")) }
        if isLeftOut, leftOut == nil { leftOut = open.count }
        open.append(name)
        replacement = isLeftOut ? nil : value(of: name, endOfName(name))
        return true
      case UInt8(ascii: "/"):
        guard at + 1 < source.count, source[at + 1] == UInt8(ascii: ">") else { return false }
        at += 2
        if !isLeftOut { result.append("/>") }
        isDone = open.isEmpty
        return true
      default:
        guard at > space, attribute(from: space, isLeftOut: isLeftOut) else { return false }
      }
    }
  }

  /// Passes an attribute with the space before it.
  private mutating func attribute(from space: Int, isLeftOut: Bool) -> Bool {
    let name = at
    let nameEnd = endOfName(at)
    at = nameEnd
    skipSpace()
    guard nameEnd > name, at < source.count, source[at] == UInt8(ascii: "=") else { return false }
    at += 1
    skipSpace()
    guard at < source.count, source[at] == UInt8(ascii: "\"") || source[at] == UInt8(ascii: "'"),
      let end = position(of: source[at], from: at + 1)
    else { return false }
    for index in at..<end where source[index] == UInt8(ascii: "<") { return false }
    at = end + 1
    if isLeftOut || isRemoved(name, nameEnd) { return true }
    if let value = value(of: name, nameEnd) {
      copy(from: space, to: nameEnd)
      result.append("=\"")
      append(number: value)
      result.append("\"")
    } else {
      copy(from: space, to: end + 1)
    }
    return true
  }

  private mutating func skipSpace() {
    while at < source.count, Self.isSpace(source[at]) { at += 1 }
  }

  private func endOfName(_ start: Int) -> Int {
    var at = start
    while at < source.count, Self.isNamePart(source[at]) { at += 1 }
    return at
  }

  private mutating func append(number: Int) {
    var unit = 1
    while number / unit >= 10 { unit *= 10 }
    while unit > 0 {
      result.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / unit % 10))
      unit /= 10
    }
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: "-"), 0x80...0xFF:
      true
    default: false
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}

/// The properties that a crop changes.
extension XMPEditor {
  /// Thumbnails, gain and depth maps, and lists of pictures that no longer follow in the file; a
  /// panorama's geometry, which no longer holds. Beginnings of names, each with a space behind it.
  private static var removed: StaticString {
    """
    xmp:Thumbnails xap:Thumbnails xmpGImg: xapGImg: hdrgm: HDRGainMap: hdr: Container: GContainer: \
    GCamera: GDepth: GImage: Device: Camera: GPano: apdi: MicroVideo: MotionPhoto: \
    xmpNote:HasExtendedXMP photoshop:DocumentAncestors mwg-rs: MPRI: MPReg: tiff:NativeDigest \
    exif:NativeDigest cropkit: xmlns:cropkit \

    """
  }

  private static var places: StaticString {
    """
    exif:GPS photoshop:City photoshop:State photoshop:Country Iptc4xmpCore:Location \
    Iptc4xmpCore:CountryCode Iptc4xmpExt:LocationCreated Iptc4xmpExt:LocationShown \

    """
  }

  /// Whether what is called by the name from `start` up to `end` is left out.
  private func isRemoved(_ start: Int, _ end: Int) -> Bool {
    begins(start, end, withOneOf: Self.removed)
      || (edit.dropsLocation && begins(start, end, withOneOf: Self.places))
  }

  private func begins(_ start: Int, _ end: Int, withOneOf list: StaticString) -> Bool {
    var at = start
    var isMatch = true
    for index in 0..<list.utf8CodeUnitCount {
      let byte = list.utf8Start[index]
      if byte == UInt8(ascii: " ") {
        if isMatch { return true }
        at = start
        isMatch = true
      } else {
        isMatch = isMatch && at < end && source[at] == byte
        at += 1
      }
    }
    return false
  }

  private func isNamed(_ start: Int, _ end: Int, _ name: StaticString) -> Bool {
    end - start == name.utf8CodeUnitCount && source.has(name, at: start)
  }

  /// The new value of a property; nil where it stays.
  private func value(of start: Int, _ end: Int) -> Int? {
    if isNamed(start, end, "tiff:Orientation") { return edit.orientation.rawValue }
    if isNamed(start, end, "tiff:ImageWidth") || isNamed(start, end, "exif:PixelXDimension") {
      return edit.width
    }
    if isNamed(start, end, "tiff:ImageLength") || isNamed(start, end, "exif:PixelYDimension") {
      return edit.height
    }
    return edit.isSRGB && isNamed(start, end, "exif:ColorSpace") ? 1 : nil
  }
}
