import CSystemCalls
import FoundationEssentials
import Glibc

/// One end of the channel between a pool and a worker.
///
/// A message is its length (4 bytes, little-endian), then JSON; descriptors are attached to the
/// first byte.
package struct WorkerChannel: Sendable {
  package let socket: Descriptor

  /// Why no message was received.
  package enum Failure: Error {
    /// The other end is closed.
    case closed
    /// The other end is closed, and never read all messages.
    case unread
    /// The reply is no longer needed.
    case stopped
    /// It took too long.
    case timedOut
    /// The bytes are not a valid message.
    case garbled
  }

  private static let longest = 4 << 20
  private static let mostDescriptors = 4

  /// Sends a message with descriptors, which stay open in this process.
  package func send(
    _ message: some Encodable, with descriptors: [Descriptor] = []
  ) throws(Failure) {
    guard let body = try? JSONEncoder().encode(message), body.count <= Self.longest else {
      throw .garbled
    }
    let length = UInt32(body.count)
    var bytes = (0..<4).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
    bytes += body
    let numbers = descriptors.map(\.raw)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { rest in
        ckc_system_send(
          socket.raw, rest.baseAddress, rest.count, numbers, done == 0 ? Int32(numbers.count) : 0)
      }
      guard count > 0 else { throw .closed }
      done += count
    }
    withExtendedLifetime(descriptors) {}
  }

  /// Waits for a message until `limit` is reached (nil: none) or until `stop` is cancelled.
  package func receive<Message: Decodable>(
    _ type: Message.Type, until limit: TimeLimit? = nil, stop: CropStop? = nil
  ) throws(Failure) -> (message: Message, descriptors: [Descriptor]) {
    var descriptors: [Descriptor] = []
    let head = try receive(4, until: limit, stop, &descriptors)
    let length = head.withUnsafeBytes {
      Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)))
    }
    guard length <= Self.longest else { throw .garbled }
    let body = try receive(length, until: limit, stop, &descriptors)
    guard let message = try? JSONDecoder().decode(type, from: Data(body)) else { throw .garbled }
    return (message, descriptors)
  }

  private func receive(
    _ length: Int, until limit: TimeLimit?, _ stop: CropStop?, _ descriptors: inout [Descriptor]
  ) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: length)
    var done = 0
    while done < length {
      try wait(until: limit, stop)
      var numbers = [Int32](repeating: -1, count: Self.mostDescriptors)
      var came: Int32 = 0
      let count = bytes[done...].withUnsafeMutableBytes { rest in
        ckc_system_receive(
          socket.raw, rest.baseAddress, rest.count, &numbers, Int32(Self.mostDescriptors), &came)
      }
      let isUnread = count < 0 && errno == ECONNRESET
      descriptors += numbers.prefix(Int(came)).map(Descriptor.init(adopting:))
      guard descriptors.count <= Self.mostDescriptors else { throw .garbled }
      guard count > 0 else { throw isUnread ? .unread : .closed }
      done += count
    }
    return bytes
  }

  private func wait(until limit: TimeLimit?, _ stop: CropStop?) throws(Failure) {
    if limit == nil, stop == nil { return }
    while true {
      // poll ignores a descriptor of -1.
      var entries = [socket.raw, stop?.descriptor ?? -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let count = poll(&entries, 2, limit?.millisecondsLeft ?? -1)
      if count > 0, entries[1].revents != 0 { throw .stopped }
      if count > 0 { return }
      if count < 0, errno == EINTR { continue }
      guard count == 0 else { throw .closed }
      // The worker may have used less processor time than has passed.
      if limit?.isReached == true { throw .timedOut }
    }
  }
}
