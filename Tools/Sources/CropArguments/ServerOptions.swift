import ArgumentParser

/// What `cropkit serve` takes, and `cropkit-server`, which it becomes.
package struct ServerOptions: ParsableArguments {
  /// What it is, in a line.
  package static let abstract = "Crop in the browser: serve the page on this machine."
  /// How it is called.
  package static let usage = "cropkit serve [--port 8080] [--host 127.0.0.1] [--open] [options]"
  /// What it does.
  package static let discussion = """
    Prints the address once it listens, and the token by which a browser signs in; --open signs \
    in the browser of this machine. Who has signed in stays so when the server starts again; the \
    page lists these devices. Only this machine can reach the server, unless --host says \
    otherwise; then a QR code signs in one device. The page shows the photos of your pictures \
    folder (--library). Pictures are decoded in processes of their own.

      cropkit serve --open
      cropkit serve --port 0 --samples ~/Pictures/Samples
      cropkit serve --library ~/Photos --token-file ~/.config/cropkit-token
      cropkit serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
      cropkit serve --socket /run/user/1000/cropkit.socket --origin https://photos.example.org

    Ctrl-C stops it when what is running is done. The log is on standard error.
    """

  /// How much may be logged.
  package static let levels = ["debug", "info", "warning", "error"]
  /// The forms of the log.
  package static let logForms = ["auto", "text", "journal", "json"]

  @Option(help: ArgumentHelp("The port to listen on; 0 takes a free one.", valueName: "n"))
  package var port = 8080

  @Option(
    help: ArgumentHelp(
      "The address to listen on; 0.0.0.0 or 0 for all of this machine.", valueName: "address"))
  package var host = "127.0.0.1"

  @Option(
    help: ArgumentHelp(
      "Listen on a Unix socket instead of a port, for a proxy of yours.", valueName: "path"),
    completion: .file())
  package var socket: String?

  @Option(
    help: ArgumentHelp(
      "Who may connect to the socket, such as 660 (default: 600, you alone).", valueName: "mode"))
  package var socketMode: String?

  @Option(
    help: ArgumentHelp(
      "What browsers call the server behind a proxy, such as https://photos.example.org; may be repeated.",
      valueName: "url"))
  package var origin: [String] = []

  @Option(
    help: ArgumentHelp(
      "A proxy whose X-Forwarded-For, X-Forwarded-Host or Forwarded is believed; may be repeated.",
      discussion: """
        An address or a range, such as 192.168.1.2 or 10.0.0.0/8; "socket" is whoever connects to \
        --socket. Wrong tokens then slow down their sender alone.
        """, valueName: "address"))
  package var trustedProxy: [String] = []

  @Option(
    help: ArgumentHelp(
      "The file that holds the token; it is created if it is missing. Without it each start has a "
        + "new token.",
      discussion: """
        It may hold several tokens, one per line: to rotate, add the new one as the first line, send \
        SIGHUP, and later remove the old one. Devices that signed in with a removed token are then \
        signed out, unless --keep-devices is given.
        """, valueName: "file"), completion: .file())
  package var tokenFile: String?

  @Flag(
    help: ArgumentHelp(
      "Keep devices signed in when their token is removed from the token file."))
  package var keepDevices = false

  @Option(help: .hidden)
  package var token: String?

  @Option(
    help: ArgumentHelp("A certificate in PEM form: speak TLS. Needs --tls-key.", valueName: "file"),
    completion: .file())
  package var tlsCert: String?

  @Option(
    help: ArgumentHelp("The certificate's private key in PEM form.", valueName: "file"),
    completion: .file())
  package var tlsKey: String?

  @Option(
    help: ArgumentHelp("A folder of sample pictures.", valueName: "dir"), completion: .directory)
  package var samples: String?

  @Option(
    help: ArgumentHelp(
      "The folder of the photos, or \"none\"; your pictures folder unless said.", valueName: "dir"),
    completion: .directory)
  package var library: String?

  @Flag(help: "Open the page in the browser.")
  package var open = false

  @Option(
    help: ArgumentHelp(
      "How many pictures are worked on at once (default: one a core, at most 4).", valueName: "n"))
  package var jobs: Int?

  @Option(help: ArgumentHelp("How many more may wait for their turn.", valueName: "n"))
  package var queue = 32

  @Option(help: ArgumentHelp("How many connections there may be at once.", valueName: "n"))
  package var connections = 1024

  @Option(
    help: ArgumentHelp("How much is logged: debug, info, warning or error.", valueName: "level"),
    completion: .list(ServerOptions.levels))
  package var log = "info"

  @Option(
    help: ArgumentHelp(
      "How it is logged: text, journal, json or auto (default: auto).",
      discussion: """
        json is an object a line, journal a line with its priority before it (sd-daemon(3)), which \
        auto takes where the journal reads.
        """, valueName: "form"),
    completion: .list(ServerOptions.logForms))
  package var logForm = "auto"

  @Option(
    help: ArgumentHelp(
      "The file of settings; none reads no file.",
      discussion: """
        Without it, /etc/cropkit/server.toml and then ~/.config/cropkit/server.toml, where they are \
        there. A line is an option's name without its dashes and its value: port = 9000, \
        library = "~/Photos", open = true, origin = ["https://photos.example.org"]. Paths start from \
        the file's folder. The second file goes before the first, the command line before both.
        """, valueName: "file"),
    completion: .file(extensions: ["toml"]))
  package var config: String?

  @OptionGroup(title: "Limits")
  package var limits: LimitOptions

  /// None of them given.
  package init() {}

  /// Checks what the parser can't.
  package func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port \(port) is no port") }
    guard Self.levels.contains(log) else {
      throw ValidationError("--log \(log) is not debug, info, warning or error")
    }
    guard Self.logForms.contains(logForm) else {
      throw ValidationError("--log-form \(logForm) is not \(Self.logForms.joined(separator: ", "))")
    }
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("--jobs \(jobs) is not 1 to 256")
    }
    guard queue >= 0 else { throw ValidationError("--queue \(queue) is not 0 or more") }
    guard (4...65_535).contains(connections) else {
      throw ValidationError("--connections \(connections) is not 4 to 65535")
    }
    guard token == nil else {
      throw ValidationError(
        "every user of the machine can read --token; put the token into a file, for --token-file")
    }
    guard socketMode == nil || mode != nil else {
      throw ValidationError("--socket-mode is three octal digits, such as 660")
    }
  }

  /// Checks what only all options together tell.
  package func checkTogether() throws {
    guard socket != nil || socketMode == nil else {
      throw ValidationError("--socket-mode needs --socket")
    }
    guard socket == nil || !open else {
      throw ValidationError("--open needs a port: no browser opens a socket")
    }
    guard (tlsCert == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-cert and --tls-key go together")
    }
  }

  /// Who may connect to the socket, as the bits of a file's mode.
  package var mode: UInt32? {
    let digits = socketMode ?? "600"
    return digits.count == 3 ? UInt32(digits, radix: 8) : nil
  }
}
