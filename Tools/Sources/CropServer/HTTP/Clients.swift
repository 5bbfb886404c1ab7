import CropImaging
import Hummingbird
import NIOCore
import Synchronization

/// The open connections: who sends the requests, and whether each waits for a response or is silent. If a
/// client disconnects, its crop is cancelled.
final class Clients: Sendable {
  /// The sender of requests: the id of a device, or a program with its token.
  enum Sender {
    case device(String)
    case program(AccessToken)

    /// The sender for whom workers decode images.
    var principal: CropPrincipal {
      switch self {
      case .device(let id): CropPrincipal("device \(id)")
      case .program(let token): CropPrincipal("program \(token.text)")
      }
    }
  }

  private struct Client {
    let channel: any Channel
    var hasLeft = false
    /// The action when it disconnects; nil while no work is running for it.
    var leaving: (@Sendable () -> Void)?
    /// The sender of the last request.
    var sender: Sender?
  }

  private struct State {
    var clients: [ObjectIdentifier: Client] = [:]
    var table: ConnectionTable<ObjectIdentifier>
  }

  private let state: Mutex<State>

  /// Accepts at most `capacity` connections. While there are enough free slots, each may be silent
  /// for `longestSilence`.
  init(capacity: Int, longestSilence: Duration) {
    state = Mutex(
      State(table: ConnectionTable(capacity: capacity, longestSilence: longestSilence)))
  }

  /// How many connections are open.
  var count: Int { state.withLock { $0.clients.count } }

  /// Runs work for the client at the other end of `channel`; the stop is cancelled when it
  /// disconnects.
  func withDisconnectHandler<Result>(
    _ channel: any Channel, _ work: (CropStop) async throws -> Result
  ) async rethrows -> Result {
    let stop = CropStop()
    return try await withDisconnectHandler(channel, leaving: { stop.cancel() }) {
      try await work(stop)
    }
  }

  /// Runs work for the client at the other end of `channel`; it is cancelled if the client
  /// disconnects.
  func withDisconnectHandler<Result: Sendable>(
    _ channel: any Channel, cancelling work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let task = Task { try await work() }
    return try await withDisconnectHandler(channel, leaving: { task.cancel() }) {
      try await task.value
    }
  }

  /// Runs work for the client at the other end of `channel`, and `leaving` if it disconnects;
  /// immediately if it already has.
  func withDisconnectHandler<Result>(
    _ channel: any Channel, leaving: @escaping @Sendable () -> Void,
    _ work: () async throws -> Result
  ) async rethrows -> Result {
    let id = ObjectIdentifier(channel)
    let exists = state.withLock { state in
      state.clients[id]?.leaving = leaving
      return state.clients[id]?.hasLeft == false
    }
    if !exists { leaving() }
    defer { state.withLock { $0.clients[id]?.leaving = nil } }
    return try await work()
  }

  /// A route's call that gets a stop, which is cancelled when the client disconnects.
  func watching(
    _ call: @escaping @Sendable (Request, CropContext, CropStop) async throws -> Response
  ) -> Routes.Call {
    { request, context in
      try await self.withDisconnectHandler(context.channel) { stop in
        do {
          return try await call(request, context, stop)
        } catch  where stop.isCancelled {
          // The work failed because it was stopped.
          throw CancellationError()
        }
      }
    }
  }

  /// Records the sender at the other end of `channel`.
  func note(_ channel: any Channel, isOf sender: Sender?) {
    state.withLock { $0.clients[ObjectIdentifier(channel)]?.sender = sender }
  }

  /// Closes the connections of signed-out devices.
  func close(devices: Set<String>) {
    close { sender in
      guard case .device(let id) = sender else { return false }
      return devices.contains(id)
    }
  }

  /// Closes the connections of programs whose token is none of these.
  func close(programsWithout tokens: [AccessToken]) {
    close { sender in
      guard case .program(let token) = sender else { return false }
      return !tokens.contains { $0.text == token.text }
    }
  }

  private func close(where isEnded: (Sender) -> Bool) {
    let channels = state.withLock { state in
      state.clients.values.filter { $0.sender.map(isEnded) == true }.map(\.channel)
    }
    for channel in channels { channel.close(promise: nil) }
  }

  /// Closes connections that have been silent for too long.
  func closeSilent() {
    let channels = state.withLock { state in
      state.table.overdue(at: .now).compactMap { state.clients[$0]?.channel }
    }
    for channel in channels { channel.close(promise: nil) }
  }

  /// Gives a new connection a slot; false if there is none.
  func enter(_ channel: any Channel) -> Bool {
    let id = ObjectIdentifier(channel)
    let network = ClientAddress(of: channel).network
    let (isAdmitted, instead) = state.withLock { state in
      switch state.table.enter(id, from: network, at: .now) {
      case .refused: return (false, nil as (any Channel)?)
      case .admitted:
        state.clients[id] = Client(channel: channel)
        return (true, nil)
      case .admittedInsteadOf(let other):
        state.clients[id] = Client(channel: channel)
        return (true, state.clients[other]?.channel)
      }
    }
    instead?.close(promise: nil)
    return isAdmitted
  }

  /// Records that the server waits for the client at the other end of `channel`: for a request or
  /// the rest of one, or until it reads its response.
  func wait(for channel: any Channel, isReading: Bool = false) {
    state.withLock {
      $0.table.wait(for: ObjectIdentifier(channel), isReading: isReading, at: .now)
    }
  }

  /// Records that the client at the other end of `channel` waits for the server.
  func work(for channel: any Channel) {
    state.withLock { $0.table.work(for: ObjectIdentifier(channel)) }
  }

  /// Records that the client at the other end of `channel` has disconnected.
  func leave(_ channel: any Channel) {
    let leaving = state.withLock { state in
      state.clients[ObjectIdentifier(channel)]?.hasLeft = true
      return state.clients[ObjectIdentifier(channel)]?.leaving
    }
    leaving?()
  }

  /// Removes a closed connection.
  func forget(_ channel: any Channel) {
    state.withLock { state in
      state.table.leave(ObjectIdentifier(channel))
      state.clients[ObjectIdentifier(channel)] = nil
    }
  }
}

/// Detects that a client disconnects, even while its response is being made. It is the first
/// handler after the socket.
///
/// A client that only closes its sending side looks the same.
final class ClientWatch: ChannelInboundHandler {
  typealias InboundIn = Any

  private let clients: Clients

  init(_ clients: Clients) { self.clients = clients }

  func handlerAdded(context: ChannelHandlerContext) {
    if !clients.enter(context.channel) { context.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { clients.forget(context.channel) }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed { clients.leave(context.channel) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    clients.leave(context.channel)
    context.fireChannelInactive()
  }
}
