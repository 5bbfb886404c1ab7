import ArgumentParser

/// The options of `cropkit serve`, which runs `cropkit-server`.
package struct ServerOptions: ParsableArguments {
  /// The one-line description.
  package static let abstract = "Serve the web app and a photo library on this machine."
  /// How it is called.
  package static let usage = "cropkit serve [--port 8080] [--host 127.0.0.1] [--open] [options]"
  /// The long description.
  package static let discussion = """
    When it is ready, prints the URL, and the token to sign in with or the name of its file; --open signs in this \
    machine's browser. Devices stay signed in across restarts; the web app lists them. Only this machine can \
    connect, unless you set --host; then a QR code signs in one device. The web app shows the photos in your \
    photo folder (--library). Images are decoded in separate processes.

      cropkit serve --open
      cropkit serve --port 0 --samples ~/Pictures/Samples
      cropkit serve --library ~/Photos --token-file ~/.config/cropkit-token
      cropkit serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
      cropkit serve --socket /run/user/1000/cropkit.socket --origin https://photos.example.org

    Ctrl-C stops it after the current requests. The log is written to standard error.
    """

  /// The log levels.
  package static let levels = ["debug", "info", "warning", "error"]
  /// The log formats.
  package static let logForms = ["auto", "text", "journal", "json"]

  @Option(help: ArgumentHelp("The port to listen on; 0 for any free port.", valueName: "n"))
  package var port = 8080

  @Option(
    help: ArgumentHelp(
      "The address to listen on; 0.0.0.0 or 0 for all interfaces.", valueName: "address"))
  package var host = "127.0.0.1"

  @Option(
    help: ArgumentHelp(
      "Listen on a Unix socket instead of a port, for a proxy.", valueName: "path"),
    completion: .file())
  package var socket: String?

  @Option(
    help: ArgumentHelp(
      "The socket's permissions, such as 660 (default: 600, only you).", valueName: "mode"))
  package var socketMode: String?

  @Option(
    help: ArgumentHelp(
      "The server's URL in browsers, such as https://photos.example.org; may be repeated.",
      valueName: "url"))
  package var origin: [String] = []

  @Option(
    help: ArgumentHelp(
      "A proxy whose X-Forwarded-For, X-Forwarded-Host or Forwarded is trusted; may be repeated.",
      discussion: """
        An address or a range, such as 192.168.1.2 or 10.0.0.0/8, or "socket" for clients of --socket. Wrong \
        tokens then slow down only their sender.
        """, valueName: "address"))
  package var trustedProxy: [String] = []

  @Option(
    help: ArgumentHelp(
      "The file with the token; created if it does not exist. Default: a new token at each start.",
      discussion: """
        It may have several tokens, one per line. To rotate, add the new one as the first line, send \
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
    help: ArgumentHelp("A PEM certificate, to serve HTTPS. Needs --tls-key.", valueName: "file"),
    completion: .file())
  package var tlsCert: String?

  @Option(
    help: ArgumentHelp("The certificate's private key (PEM).", valueName: "file"),
    completion: .file())
  package var tlsKey: String?

  @Option(
    help: ArgumentHelp("A folder of sample images.", valueName: "dir"), completion: .directory)
  package var samples: String?

  @Option(
    help: ArgumentHelp(
      "The photo folder, or \"none\" (default: your photo folder).", valueName: "dir"),
    completion: .directory)
  package var library: String?

  @Flag(help: "Open the web app in the browser.")
  package var open = false

  @Option(
    help: ArgumentHelp(
      "How many images are processed in parallel (default: one per core, at most 4).",
      valueName: "n"))
  package var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "How many more images may wait.",
      discussion: """
        An image that would wait longer than 20 seconds, by the time that recent ones took, is rejected \
        at once: 429 with Retry-After.
        """, valueName: "n"))
  package var queue = 256

  @Option(help: ArgumentHelp("Maximum number of connections.", valueName: "n"))
  package var connections = 1024

  @Option(
    help: ArgumentHelp("Log level: debug, info, warning or error.", valueName: "level"),
    completion: .list(ServerOptions.levels))
  package var log = "info"

  @Option(
    help: ArgumentHelp(
      "Log format: text, journal, json or auto.",
      discussion: """
        json is one object per line, journal prefixes each line with its priority (sd-daemon(3)). auto \
        selects journal if systemd's journal reads the log, otherwise text.
        """, valueName: "form"),
    completion: .list(ServerOptions.logForms))
  package var logForm = "auto"

  @Option(
    help: ArgumentHelp(
      "The settings file, or none.",
      discussion: """
        Default: /etc/cropkit/server.toml and ~/.config/cropkit/server.toml, if they exist. Each line is an \
        option's name without dashes and its value: port = 9000, library = "~/Photos", open = true, \
        origin = ["https://photos.example.org"]. Under [immich] and [webdav], leave out the first word: \
        url = "https://photos.example.org". Paths are relative to the file's folder. The second file \
        overrides the first, the command line overrides both.
        """, valueName: "file"),
    completion: .file(extensions: ["toml"]))
  package var config: String?

  @OptionGroup(title: "Galleries")
  package var galleries: GalleryOptions

  @OptionGroup(title: "Limits")
  package var limits: LimitOptions

  /// No options given.
  package init() {}

  /// Checks what the parser can't.
  package func validate() throws {
    guard (0...65_535).contains(port) else { throw OptionForm.error("port", port) }
    guard Self.levels.contains(log) else {
      throw ValidationError("--log \(log): expected debug, info, warning or error")
    }
    guard Self.logForms.contains(logForm) else {
      throw ValidationError("--log-form \(logForm): expected auto, text, journal or json")
    }
    if let jobs, !(1...256).contains(jobs) { throw OptionForm.error("jobs", jobs) }
    guard queue >= 0 else { throw OptionForm.error("queue", queue) }
    guard (4...65_535).contains(connections) else {
      throw OptionForm.error("connections", connections)
    }
    guard token == nil else {
      throw ValidationError(
        "--token can be read by every user of this machine; use --token-file FILE instead")
    }
    if let socketMode, mode == nil {
      throw ValidationError("--socket-mode \(socketMode): expected three octal digits, such as 660")
    }
  }

  /// Checks options against each other.
  package func checkTogether() throws {
    guard socket != nil || socketMode == nil else {
      throw ValidationError("--socket-mode needs --socket")
    }
    guard socket == nil || !open else {
      throw ValidationError("--open needs a port; browsers can't open a socket")
    }
    guard (tlsCert == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-cert and --tls-key need each other")
    }
    try galleries.checkTogether()
  }

  /// Who may connect to the socket, as the bits of a file's mode.
  package var mode: UInt32? {
    let digits = socketMode ?? "600"
    return digits.count == 3 ? UInt32(digits, radix: 8) : nil
  }
}
