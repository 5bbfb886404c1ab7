import ArgumentParser
import CropArguments
import CropImaging
import CropServer
import FoundationEssentials
import Glibc
import Logging

/// `cropkit open`: asks the user's server to open photos, starting it if none is running, and shows
/// its page.
struct OpenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: OpenOptions.abstract, usage: OpenOptions.usage,
    discussion: OpenOptions.discussion)

  @OptionGroup
  var options: OpenOptions

  /// The argument that selects this command.
  static let word = "open"

  func run() async throws {
    if options.asServer { return try await Self.serve() }
    guard Browser.isAvailable else {
      throw CropError.componentMissing(
        component: "a display", advice: "DISPLAY and WAYLAND_DISPLAY are not set; use cropkit crop")
    }
    let paths = Self.paths
    let opening = try Self.opening(of: paths)
    let isShown = opening.file.map(Browser.showWindow) ?? true
    for refused in opening.refused { CropKitServer.warn(refused.message) }
    if !isShown, let file = opening.file {
      throw CropError.componentMissing(
        component: "a browser",
        advice: "it ended without showing the web app; open \(file) in another"
      )
    }
    if let first = opening.refused.first {
      throw ExitCode(paths.count == 1 ? first.exitStatus : 1)
    }
  }

  /// The absolute paths of the files, with their exact bytes, and names of photos in galleries.
  private static var paths: [PathBytes] {
    var words = OwnProgram.arguments.dropFirst(2)[...]
    var files: [[UInt8]] = []
    while let word = words.popFirst() {
      if word == Array("--".utf8) {
        files += words
        break
      }
      if word.first != UInt8(ascii: "-") { files.append(word) }
    }
    let folder = WorkingFolder()
    return files.map { file in
      let isOfGallery = ["immich:", "dav:"].contains { file.starts(with: $0.utf8) }
      return isOfGallery ? PathBytes(file) : folder.path(PathBytes(file))
    }
  }

  // MARK: Asking a running server

  /// How long to wait for a server to start.
  private static let patience = Duration.seconds(60)
  /// How often to check whether it has started, in microseconds.
  private static let pause: UInt32 = 10_000

  /// Retries until a server responds: a running one, or one that is started.
  private static func opening(of paths: [PathBytes]) throws -> OpenReply {
    let place = try InstanceLock()
    let end = ContinuousClock.now + patience
    var server: BackgroundProgram?
    while ContinuousClock.now < end {
      if let opening = try place.open(paths) { return opening }
      if let started = server, !started.isRunning {
        // A server that found another one running exited on purpose.
        guard [EXIT_SUCCESS, EX_TEMPFAIL].contains(started.terminationStatus) else { break }
        server = nil
      }
      if server == nil, try !place.isTaken() { server = try started() }
      usleep(pause)
    }
    throw CropError.componentMissing(
      component: "the server of cropkit open", advice: "it does not start; try cropkit serve --open"
    )
  }

  private static func started() throws -> BackgroundProgram {
    guard let program = OwnProgram.path,
      let server = BackgroundProgram([program, word, "--as-server"])
    else {
      throw CropError.componentMissing(
        component: "the server of cropkit open", advice: "install cropkit again")
    }
    return server
  }

  // MARK: Running a server

  private static func serve() async throws {
    guard let claim = try InstanceLock().claim() else { throw ExitCode(EX_TEMPFAIL) }
    let galleries = try galleries()
    WorkingFolder.leave()
    var logger = Logger(label: "cropkit")
    logger.logLevel = .critical
    var settings = ServerSettings(
      place: .port(.loopback, isFree(ownPort) ? ownPort : 0), library: .named(claim),
      concurrency: min(4, max(1, ProcessInfo.processInfo.activeProcessorCount)))
    settings.galleries = galleries
    try await CropServer(LiveSettings(settings), logger: logger).run { _ in }
  }

  private static func galleries() throws -> GallerySettings {
    let options = try GalleryOptions.parse(try SettingsFile.galleryArguments())
    try options.checkTogether()
    return try options.settings(from: WorkingFolder())
  }

  /// One port per user, so that the browser finds unsaved edits there again.
  private static let ownPort = 20_000 + Int(getuid() % 10_000)

  private static func isFree(_ port: Int) -> Bool {
    let socket = StreamSocket.open(AF_INET)
    defer { close(socket) }
    var isReused: Int32 = 1
    setsockopt(
      socket, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
