extension Substring {
  /// The text without these characters at both ends.
  package func trimmed(_ characters: String) -> String {
    let start = drop { characters.contains($0) }
    return String(start.reversed().drop { characters.contains($0) }.reversed())
  }
}
