import CVips
import Glibc

/// The time limit of one image, by a monotonic clock.
final class Deadline: Sendable {
  private let end: UInt64

  /// A deadline `seconds` from now.
  init(seconds: Int) {
    end =
      Self.now
      &+ UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
      .partialValue
  }

  /// Whether the deadline has passed.
  var hasPassed: Bool { Self.now >= end }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Makes everything computed from `picture` fail after the timeout.
  ///
  /// libvips checks between tiles; a decoder that processes the complete image in one step is not
  /// interrupted.
  func watch(_ picture: Picture) {
    vips_image_set_progress(picture.image, 1)
    let check: Check = { image, _, context in
      guard let image, let context else { return }
      if Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue().hasPassed {
        vips_image_set_kill(image, 1)
      }
    }
    g_signal_connect_data(
      UnsafeMutableRawPointer(picture.image), "eval", unsafeBitCast(check, to: GCallback.self),
      Unmanaged.passRetained(self).toOpaque(),
      { context, _ in
        if let context { Unmanaged<Deadline>.fromOpaque(context).release() }
      }, GConnectFlags(rawValue: 0))
  }

  private typealias Check =
    @convention(c) (UnsafeMutablePointer<VipsImage>?, UnsafeMutableRawPointer?, gpointer?) -> Void
}
