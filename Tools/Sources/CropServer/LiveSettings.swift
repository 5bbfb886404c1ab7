import Synchronization

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
