import ArgumentParser
import CropArguments
import CropImaging
import CropServer
import Foundation
import Glibc
import Logging

/// The program `cropkit-server`, started as `cropkit serve`.
@main
struct CropKitServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cropkit serve",
    abstract: "Crop in the browser: serve the page on this machine.",
    usage: "cropkit serve [--port 8080] [--host 127.0.0.1] [--open] [options]",
    discussion: """
      Prints the address once it listens. Only this machine can reach it, unless --host says \
      otherwise; then a browser must know a token, which the printed address and the QR code below \
      it hold. The page shows the photos of your pictures folder (--library). Pictures are decoded \
      in processes of their own.

        cropkit serve --open
        cropkit serve --port 0 --samples ~/Pictures/Samples
        cropkit serve --library ~/Photos
        cropkit serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem

      Ctrl-C stops it when what is running is done. The log is on standard error.
      """,
    version: "0.1.0")

  @Option(help: ArgumentHelp("The port to listen on; 0 takes a free one.", valueName: "n"))
  var port = 8080

  @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
  var host = "127.0.0.1"

  @Option(
    help: ArgumentHelp("What a browser must know, at least 8 letters or digits.", valueName: "t"))
  var token: String?

  @Option(
    help: ArgumentHelp("A certificate in PEM form: speak TLS. Needs --tls-key.", valueName: "file"))
  var tlsCert: String?

  @Option(help: ArgumentHelp("The certificate's private key in PEM form.", valueName: "file"))
  var tlsKey: String?

  @Option(help: ArgumentHelp("A folder of sample pictures.", valueName: "dir"))
  var samples: String?

  @Option(
    help: ArgumentHelp(
      "The folder of the photos, or \"none\"; your pictures folder unless said.", valueName: "dir"))
  var library: String?

  @Flag(help: "Open the page in the browser.")
  var open = false

  @Option(help: ArgumentHelp("How many pictures are worked on at once.", valueName: "n"))
  var jobs = min(4, max(1, ProcessInfo.processInfo.activeProcessorCount))

  @Option(help: ArgumentHelp("How many more may wait for their turn.", valueName: "n"))
  var queue = 32

  @Option(
    help: ArgumentHelp("How much is logged: debug, info, warning or error.", valueName: "level"))
  var log = "info"

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port \(port) is no port") }
    guard Logger.Level(rawValue: log) != nil else {
      throw ValidationError("--log \(log) is not debug, info, warning or error")
    }
    guard (1...256).contains(jobs) else { throw ValidationError("--jobs \(jobs) is not 1 to 256") }
    guard queue >= 0 else { throw ValidationError("--queue \(queue) is not 0 or more") }
    if let token {
      let isPlain = token.utf8.allSatisfy { byte in
        (byte >= 0x30 && byte <= 0x39) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a)
          || byte == 0x2d || byte == 0x5f
      }
      guard isPlain, token.utf8.count >= 8 else {
        throw ValidationError("--token is at least 8 letters, digits, - or _")
      }
    }
    guard (tlsCert == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-cert and --tls-key go together")
    }
  }

  private var settings: ServerSettings {
    ServerSettings(
      host: host, port: port, token: token,
      tls: tlsCert.flatMap { cert in tlsKey.map { TLSFiles(certificates: cert, key: $0) } },
      samples: samples ?? SampleFolder.path,
      library: library.map { $0 == "none" ? .none : .folder($0) } ?? .pictures, concurrency: jobs,
      queue: queue, limits: limits.limits)
  }

  func run() async throws {
    var logger = Logger(label: "cropkit") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = Logger.Level(rawValue: log) ?? .info
    let opensBrowser = open
    var settings = settings
    if settings.token == nil, !settings.isLoopback { settings.token = Token.random() }
    let isForOthers = !settings.isLoopback
    do {
      try await CropServer(settings, logger: logger).run { address in
        print("CropKit is at \(address)")
        if isForOthers, isatty(STDOUT_FILENO) == 1, let code = QRCode(address) {
          print(code.text, terminator: "")
        }
        fflush(nil)
        if opensBrowser { Browser.show(address) }
      }
    } catch let error as CropError {
      Self.complain(error.message)
      throw ExitCode(error.exitStatus)
    } catch let error as ServerSettings.Refusal {
      Self.complain("\(error)")
      throw ExitCode(EX_USAGE)
    } catch {
      Self.complain("\(host):\(port) can't be listened on: \(error); try another --port")
      throw ExitCode(EX_UNAVAILABLE)
    }
  }

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    do {
      var command = try parseAsRoot(nil)
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      leave(error)
    }
  }

  /// Help and versions on standard output; a mistake as one line on standard error.
  private static func leave(_ error: any Error) -> Never {
    let status = exitCode(for: error)
    if status == .success { exit(withError: error) }
    let message = message(for: error)
    if !message.isEmpty {
      let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
      complain(
        "\(line.hasSuffix(".") ? String(line.dropLast()) : line); see 'cropkit serve --help'")
    }
    Glibc.exit(status.rawValue)
  }

  private static func complain(_ message: String) {
    try? FileHandle.standardError.write(contentsOf: Data("cropkit: \(message)\n".utf8))
  }
}
