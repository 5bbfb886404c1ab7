import CropImaging
import NIOCore
import Synchronization

/// The open connections: which wait for an answer, which are silent, which device each is. When a client
/// disconnects, its crop is stopped.
final class Clients: Sendable {
  private struct Client {
    let channel: any Channel
    var hasLeft = false
    /// What is done when it leaves; nil while nothing is done for it.
    var leaving: (@Sendable () -> Void)?
    /// The id of the device it is.
    var device: String?
  }

  private struct State {
    var clients: [ObjectIdentifier: Client] = [:]
    var table: ConnectionTable<ObjectIdentifier>
  }

  private let state: Mutex<State>

  /// Room for at most `capacity` connections, which may be silent for so long while there are places
  /// enough.
  init(capacity: Int, longestSilence: Duration) {
    state = Mutex(
      State(table: ConnectionTable(capacity: capacity, longestSilence: longestSilence)))
  }

  /// How many connections are open.
  var count: Int { state.withLock { $0.clients.count } }

  /// Does work for the client at the other end of `channel`, which is told through the stop that it
  /// left.
  func withDisconnectHandler<Result>(
    _ channel: any Channel, _ work: (CropStop) async throws -> Result
  ) async rethrows -> Result {
    let stop = CropStop()
    return try await withDisconnectHandler(channel, leaving: { stop.cancel() }) {
      try await work(stop)
    }
  }

  /// Does work for the client at the other end of `channel`, cancelled when it leaves.
  func withDisconnectHandler<Result: Sendable>(
    _ channel: any Channel, cancelling work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let task = Task { try await work() }
    return try await withDisconnectHandler(channel, leaving: { task.cancel() }) {
      try await task.value
    }
  }

  /// Does work for the client at the other end of `channel`, and what `leaving` does when it leaves;
  /// at once if it has left already.
  func withDisconnectHandler<Result>(
    _ channel: any Channel, leaving: @escaping @Sendable () -> Void,
    _ work: () async throws -> Result
  ) async rethrows -> Result {
    let id = ObjectIdentifier(channel)
    let isThere = state.withLock { state in
      state.clients[id]?.leaving = leaving
      return state.clients[id]?.hasLeft == false
    }
    if !isThere { leaving() }
    defer { state.withLock { $0.clients[id]?.leaving = nil } }
    return try await work()
  }

  /// Remembers which device is at the other end of `channel`.
  func note(_ channel: any Channel, isOf device: String?) {
    state.withLock { $0.clients[ObjectIdentifier(channel)]?.device = device }
  }

  /// Closes the connections of devices that may not come in any more.
  func close(devices: Set<String>) {
    let channels = state.withLock { state in
      state.clients.values.filter { $0.device.map(devices.contains) == true }.map(\.channel)
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

  /// Gives a new connection a place; false where there is none for it.
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

  /// The server waits for the client at the other end of `channel`: for a request or the rest of one, or
  /// until it reads its answer.
  func wait(for channel: any Channel, isReading: Bool = false) {
    state.withLock {
      $0.table.wait(for: ObjectIdentifier(channel), isReading: isReading, at: .now)
    }
  }

  /// The client at the other end of `channel` waits for the server.
  func work(for channel: any Channel) {
    state.withLock { $0.table.work(for: ObjectIdentifier(channel)) }
  }

  /// The client at the other end of `channel` has left.
  func leave(_ channel: any Channel) {
    let leaving = state.withLock { state in
      state.clients[ObjectIdentifier(channel)]?.hasLeft = true
      return state.clients[ObjectIdentifier(channel)]?.leaving
    }
    leaving?()
  }

  /// The connection is closed.
  func forget(_ channel: any Channel) {
    state.withLock { state in
      state.table.leave(ObjectIdentifier(channel))
      state.clients[ObjectIdentifier(channel)] = nil
    }
  }
}

/// Stands next to the socket and sees a client leave, even while its answer is being made.
///
/// One that only says that it will send nothing more looks the same from here.
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
