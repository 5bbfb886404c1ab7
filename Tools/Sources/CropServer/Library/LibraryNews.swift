import Foundation
import Hummingbird
import PhotoLibrary
import ServiceLifecycle
import Synchronization

/// The stream of server-sent events: what happens in the library.
struct LibraryNews: Sendable {
  let library: PhotoLibrary
  let clients: Clients
  private let listeners = Listeners()

  init(library: PhotoLibrary, clients: Clients) {
    self.library = library
    self.clients = clients
  }

  /// How many streams there are; each holds a connection for as long as its page is open.
  private final class Listeners: Sendable {
    private let count = Mutex(0)
    private static let most = 64

    /// A place for one more; nil where all are taken.
    func enter() -> Place? {
      count.withLock { count in
        guard count < Self.most else { return nil }
        count += 1
        return Place(among: self)
      }
    }

    /// One stream's place. It is given back with the last reference, so also by an answer that is
    /// never sent.
    final class Place: Sendable {
      private let listeners: Listeners

      fileprivate init(among listeners: Listeners) {
        self.listeners = listeners
      }

      deinit { listeners.count.withLock { $0 -= 1 } }
    }
  }

  func add(to router: Router<CropContext>) {
    router.get("api/events") { request, context in try events(request, context) }
  }

  private func events(_ request: Request, _ context: CropContext) throws(Problem) -> Response {
    _ = try Query(of: request, known: [])
    guard let place = listeners.enter() else {
      throw .busy("too many pages listen to this library; close some of them")
    }
    let (library, clients, channel) = (library, clients, context.channel)
    let body = ResponseBody { writer in
      defer { withExtendedLifetime(place) {} }
      // What is going on now, so that a page that comes back sees it.
      try await writer.write(Self.event(.indexing(library.progress)) ?? Self.heartbeat)
      let (parts, source) = Self.parts(of: library)
      try await clients.attend(channel, leaving: { source.finish() }) {
        for await part in parts { try await writer.write(part) }
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok,
      headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
  }

  /// The events of a library and a sign of life between them, until the server is told to stop or
  /// `finish` is called.
  private static func parts(
    of library: PhotoLibrary
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
        try await Task.sleep(for: ServerTimes.heartbeat)
        parts.yield(Self.heartbeat)
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

  private static let heartbeat = ByteBuffer(string: ": still here\n\n")

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
