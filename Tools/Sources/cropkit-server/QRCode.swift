import CQREncode

/// A QR code (ISO/IEC 18004) of some text.
struct QRCode {
  /// Whether the modules are dark, row by row.
  private let rows: [[Bool]]

  /// The code of the bytes of `text`; nil where it is too long for one.
  init?(_ text: String) {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let side = Int(code.pointee.width)
    guard let modules = code.pointee.data else { return nil }
    rows = (0..<side).map { y in (0..<side).map { x in modules[y * side + x] & 1 == 1 } }
  }

  /// The light modules around the code; readers want four.
  private static let margin = 4

  /// The code for a terminal: two modules a character, one above the other, white on black whatever
  /// the terminal's own colours are.
  var text: String {
    let side = rows.count + 2 * Self.margin
    func isLight(_ x: Int, _ y: Int) -> Bool {
      let (x, y) = (x - Self.margin, y - Self.margin)
      return !rows.indices.contains(y) || !rows.indices.contains(x) || !rows[y][x]
    }
    return stride(from: 0, to: side, by: 2).map { y in
      let line = (0..<side).map { x in
        switch (isLight(x, y), y + 1 < side && isLight(x, y + 1)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }.joined()
      return "\u{1B}[97;40m\(line)\u{1B}[0m\n"
    }.joined()
  }
}
