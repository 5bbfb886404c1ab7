import CQREncode
import CropServer
import Glibc

/// What the program prints when the server accepts connections.
struct StartupMessage {
  let listening: Listening
  let token: AccessToken
  /// The file that stores the token, if any.
  let tokenFile: String?

  func say() {
    print("CropKit is at \(listening.place)")
    if let everything = listening.everyAddress {
      print("It listens on all addresses of this machine (\(everything)).")
    }
    if let tokenFile {
      print("The token to sign in is in \(tokenFile)")
    } else if Self.isSeenByOthers {
      print("Other users can read this output, so it does not hold the token; use --token-file.")
    } else {
      print("The token to sign in is \(token.text)")
    }
    if isatty(STDOUT_FILENO) == 1, let address = listening.joiningAddress(),
      let code = QRCode(address)
    {
      print("The code signs in one device in the next five minutes:")
      print(code.text, terminator: "")
    }
    fflush(nil)
  }

  /// Whether standard output is a file that others can read.
  private static var isSeenByOthers: Bool {
    // Other users may be allowed to read the journal.
    if ServiceManager.isJournal(STDOUT_FILENO) { return true }
    var status = stat()
    return fstat(STDOUT_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && status.st_mode & 0o044 != 0
  }
}

/// A QR code (ISO/IEC 18004).
struct QRCode {
  /// Whether the modules are dark, row by row.
  private let rows: [[Bool]]

  /// Encodes the bytes of `text`; nil if it is too long.
  init?(_ text: String) {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let side = Int(code.pointee.width)
    guard let modules = code.pointee.data else { return nil }
    rows = (0..<side).map { y in (0..<side).map { x in modules[y * side + x] & 1 == 1 } }
  }

  /// The width of the light margin in modules; the standard requires four.
  private static let margin = 4

  /// The code for a terminal: two modules per character, one above the other, white on black
  /// whatever the terminal's colors are.
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
