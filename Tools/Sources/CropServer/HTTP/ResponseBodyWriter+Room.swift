import Hummingbird
import NIOCore

extension ResponseBodyWriter {
  /// Writes a chunk and waits until the connection has accepted it.
  ///
  /// Otherwise a writer queues its chunks in the connection's event loop and learns too late that a
  /// client does not read: on a busy machine a complete result would be queued by then, in memory
  /// that is not counted.
  mutating func write(_ part: ByteBuffer, to channel: any Channel) async throws {
    try await write(part)
    try await channel.eventLoop.submit {}.get()
  }
}
