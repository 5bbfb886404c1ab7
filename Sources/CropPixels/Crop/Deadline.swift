import CVips
import CropImaging
import Glibc

/// The time limit of one image, by the processor time of this process: libvips works in threads.
final class Deadline: Sendable {
  private let limit: TimeLimit
  /// What cancels the crop. libvips also checks the deadline in its own threads.
  private let stop = CropStop.current

  private let seconds: Int

  /// A deadline after `seconds` of work.
  init(seconds: Int) {
    self.seconds = seconds
    limit = TimeLimit(seconds: seconds, of: CLOCK_PROCESS_CPUTIME_ID)
  }

  /// Whether the deadline has passed, or the crop is cancelled, which the engine reports.
  private var hasPassed: Bool { stop?.isCancelled == true || limit.isReached }

  /// - Throws: `CropError.timedOut` for `source` if it has passed.
  func check(_ source: ImageSource) throws(CropError) {
    guard !hasPassed else { throw .timedOut(file: source.name, seconds: seconds) }
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
