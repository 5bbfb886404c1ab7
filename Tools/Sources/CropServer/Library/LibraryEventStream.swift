import FoundationEssentials
import Glibc
import Hummingbird
import PhotoLibrary
import ServiceLifecycle
import Synchronization

/// The stream of server-sent events about changes in the library.
struct LibraryEventStream: Sendable {
  let library: PhotoLibrary
  let clients: Clients
  /// How often the server sends a keep-alive comment.
  let heartbeat: Duration
  let listeners: Listeners

  func add(to routes: Routes) {
    routes.get("api/events") { request, context in try events(request, context) }
  }

  private func events(_ request: Request, _ context: CropContext) throws(Problem) -> Response {
    _ = try Query(of: request, known: [])
    let fields: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
    // HEAD gets no events, since the stream would never end.
    guard request.method != .head else { return Response(status: .ok, headers: fields) }
    guard let place = listeners.enter() else {
      throw .busy("too many pages have this library open; close some of them")
    }
    let (library, clients, channel, heartbeat) = (library, clients, context.channel, heartbeat)
    let body = ResponseBody { writer in
      defer { withExtendedLifetime(place) {} }
      let (parts, source) = Self.parts(of: library, heartbeat)
      try await clients.withDisconnectHandler(channel, leaving: { source.finish() }) {
        // Sends the current state first, so that a page that reconnects sees it, then the events
        // that follow.
        try await writer.write(Self.event(.indexing(library.progress)) ?? Self.keepAlive)
        for await part in parts { try await writer.write(part) }
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: fields, body: body)
  }

  /// The events of a library and keep-alive comments between them, until the server stops or
  /// `finish` is called.
  private static func parts(
    of library: PhotoLibrary, _ heartbeat: Duration
  ) -> (AsyncStream<ByteBuffer>, AsyncStream<ByteBuffer>.Continuation) {
    let (stream, parts) = AsyncStream.makeStream(
      of: ByteBuffer.self, bufferingPolicy: .bufferingNewest(64))
    let changes = library.changes()
    let reading = Task {
      for await event in changes { if let part = Self.event(event) { parts.yield(part) } }
      parts.finish()
    }
    let beating = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: heartbeat)
        parts.yield(Self.keepAlive)
      }
    }
    let stopping = Task {
      try? await gracefulShutdown()
      parts.finish()
    }
    parts.onTermination = { _ in
      for task in [reading, stopping] { task.cancel() }
      beating.cancel()
    }
    return (stream, parts)
  }

  private static let keepAlive = ByteBuffer(string: ": still here\n\n")

  private struct Changed: Encodable {
    let albums: [String]
    let photos: [Item]
  }

  private struct Item: Encodable {
    let id: String
    let change: String
  }

  private static func event(_ event: LibraryEvent) -> ByteBuffer? {
    switch event {
    case .indexing(let progress?): text("indexing", ProgressJSON(progress))
    case .indexing(nil): text("indexing", ProgressJSON?.none)
    case .changed(let albums, let photos):
      text(
        "changed",
        Changed(
          albums: albums,
          photos: photos.map { Item(id: $0.key.text, change: $0.value.rawValue) }))
    }
  }

  private static func text(_ name: String, _ value: some Encodable) -> ByteBuffer? {
    guard let json = try? JSONEncoder().encode(value) else { return nil }
    return ByteBuffer(string: "event: \(name)\ndata: \(String(decoding: json, as: UTF8.self))\n\n")
  }
}

/// Limits the number of event streams; each holds a connection for as long as its page is open.
final class Listeners: Sendable {
  private let number = Mutex(0)
  private static let most = 64

  var count: Int { number.withLock { $0 } }

  /// A slot for another stream; nil if all are taken.
  func enter() -> Place? {
    number.withLock { number in
      guard number < Self.most else { return nil }
      number += 1
      return Place(among: self)
    }
  }

  /// One stream's slot. It is released with the last reference, so also if the response is never
  /// sent.
  final class Place: Sendable {
    private let listeners: Listeners

    fileprivate init(among listeners: Listeners) {
      self.listeners = listeners
    }

    deinit { listeners.number.withLock { $0 -= 1 } }
  }
}
