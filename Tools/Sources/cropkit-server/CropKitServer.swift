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
    commandName: "cropkit-server",
    abstract: ServerOptions.abstract,
    usage: ServerOptions.usage,
    discussion: ServerOptions.discussion,
    version: Version.text)

  @OptionGroup
  var options: ServerOptions

  func validate() throws {
    try options.checkTogether()
    for origin in options.origin where Origin(origin) == nil {
      throw ValidationError("--origin \(origin) is no address like https://photos.example.org")
    }
  }

  private func settings() throws -> ServerSettings {
    let start = WorkingFolder()
    let inherited = try InheritedSocket.taken()
    let place: ListeningPlace =
      if let inherited {
        inherited.place
      } else if let socket = options.socket {
        .socket(path: start.path(socket), mode: options.mode ?? 0o600)
      } else {
        .port(try .init(options.host), options.port)
      }
    var settings = ServerSettings(
      place: place, token: try options.tokenFile.map { try AccessToken(file: $0) } ?? .random(),
      tls: options.tlsCert.flatMap { cert in
        options.tlsKey.map { TLSFiles(certificates: start.path(cert), key: start.path($0)) }
      },
      origins: options.origin.compactMap { Origin($0) },
      samples: options.samples.map { start.path($0) } ?? SampleFolder.path,
      library: options.library.map { $0 == "none" ? .none : .folder(start.path($0)) } ?? .pictures,
      concurrency: options.jobs ?? min(4, max(1, ProcessInfo.processInfo.activeProcessorCount)),
      queue: options.queue, connections: options.connections, limits: options.limits.limits)
    settings.inherited = inherited
    settings.proxies = try TrustedProxies(options.trustedProxy)
    return settings
  }

  func run() async throws {
    var logger = Logger(label: "cropkit", factory: logHandler)
    defer { LogOutput.standardError.flush() }
    logger.logLevel = Logger.Level(rawValue: options.log) ?? .info
    let (opensBrowser, tokenFile) = (options.open, options.tokenFile)
    do {
      let settings = try settings()
      WorkingFolder.leave()
      try await CropServer(settings, logger: logger).run { listening in
        Greeting(listening: listening, token: settings.token, tokenFile: tokenFile).say()
        ServiceManager.notify("READY=1\nSTATUS=CropKit is at \(listening.place)")
        if opensBrowser { Self.openBrowser(listening) }
      } onStopping: {
        ServiceManager.notify("STOPPING=1")
      }
    } catch let error as CropError {
      Self.complain(error.message)
      throw ExitCode(error.exitStatus)
    } catch let error as ServerSettings.Refusal {
      Self.complain("\(error)")
      throw ExitCode(EX_USAGE)
    } catch {
      Self.complain(
        "\(options.host):\(options.port) can't be listened on: \(error); try another --port")
      throw ExitCode(EX_UNAVAILABLE)
    }
  }

  private func logHandler(_ label: String) -> any LogHandler {
    let stream = LogOutput.standardError
    switch options.logForm {
    case "json": return LineLog(.json, stream: stream)
    case "journal": return LineLog(.journal, stream: stream)
    case "auto" where ServiceManager.isJournal(STDERR_FILENO):
      return LineLog(.journal, stream: stream)
    default: return StreamLogHandler(label: label, stream: stream)
    }
  }

  private static func openBrowser(_ listening: Listening) {
    guard Browser.isThere else { return }
    do throws(CropError) {
      if let file = try listening.fileToOpen() { Browser.show(file) }
    } catch {
      complain(error.message)
    }
  }

  static func main() async {
    OwnProgram.holdStandardStreams()
    // Whoever closes the terminal or the connection to it does not end what others use.
    signal(SIGHUP, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    do {
      let words = OwnProgram.arguments.dropFirst().map { String(decoding: $0, as: UTF8.self) }
      if words.first == OpenCommand.word {
        // It reads no settings: what they open to others is not meant for it.
        let command = try OpenCommand.parse(Array(words.dropFirst()))
        return try await command.run()
      }
      var command = try parseAsRoot(words)
      if let own = command as? CropKitServer {
        // What comes last counts.
        command = try parseAsRoot(try SettingsFile.words(of: own.options.config) + words)
      }
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch let fault as SettingsFile.Fault {
      complain("\(fault)")
      Glibc.exit(EX_CONFIG)
    } catch let failure as CropError {
      complain(failure.message)
      Glibc.exit(failure.exitStatus)
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

  static func complain(_ message: String) {
    LogOutput.standardError.write("cropkit: \(message)\n")
    LogOutput.standardError.flush()
  }
}
