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

  /// Waits for a message until `deadline` (nil: none) or until `stop` is cancelled.
  package func receive<Message: Decodable>(
    _ type: Message.Type, until deadline: Moment? = nil, stop: CropStop? = nil
  ) throws(Failure) -> (message: Message, descriptors: [Descriptor]) {
    var descriptors: [Descriptor] = []
    let head = try receive(4, until: deadline, stop, &descriptors)
    let length = head.withUnsafeBytes {
      Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)))
    }
    guard length <= Self.longest else { throw .garbled }
    let body = try receive(length, until: deadline, stop, &descriptors)
    guard let message = try? JSONDecoder().decode(type, from: Data(body)) else { throw .garbled }
    return (message, descriptors)
  }

  private func receive(
    _ length: Int, until deadline: Moment?, _ stop: CropStop?, _ descriptors: inout [Descriptor]
  ) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: length)
    var done = 0
    while done < length {
      try wait(until: deadline, stop)
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

  private func wait(until deadline: Moment?, _ stop: CropStop?) throws(Failure) {
    if deadline == nil, stop == nil { return }
    while true {
      // poll ignores a descriptor of -1.
      var entries = [socket.raw, stop?.descriptor ?? -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let count = poll(&entries, 2, deadline?.millisecondsLeft ?? -1)
      if count > 0, entries[1].revents != 0 { throw .stopped }
      if count > 0 { return }
      if count < 0, errno == EINTR { continue }
      throw count == 0 ? .timedOut : .closed
    }
  }
}

/// A point in time, by a clock that only runs forward.
package struct Moment: Sendable {
  private let nanoseconds: Int64

  /// The time `milliseconds` from now, at most about a century.
  package init(millisecondsFromNow milliseconds: Int) {
    let span = Int64(min(max(milliseconds, 0), 1 << 42)) * 1_000_000
    nanoseconds = Self.now &+ span
  }

  /// The time `seconds` from now, at most about a century.
  package init(secondsFromNow seconds: Int) {
    let (span, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    self.init(millisecondsFromNow: overflow ? .max : span)
  }

  /// The remaining milliseconds, rounded up so that a wait reaches the time; 0 if it has passed.
  package var millisecondsLeft: Int32 {
    Int32(clamping: max(0, (nanoseconds &- Self.now &+ 999_999) / 1_000_000))
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
