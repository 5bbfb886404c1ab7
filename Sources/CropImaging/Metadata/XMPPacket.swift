/// An XMP packet, edited as text: properties are removed or replaced by their usual names.
///
/// Only tags are told from text: entities, document types and other marked sections never come into
/// it. What is not understood leads to the packet being dropped as a whole.
struct XMPPacket {
  /// The edited packet, without the padding that lets programs edit it in place.
  let bytes: [UInt8]

  /// The edited packet as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The packet after the crop; nil where it can't be kept, because it is no UTF-8, may hold a picture,
  /// or is implausibly large.
  init?(_ bytes: [UInt8], edit: EXIFBlock.Edit) {
    guard bytes.count <= 1 << 20, String(validating: bytes, as: UTF8.self) != nil else {
      return nil
    }
    var editor = XMPEditor(bytes, edit: edit)
    guard editor.run(), editor.sawDescription, !Self.mayHoldPicture(editor.result) else {
      return nil
    }
    self.bytes = editor.result
  }

  /// Whether there is a run of 512 characters of Base64, line breaks (also written as entities) not
  /// counted: no property that people or cameras write needs one.
  private static func mayHoldPicture(_ text: [UInt8]) -> Bool {
    var run = 0
    var at = 0
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        run += 1
        if run >= 512 { return true }
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
      case UInt8(ascii: "&") where text[at...].starts(with: "&#xA;".utf8): at += 4
      default: run = 0
      }
      at += 1
    }
    return false
  }
}

/// Goes through a packet tag by tag and copies what stays.
private struct XMPEditor {
  private let source: [UInt8]
  private let edit: EXIFBlock.Edit
  private var at = 0
  /// The names of the elements that are open.
  private var open: [ArraySlice<UInt8>] = []
  /// How many elements were open where one that is left out began.
  private var leftOut: Int?
  /// The text that stands for what is inside the innermost element.
  private var replacement: String?
  private var isDone = false
  private(set) var sawDescription = false
  private(set) var result: [UInt8] = []

  private static let mostLevels = 100

  init(_ source: [UInt8], edit: EXIFBlock.Edit) {
    self.source = source
    self.edit = edit
    result.reserveCapacity(source.count)
  }

  /// Copies what stays; false for what is not understood.
  mutating func run() -> Bool {
    while at < source.count {
      guard source[at] == UInt8(ascii: "<") else {
        let end = source[at...].firstIndex(of: UInt8(ascii: "<")) ?? source.count
        // Behind the last element there is only padding.
        if leftOut == nil, replacement == nil, !isDone { result += source[at..<end] }
        at = end
        continue
      }
      let rest = source[at...]
      let isUnderstood: Bool
      if rest.starts(with: "<?".utf8) {
        isUnderstood = copy(through: "?>")
      } else if rest.starts(with: "<!--".utf8) {
        isUnderstood = skip(through: "-->")
      } else if rest.starts(with: "</".utf8) {
        isUnderstood = endTag()
      } else if rest.starts(with: "<!".utf8) {
        isUnderstood = false
      } else {
        isUnderstood = startTag()
      }
      if !isUnderstood { return false }
    }
    return open.isEmpty
  }

  private func position(of text: String) -> Int? {
    let text = Array(text.utf8)
    guard let last = text.last else { return nil }
    var from = at
    while let hit = source[from...].firstIndex(of: last) {
      if hit + 1 - text.count >= at, source[hit + 1 - text.count...hit].elementsEqual(text) {
        return hit + 1
      }
      from = hit + 1
    }
    return nil
  }

  private mutating func copy(through end: String) -> Bool {
    guard let end = position(of: end) else { return false }
    if leftOut == nil, replacement == nil {
      if isDone { result.append(UInt8(ascii: "\n")) }
      result += source[at..<end]
    }
    at = end
    return true
  }

  private mutating func skip(through end: String) -> Bool {
    guard let end = position(of: end) else { return false }
    at = end
    return true
  }

  private mutating func endTag() -> Bool {
    guard let end = source[at...].firstIndex(of: UInt8(ascii: ">")), let name = open.last,
      source[(at + 2)..<end].starts(with: name),
      source[(at + 2 + name.count)..<end].allSatisfy(Self.isSpace)
    else { return false }
    open.removeLast()
    if let replacement {
      result += Array(replacement.utf8)
      self.replacement = nil
    }
    if leftOut == nil {
      result += source[at...end]
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
    at += 1
    let name = readName()
    guard !name.isEmpty else { return false }
    if name.elementsEqual("rdf:RDF".utf8) { sawDescription = true }
    let isLeftOut = leftOut != nil || XMPNames.areRemoved(name, edit)
    if !isLeftOut { result += source[start..<at] }
    while true {
      let space = at
      while at < source.count, Self.isSpace(source[at]) { at += 1 }
      guard at < source.count else { return false }
      switch source[at] {
      case UInt8(ascii: ">"):
        at += 1
        if !isLeftOut { result.append(UInt8(ascii: ">")) }
        if isLeftOut, leftOut == nil { leftOut = open.count }
        open.append(name)
        replacement = isLeftOut ? nil : XMPNames.value(of: name, edit)
        return true
      case UInt8(ascii: "/"):
        guard at + 1 < source.count, source[at + 1] == UInt8(ascii: ">") else { return false }
        at += 2
        if !isLeftOut { result += Array("/>".utf8) }
        isDone = open.isEmpty
        return true
      default:
        guard at > space, attribute(from: space, isLeftOut: isLeftOut) else { return false }
      }
    }
  }

  /// Passes an attribute with the space before it.
  private mutating func attribute(from space: Int, isLeftOut: Bool) -> Bool {
    let name = readName()
    while at < source.count, Self.isSpace(source[at]) { at += 1 }
    guard !name.isEmpty, at < source.count, source[at] == UInt8(ascii: "=") else { return false }
    at += 1
    while at < source.count, Self.isSpace(source[at]) { at += 1 }
    guard at < source.count, source[at] == UInt8(ascii: "\"") || source[at] == UInt8(ascii: "'"),
      let end = source[(at + 1)...].firstIndex(of: source[at]),
      !source[at..<end].contains(UInt8(ascii: "<"))
    else { return false }
    defer { at = end + 1 }
    if isLeftOut || XMPNames.areRemoved(name, edit) { return true }
    if let value = XMPNames.value(of: name, edit) {
      result += source[space..<name.endIndex] + Array("=\"\(value)\"".utf8)
    } else {
      result += source[space...end]
    }
    return true
  }

  private mutating func readName() -> ArraySlice<UInt8> {
    let start = at
    while at < source.count {
      switch source[at] {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: ":"), 0x80...0xFF:
        at += 1
      default: return source[start..<at]
      }
    }
    return source[start..<at]
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}

/// The properties that a crop changes.
private enum XMPNames {
  /// Thumbnails, gain and depth maps, and lists of pictures that no longer follow in the file; a
  /// panorama's geometry, which no longer holds.
  private static let removed: [StaticString] = [
    "xmp:Thumbnails", "xap:Thumbnails", "xmpGImg:", "xapGImg:", "hdrgm:", "HDRGainMap:", "hdr:",
    "Container:", "GContainer:", "GCamera:", "GDepth:", "GImage:", "Device:", "Camera:", "GPano:",
    "apdi:", "MicroVideo:", "MotionPhoto:", "xmpNote:HasExtendedXMP", "photoshop:DocumentAncestors",
    "mwg-rs:", "MPRI:", "MPReg:", "tiff:NativeDigest", "exif:NativeDigest",
  ]

  private static let places: [StaticString] = [
    "exif:GPS", "photoshop:City", "photoshop:State", "photoshop:Country", "Iptc4xmpCore:Location",
    "Iptc4xmpCore:CountryCode", "Iptc4xmpExt:LocationCreated", "Iptc4xmpExt:LocationShown",
  ]

  /// Whether what is called `name` is left out.
  static func areRemoved(_ name: ArraySlice<UInt8>, _ edit: EXIFBlock.Edit) -> Bool {
    removed.contains { name.starts(with: $0) }
      || (edit.dropsLocation && places.contains { name.starts(with: $0) })
  }

  /// The new value of a property; nil where it stays.
  static func value(of name: ArraySlice<UInt8>, _ edit: EXIFBlock.Edit) -> String? {
    switch String(decoding: name, as: UTF8.self) {
    case "tiff:Orientation": "\(edit.orientation.rawValue)"
    case "tiff:ImageWidth", "exif:PixelXDimension": "\(edit.width)"
    case "tiff:ImageLength", "exif:PixelYDimension": "\(edit.height)"
    case "exif:ColorSpace": edit.isSRGB ? "1" : nil
    default: nil
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func starts(with text: StaticString) -> Bool {
    starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
