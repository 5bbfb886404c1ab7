import CropServer
import Glibc

/// What the program says when browsers may come.
struct Greeting {
  let listening: Listening
  let token: AccessToken
  /// The file that holds the token, where it has one.
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

  /// Whether standard output is a file that others may read.
  private static var isSeenByOthers: Bool {
    // Whoever may read the journal.
    if ServiceManager.isJournal(STDOUT_FILENO) { return true }
    var status = stat()
    return fstat(STDOUT_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && status.st_mode & 0o044 != 0
  }
}
