import CropCore

/// The history in a darktable sidecar, and its position.
struct DarktableHistory {
  /// Why a crop can't be added.
  private(set) var problem: MarkProblem?
  /// How many entries there are.
  private(set) var count = 0
  /// The position of the list's closing tag or, if the list is an empty tag, of that tag.
  private(set) var end: Int?
  /// Where the list's empty tag ends, if it is one.
  private(set) var emptyEnd: Int?
  /// The position of the number of active entries.
  private(set) var inForce: (start: Int, end: Int)?

  static var names: StaticString { "darktable:history_end\n" }

  static func field(_ line: Int) -> MarkField {
    MarkField(line, of: "darktable:history\ndarktable:history_end\ndarktable:crop or ashift\n")
  }

  /// Nil for a packet that is not understood.
  init?(_ packet: [UInt8]) {
    guard let properties = XMPPhotoProperties(packet, named: Self.names) else { return nil }
    var scanner = XMPScanner(packet)
    // The number of open elements inside the history.
    var level: Int?
    while let token = scanner.next() {
      switch token {
      case .startTag, .emptyTag:
        let depth = scanner.depth + (token == .emptyTag ? 1 : 0)
        if level == nil, isHistory(scanner) {
          // A history that is a single empty tag can't contain a list.
          if token == .emptyTag { problem = .unreadable(Self.field(0)) }
          level = token == .startTag ? depth : nil
        } else if let level, depth == level + 1 {
          if token == .emptyTag { (end, emptyEnd) = (scanner.start, scanner.at) }
        } else if let level, depth == level + 2 {
          count += 1
          note(scanner)
        }
      case .endTag:
        if let open = level {
          if scanner.depth == open, end == nil { end = scanner.start }
          if scanner.depth < open { level = nil }
        }
      case .text, .comment, .instruction: break
      }
    }
    switch properties[0] {
    case .one(let property):
      inForce = (property.value, property.valueEnd)
      // Undone steps would become active if more were added after them.
      if properties.number(property) != Double(count) { problem = .unsupportedEdit(Self.field(1)) }
    case .none: if end != nil { problem = .missing(Self.field(1)) }
    case .unclear: problem = .unreadable(Self.field(1))
    }
  }

  /// Whether the tag is `darktable:history` and no longer name.
  private func isHistory(_ scanner: XMPScanner) -> Bool {
    scanner.line(of: scanner.tagName, in: "darktable:history\n") != nil
      && scanner.source.has("history", at: scanner.nameEnd - 7)
  }

  /// Other active modules that crop or rotate would do so in addition.
  private mutating func note(_ scanner: XMPScanner) {
    var at = scanner.nameEnd
    var (isOther, isEnabled) = (false, false)
    while let attribute = scanner.attribute(from: at) {
      at = attribute.valueEnd + 1
      let value = scanner.source.part(from: attribute.value, to: attribute.valueEnd)
      switch scanner.line(
        of: scanner.name(of: attribute), in: "darktable:operation\ndarktable:enabled\n")
      {
      case 0: isOther = value.has("crop") || value.has("ashift")
      case 1: isEnabled = value.has("1")
      default: break
      }
    }
    if isOther, isEnabled { problem = .unsupportedEdit(Self.field(2)) }
  }
}

extension DarktableCrop {
  /// The sidecar with this crop: `old` with two more steps at the end of its history and everything
  /// else unchanged byte for byte, or a new one that contains nothing else.
  ///
  /// - Throws: ``MarkProblem`` for a sidecar that can't be edited, or that crops with another
  ///   module.
  package func written(into old: [UInt8]?) throws(MarkProblem) -> [UInt8] {
    guard let old else { return sidecar }
    guard let history = DarktableHistory(old),
      let packet = XMPPhotoProperties(old, named: "rdf:none\n")
    else { throw .notUnderstood }
    if let problem = history.problem { throw problem }
    var result: [UInt8] = []
    guard let end = history.end, let inForce = history.inForce, inForce.end <= end else {
      // A sidecar of another program, or one in which the number follows the list.
      if history.end != nil { throw .unreadable(DarktableHistory.field(1)) }
      result.append(old, from: 0, to: packet.end)
      appendDescription(about: packet, to: &result)
      result.append(old, from: packet.end, to: old.count)
      return result
    }
    result.append(old, from: 0, to: inForce.start)
    result.append(decimal: Double(history.count + 2))
    result.append(old, from: inForce.end, to: end)
    if history.emptyEnd != nil { result.append("<rdf:Seq>") }
    appendEntries(from: history.count, to: &result)
    if let emptyEnd = history.emptyEnd {
      result.append("\n    </rdf:Seq>")
      result.append(old, from: emptyEnd, to: old.count)
    } else {
      result.append("\n    ")
      result.append(old, from: end, to: old.count)
    }
    return result
  }
}
