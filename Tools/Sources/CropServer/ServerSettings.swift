import CropImaging
import NIOCore
import Synchronization

/// The settings that a server starts with.
public struct ServerSettings: Sendable {
  /// Where to listen.
  public var place: ListenAddress
  /// The token that signs in clients.
  public var token: AccessToken
  /// Further accepted tokens, while one is being rotated.
  public var otherTokens: [AccessToken] = []
  /// Whether devices stay signed in after their token was removed from its file.
  public var keepsDevices = false
  /// The certificate and key for TLS; nil for plain HTTP.
  public var tls: TLSFiles?
  /// The server's addresses behind a proxy; the first is shown to users.
  public var origins: [Origin] = []
  /// The trusted proxies.
  public var proxies = TrustedProxies()
  /// The galleries that photos are opened from and saved to.
  public var galleries = GallerySettings()
  /// A socket that is already listening, at `place`.
  public var inherited: InheritedSocket?
  /// The folder of sample pictures, nil for none.
  public var samples: String?
  /// The location of the photos.
  public var library: LibraryChoice
  /// The worker program that decodes; nil for the one next to this program.
  public var worker: String?
  /// How many images are processed at the same time, at least 1.
  public var concurrency: Int
  /// How many more may wait in the queue, 0 or more.
  public var queue = 256
  /// The maximum number of connections, at least 1.
  public var connections = 1024
  /// The limits for one image.
  public var limits = Limits()
  /// How often an event stream sends a keep-alive comment.
  var heartbeat = ServerTimes.heartbeat
  /// How long a connection may be silent while there are enough free slots.
  var silence = ServerTimes.silence
  /// How long a server of named files waits for another page after the last one was closed.
  var absence = ServerTimes.absence
  /// The clock for the absence of pages.
  var now: @Sendable () -> ContinuousClock.Instant = { .now }
  /// The maximum number of bytes of unread results; above it, no more are made.
  var unreadResults = 512 << 20

  /// Settings for a server on this machine only.
  public init(
    place: ListenAddress = .loopback, token: AccessToken = .random(),
    library: LibraryChoice = .none, concurrency: Int
  ) {
    self.place = place
    self.token = token
    self.library = library
    self.concurrency = concurrency
  }

  /// The right to be the server that opens files; nil for any other server.
  var claim: InstanceLock.Claim? {
    if case .named(let claim) = library { claim } else { nil }
  }

  /// Invalid settings.
  public struct Refusal: Error, CustomStringConvertible {
    let words: String

    /// - Parameter words: a one-line message.
    public init(words: String) {
      self.words = words
    }

    /// A one-line message.
    public var description: String { words }
  }

  /// The accepted token that equals a text; nil if there is none.
  func token(_ given: some StringProtocol) -> AccessToken? {
    ([token] + otherTokens).first { $0.matches(given) }
  }

  /// `http` or `https`, as seen by a browser that uses this host name.
  func scheme(for authority: String) -> String {
    if let origin = origins.first(where: { $0.authority == authority }) { return origin.scheme }
    return tls == nil ? "http" : "https"
  }
}

/// The location of the library's photos.
public enum LibraryChoice: Sendable {
  /// No library.
  case none
  /// The user's pictures folder, if there is one.
  case pictures
  /// A folder.
  case folder(String)
  /// The files that are named to the server while it runs (``InstanceLock``). It stops when none of
  /// its pages is open.
  case named(InstanceLock.Claim)
}

/// The settings of a running server, some of which may be replaced while it runs.
public final class LiveSettings: Sendable {
  private struct State {
    var settings: ServerSettings
    var onChange: (@Sendable (ServerSettings) -> Void)?
  }

  private let state: Mutex<State>

  /// The initial settings.
  public init(_ settings: ServerSettings) {
    state = Mutex(State(settings: settings))
  }

  /// The current settings.
  public var now: ServerSettings { state.withLock { $0.settings } }

  /// Applies what can change while a server runs: tokens, origins, trusted proxies and whether devices
  /// outlive their token. Blocks.
  public func reload(_ new: ServerSettings) {
    let (settings, onChange) = state.withLock { state in
      state.settings.token = new.token
      state.settings.otherTokens = new.otherTokens
      state.settings.origins = new.origins
      state.settings.proxies = new.proxies
      state.settings.keepsDevices = new.keepsDevices
      return (state.settings, state.onChange)
    }
    onChange?(settings)
  }

  /// Calls `action` after each reload, replacing an earlier action.
  func onChange(_ action: @escaping @Sendable (ServerSettings) -> Void) {
    state.withLock { $0.onChange = action }
  }
}

/// How long the server waits for others.
enum ServerTimes {
  /// How often an event stream sends a keep-alive comment.
  static let heartbeat = Duration.seconds(15)
  /// How long a connection may be silent while there are enough free slots.
  static let silence = Duration.seconds(30)
  /// How long no page may be open: as long as a slow machine takes to reload one.
  static let absence = Duration.seconds(30)
  /// How long the rest of a rejected request is read, so that the client receives the response.
  static let linger = TimeAmount.seconds(2)
  /// How long running requests may take after the signal to stop.
  static let stop = Duration.seconds(60)
  /// When an upload's progress is first checked, and the minimum in bytes per second.
  static let uploadGrace = Duration.seconds(20)
  static let slowestUpload = 2048
}
