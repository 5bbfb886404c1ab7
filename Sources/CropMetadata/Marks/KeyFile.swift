/// A text of sections and keys, as in RawTherapee's settings: `[Crop]`, then lines such as `X=10`.
struct KeyFile {
  /// The largest file that is read, in bytes.
  static var maxBytes: Int { 1 << 20 }

  private(set) var source: [UInt8]

  /// Parses a text; nil if it is too long, contains a zero byte or has no section.
  init?(_ source: [UInt8]) {
    guard source.count <= Self.maxBytes else { return nil }
    self.source = source
    var hasSection = false
    var line = Line(in: source, from: source.has("\u{FEFF}") ? 3 : 0)
    while line.start < source.count {
      for index in line.start..<line.end where source[index] == 0 { return nil }
      if line.start < line.end, source[line.start] == UInt8(ascii: "[") { hasSection = true }
      line = Line(in: source, from: line.next)
    }
    guard hasSection else { return nil }
  }

  /// The range of a line, and the start of the next one.
  private struct Line {
    let start: Int
    var end: Int
    let next: Int

    init(in source: [UInt8], from start: Int) {
      self.start = start
      var end = start
      while end < source.count, source[end] != 0x0A { end += 1 }
      next = end + 1
      if end > start, source[end - 1] == 0x0D { end -= 1 }
      self.end = end
    }
  }

  /// The position of a key's value; the last one if there are several.
  ///
  /// - Parameter name: section and key, `[Crop] X`.
  func value(of name: ArraySlice<UInt8>) -> (start: Int, end: Int)? { place(of: name).value }

  /// The position of a key's value, and of the first line after its section's title.
  private func place(
    of name: ArraySlice<UInt8>
  ) -> (value: (start: Int, end: Int)?, section: Int?) {
    guard let close = name.firstIndex(of: UInt8(ascii: "]")) else { return (nil, nil) }
    let title = name[name.startIndex...close]
    let key = name[(close + 2)...]
    var found: (start: Int, end: Int)?
    var section: Int?
    var isInside = false
    var line = Line(in: source, from: source.has("\u{FEFF}") ? 3 : 0)
    while line.start < source.count {
      if line.start < line.end, source[line.start] == UInt8(ascii: "[") {
        isInside = has(title, at: line.start)
        if isInside { section = min(line.next, source.count) }
      } else if isInside, has(key, at: line.start) {
        var at = line.start + key.count
        while at < line.end, source[at] == 0x20 { at += 1 }
        if at < line.end, source[at] == UInt8(ascii: "=") { found = (at + 1, line.end) }
      }
      line = Line(in: source, from: line.next)
    }
    return (found, section)
  }

  private func has(_ text: ArraySlice<UInt8>, at start: Int) -> Bool {
    guard text.count <= source.count - start else { return false }
    for index in 0..<text.count where source[start + index] != text[text.startIndex + index] {
      return false
    }
    return true
  }

  /// Replaces a key's value, or adds it after the title of its section or, in a new section, at the
  /// end.
  mutating func set(_ name: ArraySlice<UInt8>, to value: [UInt8]) {
    let (place, section) = place(of: name)
    guard let close = name.firstIndex(of: UInt8(ascii: "]")) else { return }
    if let place {
      source.replaceSubrange(place.start..<place.end, with: value)
      return
    }
    var line = Array(name[(close + 2)...])
    line.append(UInt8(ascii: "="))
    line += value
    if let section {
      if section > 0, source[section - 1] != 0x0A { source += lineBreak }
      source.insert(contentsOf: line + lineBreak, at: section == source.count ? section : section)
    } else {
      if let last = source.last, last != 0x0A { source += lineBreak }
      if !source.isEmpty { source += lineBreak }
      source += Array(name[name.startIndex...close]) + lineBreak + line + lineBreak
    }
  }

  private var lineBreak: [UInt8] {
    for index in source.indices where source[index] == 0x0A {
      return index > 0 && source[index - 1] == 0x0D ? [0x0D, 0x0A] : [0x0A]
    }
    return [0x0A]
  }
}
