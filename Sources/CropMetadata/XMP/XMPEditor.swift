import CropCore

/// Copies an XMP packet without the parts to remove.
struct XMPEditor {
  private var scanner: XMPScanner
  private let edit: MetadataEdit
  /// Whether everything but the density stays as it is.
  private let changesOnlyDensity: Bool
  /// The number of elements that were open when a removed one started.
  private var leftOut: Int?
  /// The number that replaces the contents of the innermost element.
  private var replacement: Int?
  /// Whether the outermost element is closed, so that only padding follows.
  private var isDone = false
  private(set) var sawDescription = false
  private(set) var lost: MetadataLoss = []
  private(set) var result: [UInt8] = []

  init(_ source: [UInt8], edit: MetadataEdit, changesOnlyDensity: Bool = false) {
    scanner = XMPScanner(source)
    self.edit = edit
    self.changesOnlyDensity = changesOnlyDensity
  }

  private func rule(for name: XMPName) -> XMPRule? {
    let rule = XMPRule(name, scanner)
    if changesOnlyDensity, rule != .density, rule != .description { return nil }
    return rule
  }

  /// Copies the packet; false if it can't be parsed.
  mutating func run() -> Bool {
    while let token = scanner.next() {
      let isKept = leftOut == nil && replacement == nil
      switch token {
      case .comment: break
      case .text: if isKept, !isDone { copy(from: scanner.start, to: scanner.at) }
      case .instruction: if isKept { copy(from: scanner.start, to: scanner.at) }
      case .endTag: endTag()
      case .startTag, .emptyTag:
        // A property with a plain value has no elements inside, and there is only one outermost
        // element.
        guard replacement == nil, !isDone else { return false }
        startTag(isEmpty: token == .emptyTag)
      }
    }
    return scanner.isAtEnd && isDone
  }

  private mutating func copy(from start: Int, to end: Int) {
    result.append(scanner.source, from: start, to: end)
  }

  private mutating func endTag() {
    if let replacement {
      append(number: replacement)
      self.replacement = nil
    }
    if leftOut == nil {
      copy(from: scanner.start, to: scanner.at)
    } else if leftOut == scanner.depth {
      leftOut = nil
    }
    isDone = scanner.depth == 0
  }

  private mutating func startTag(isEmpty: Bool) {
    isDone = isEmpty && scanner.depth == 0
    if leftOut != nil { return }
    let rule = rule(for: scanner.tagName)
    if drops(rule, valueAt: scanner.at) {
      if !isEmpty { leftOut = scanner.depth - 1 }
      return
    }
    copy(from: scanner.start, to: scanner.nameEnd)
    var at = scanner.nameEnd
    while let attribute = scanner.attribute(from: at) {
      at = attribute.valueEnd + 1
      copy(attribute, to: at)
    }
    copy(from: at, to: scanner.at)
    if !isEmpty { replacement = number(for: rule) }
  }

  /// Copies an attribute that ends at `end`, with the space before it.
  private mutating func copy(_ attribute: XMPScanner.Attribute, to end: Int) {
    let rule = rule(for: scanner.name(of: attribute))
    if drops(rule, valueAt: attribute.value) { return }
    if let number = number(for: rule) {
      copy(from: attribute.space, to: attribute.nameEnd)
      result.append("=\"")
      append(number: number)
      result.append("\"")
    } else {
      copy(from: attribute.space, to: end)
    }
  }

  /// Whether to remove a property whose value starts at `start`; records what users may miss.
  private mutating func drops(_ rule: XMPRule?, valueAt start: Int) -> Bool {
    switch rule {
    case .dropped: return true
    case .location: return edit.dropsLocation
    case .density:
      if case .kept = edit.density { return false }
      return true
    case .region: lost.insert(.regions)
    case .edit: lost.insert(.edits)
    case .hasCrop:
      if scanner.byte(scanner.endOfSpace(start)) | 0x20 == UInt8(ascii: "t") {
        lost.insert(.edits)
      }
    case .panorama: lost.insert(.panorama)
    case .extendedXMP: lost.insert(.extendedXMP)
    case .description:
      sawDescription = true
      return false
    case .orientation, .width, .height, .colorSpace, nil: return false
    }
    return true
  }

  /// The new value of the property; nil if it does not change.
  private func number(for rule: XMPRule?) -> Int? {
    switch rule {
    case .orientation: edit.orientation.rawValue
    case .width: edit.width
    case .height: edit.height
    case .colorSpace where edit.isSRGB: 1
    default: nil
    }
  }

  private mutating func append(number: Int) {
    if number >= 10 { append(number: number / 10) }
    result.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }
}
