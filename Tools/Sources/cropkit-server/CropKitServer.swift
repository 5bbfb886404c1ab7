import ArgumentParser
import CropArguments
import CropImaging
import CropServer
import FoundationEssentials
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
      throw ValidationError(
        "--origin \(origin) is not a URL such as https://photos.example.org")
    }
  }

  /// - Parameters:
  ///   - start: the folder that relative paths start from.
  ///   - inherited: the socket from the service manager.
  ///   - isStarting: whether a missing token file is created. While the server runs, a missing one is
  ///     an error: an editor may be about to write it, and a new token would sign everybody out.
  private func settings(
    from start: WorkingFolder, _ inherited: InheritedSocket?, isStarting: Bool
  ) throws -> ServerSettings {
    let place: ListenAddress =
      if let inherited {
        inherited.place
      } else if let socket = options.socket {
        .socket(path: start.path(socket), mode: options.mode ?? 0o600)
      } else {
        .port(try .init(options.host), options.port)
      }
    let tokens = try options.tokenFile.map {
      try AccessToken.all(inFile: start.path($0), isCreating: isStarting)
    }
    var settings = ServerSettings(
      place: place, token: tokens?.first ?? .random(),
      library: options.library.map { $0 == "none" ? .none : .folder(start.path($0)) } ?? .pictures,
      concurrency: options.jobs ?? min(4, max(1, ProcessInfo.processInfo.activeProcessorCount)))
    settings.tls = options.tlsCert.flatMap { cert in
      options.tlsKey.map { TLSFiles(certificates: start.path(cert), key: start.path($0)) }
    }
    settings.origins = options.origin.compactMap { Origin($0) }
    settings.samples = options.samples.map { start.path($0) } ?? InstalledPaths.samples
    (settings.queue, settings.connections) = (options.queue, options.connections)
    settings.limits = options.limits.limits
    settings.otherTokens = tokens?.others ?? []
    settings.keepsDevices = options.keepDevices
    settings.inherited = inherited
    settings.galleries = try options.galleries.settings(from: start)
    settings.proxies = try TrustedProxies(options.trustedProxy)
    return settings
  }

  func run() async throws {
    var logger = Logger(label: "cropkit", factory: logHandler)
    defer { LogOutput.standardError.flush() }
    logger.logLevel = Logger.Level(rawValue: options.log) ?? .info
    let (opensBrowser, tokenFile) = (options.open, options.tokenFile)
    do {
      let (start, inherited) = (WorkingFolder(), try InheritedSocket.taken())
      let settings = try settings(from: start, inherited, isStarting: true)
      let live = LiveSettings(settings)
      WorkingFolder.leave()
      if !WorkerPool.filtersSystemCalls {
        logger.warning(
          "this kernel can't filter the system calls of decoders; see --require-sandbox")
      }
      let reloading = Reloading { [logger] in
        Self.reload(live, from: start, inherited, logger)
      }
      defer { reloading.end() }
      try await CropServer(live, logger: logger).run { listening in
        StartupMessage(listening: listening, token: settings.token, tokenFile: tokenFile).say()
        ServiceManager.notify("READY=1\nSTATUS=CropKit is at \(listening.place)")
        if opensBrowser { Self.openBrowser(listening) }
      } onStopping: {
        ServiceManager.notify("STOPPING=1")
      }
    } catch let error as CropError {
      Self.warn(error.message)
      throw ExitCode(error.exitStatus)
    } catch let error as ServerSettings.Refusal {
      Self.warn("\(error)")
      throw ExitCode(EX_USAGE)
    } catch let error as ListeningFailure {
      Self.warn("\(error)")
      throw ExitCode(EX_UNAVAILABLE)
    } catch {
      Self.warn("the server stopped: \(error)")
      throw ExitCode(EX_UNAVAILABLE)
    }
  }

  /// Reads the settings again. Invalid settings change nothing.
  private static func reload(
    _ live: LiveSettings, from start: WorkingFolder, _ inherited: InheritedSocket?,
    _ logger: Logger
  ) {
    do {
      guard let command = try command(arguments, from: start) as? Self else { return }
      var new = try command.settings(from: start, inherited, isStarting: false)
      if command.options.tokenFile == nil {
        guard live.now.token.file == nil else {
          throw ServerSettings.Refusal(
            words: "--token-file is no longer set; restart the server to use a new token")
        }
        // Keep the token from the start.
        new.token = live.now.token
      }
      live.reload(new)
      logger.notice("settings reloaded")
    } catch {
      let reason = (error as? CropError)?.message ?? message(for: error)
      logger.error("settings not reloaded", metadata: ["reason": "\(reason)"])
    }
  }

  private static let arguments = OwnProgram.arguments.dropFirst().map {
    String(decoding: $0, as: UTF8.self)
  }

  /// The command with the arguments of the command line and of the settings files.
  private static func command(
    _ arguments: [String], from start: WorkingFolder
  ) throws -> any ParsableCommand {
    let command = try parseAsRoot(arguments)
    guard let own = command as? CropKitServer else { return command }
    // The last occurrence counts.
    let config = own.options.config.map { $0 == "none" ? $0 : start.path($0) }
    return try parseAsRoot(try SettingsFile.arguments(of: config) + arguments)
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
    guard Browser.isAvailable else { return }
    do throws(CropError) {
      if let file = try listening.fileToOpen() { Browser.show(file) }
    } catch {
      warn(error.message)
    }
  }

  static func main() async {
    OwnProgram.holdStandardStreams()
    // Closing the terminal or its connection does not stop a server that others use; see Reloading.
    signal(SIGHUP, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    do {
      if arguments.first == OpenCommand.word {
        // It only uses the galleries from the settings; listening addresses do not apply to it.
        let command = try OpenCommand.parse(Array(arguments.dropFirst()))
        return try await command.run()
      }
      var command = try command(arguments, from: WorkingFolder())
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch let fault as SettingsFile.Fault {
      warn("\(fault)")
      Glibc.exit(EX_CONFIG)
    } catch let failure as CropError {
      warn(failure.message)
      Glibc.exit(failure.exitStatus)
    } catch {
      leave(error, command: "cropkit serve", warn: warn)
    }
  }

  static func warn(_ message: String) {
    LogOutput.standardError.write("cropkit: \(message)\n")
    LogOutput.standardError.flush()
  }
}

/// Files that are installed together with this program.
enum InstalledPaths {
  /// The folder of sample photos in this program's installation or source tree; nil if there is
  /// none.
  static var samples: String? {
    guard let program = OwnProgram.path, let slash = program.lastIndex(of: "/") else {
      return nil
    }
    let folder = program[..<slash]
    // From bin/ in the sources, and from libexec/cropkit and bin of an installation.
    return [
      "\(folder)/../Samples", "\(folder)/../../share/cropkit/samples",
      "\(folder)/../share/cropkit/samples",
    ].first { access($0, R_OK | X_OK) == 0 }
  }
}
