import Hummingbird
import NIOCore

extension ResponseBodyWriter {
  /// Writes a part and waits until the connection has taken it over.
  ///
  /// A writer alone hands its parts to the connection's event loop and hears only later that a client does
  /// not read: on a busy machine a whole result would be handed over by then, and lie in memory uncounted.
  mutating func write(_ part: ByteBuffer, to channel: any Channel) async throws {
    try await write(part)
    try await channel.eventLoop.submit {}.get()
  }
}
