import CVips
import Synchronization

/// Captures the messages of libvips and GLib instead of printing them.
enum Messages {
  private static let log = MessageLog()

  /// Captures the messages of the libraries; call it once, before any other call.
  static func capture() {
    let levels = GLogLevelFlags(rawValue: ckc_glib_levels)
    for domain in ["VIPS", "GLib", "GLib-GObject", "GModule"] {
      // Called on libvips' threads; must not call back into libvips.
      g_log_set_handler(
        domain, levels,
        { _, level, message, _ in
          // Lower levels are notes about libvips' internals.
          guard level.rawValue & ckc_glib_warnings != 0, let message else { return }
          Messages.note(String(cString: message))
        }, nil)
    }
  }

  private static func note(_ message: String) { log.append(message) }

  /// Discards all messages so far.
  static func clear() {
    vips_error_clear()
  }

  /// Takes the warnings since the last call.
  static func takeWarnings() -> [String] { log.take() }

  /// The failure that libvips' error buffer describes, of the operation `name`; empties the buffer.
  static func failure(of name: String = "libvips") -> VipsFailure {
    let words = vips_error_buffer().map { String(cString: $0) } ?? ""
    vips_error_clear()
    return VipsFailure(words: words.isEmpty ? "\(name) failed and gave no reason" : words)
  }
}

/// Messages in order, from any thread; bounded, because a broken file can make a decoder print endlessly.
private final class MessageLog: Sendable {
  private let messages = Mutex<[String]>([])

  func append(_ message: String) {
    messages.withLock { if $0.count < 64 { $0.append(String(message.prefix(400))) } }
  }

  func take() -> [String] {
    messages.withLock { messages in
      defer { messages.removeAll() }
      return messages
    }
  }
}
