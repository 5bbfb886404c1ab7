import CropImaging
import NIOCore
import Synchronization

/// The settings that a server starts with.
public struct ServerSettings: Sendable {
  /// Where to listen.
  public var place: ListeningPlace
  /// What somebody must know to sign in.
  public var token: AccessToken
  /// Further tokens that sign in, while one is being rotated.
  public var otherTokens: [AccessToken] = []
  /// Whether devices stay signed in after the token by which they did is gone from its file.
  public var keepsDevices = false
  /// The certificate and key to speak TLS with; nil speaks plain HTTP.
  public var tls: TLSFiles?
  /// What browsers call the server where they reach it through a proxy; the first is told to people.
  public var origins: [Origin]
  /// The proxies that are believed.
  public var proxies = TrustedProxies()
  /// A socket that listens already; `place` is where.
  public var inherited: InheritedSocket?
  /// The folder of sample pictures, nil for none.
  public var samples: String?
  /// Where the photos are.
  public var library: LibraryChoice
  /// The program that decodes; nil finds it beside this one.
  public var worker: String?
  /// How many pictures are worked on at once, at least 1.
  public var concurrency: Int
  /// How many more may wait for their turn, 0 or more.
  public var queue: Int
  /// The most connections at once, at least 1.
  public var connections: Int
  /// What one picture may cost.
  public var limits: Limits
  /// How often a stream of events gives a sign of life.
  var heartbeat = ServerTimes.heartbeat
  /// How long a connection may be silent while there are places enough.
  var silence = ServerTimes.silence
  /// How long a server over named files waits for another page to come when the last one has gone.
  var absence = ServerTimes.absence
  /// Tells the time by which pages are gone.
  var now: @Sendable () -> ContinuousClock.Instant = { .now }
  /// How many bytes of results may wait to be read before no more are made.
  var unreadResults = 512 << 20

  /// Settings for a server on this machine alone.
  public init(
    place: ListeningPlace = .loopback, token: AccessToken = .random(), tls: TLSFiles? = nil,
    origins: [Origin] = [], samples: String? = nil, library: LibraryChoice = .none,
    worker: String? = nil, concurrency: Int, queue: Int = 32, connections: Int = 1024,
    limits: Limits = Limits()
  ) {
    self.place = place
    self.token = token
    self.tls = tls
    self.origins = origins
    self.samples = samples
    self.library = library
    self.worker = worker
    self.concurrency = concurrency
    self.queue = queue
    self.connections = connections
    self.limits = limits
  }

  /// The right to be the server that opens files; nil for any other server.
  var claim: OpeningPlace.Claim? {
    if case .named(let claim) = library { claim } else { nil }
  }

  /// Settings that can't be.
  public struct Refusal: Error, CustomStringConvertible {
    let words: String
    /// One line for a person.
    public var description: String { words }
  }

  /// The token that a text is; nil where it is none.
  func token(_ given: some StringProtocol) -> AccessToken? {
    ([token] + otherTokens).first { $0.matches(given) }
  }

  /// `http` or `https`, as a browser sees it that calls the server by this name.
  func scheme(for authority: String) -> String {
    if let origin = origins.first(where: { $0.authority == authority }) { return origin.scheme }
    return tls == nil ? "http" : "https"
  }
}

/// Where the photos of the page's library are.
public enum LibraryChoice: Sendable {
  /// There is no library.
  case none
  /// The user's pictures folder, if there is one.
  case pictures
  /// A folder.
  case folder(String)
  /// The files that are named to the server while it runs (``OpeningPlace``). It ends when nobody looks at
  /// its pages any more.
  case named(OpeningPlace.Claim)
}

/// The settings of a running server, some of which may be replaced while it runs.
public final class LiveSettings: Sendable {
  private struct State {
    var settings: ServerSettings
    var onChange: (@Sendable (ServerSettings) -> Void)?
  }

  private let state: Mutex<State>

  /// Settings to start with.
  public init(_ settings: ServerSettings) {
    state = Mutex(State(settings: settings))
  }

  /// The settings that apply now.
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

  /// Calls `action` after each reload, in place of an earlier one.
  func onChange(_ action: @escaping @Sendable (ServerSettings) -> Void) {
    state.withLock { $0.onChange = action }
  }
}

/// How long the server waits for others.
enum ServerTimes {
  /// How often a stream of events gives a sign of life.
  static let heartbeat = Duration.seconds(15)
  /// How long a connection may be silent while there are places enough.
  static let silence = Duration.seconds(30)
  /// How long pages may all be gone: as long as one takes to be loaded again on a slow machine.
  static let absence = Duration.seconds(30)
  /// How long the rest of a refused request is read, so that the client gets to see the answer.
  static let linger = TimeAmount.seconds(2)
  /// How long a request waits for its turn.
  static let turn = Duration.seconds(20)
  /// How long running requests have to end after the signal to stop.
  static let stop = Duration.seconds(60)
  /// When an upload is first asked whether it makes progress, and how much, in bytes a second.
  static let uploadGrace = Duration.seconds(20)
  static let slowestUpload = 2048
}
