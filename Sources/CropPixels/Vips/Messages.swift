import CVips
import Synchronization

/// What libvips and GLib say, kept instead of printed.
enum Messages {
  private static let log = MessageLog()

  /// Takes over the messages of the libraries; to be called once, before any other call.
  static func capture() {
    let levels = GLogLevelFlags(
      rawValue: G_LOG_LEVEL_MASK.rawValue | G_LOG_FLAG_FATAL.rawValue
        | G_LOG_FLAG_RECURSION.rawValue)
    for domain in ["VIPS", "GLib", "GLib-GObject", "GModule"] {
      // Called on libvips' threads; it must not call back into libvips.
      g_log_set_handler(
        domain, levels,
        { _, level, message, _ in
          // Behind these levels there are notes on how libvips works.
          let telling =
            G_LOG_LEVEL_ERROR.rawValue | G_LOG_LEVEL_CRITICAL.rawValue
            | G_LOG_LEVEL_WARNING.rawValue
          guard level.rawValue & telling != 0, let message else { return }
          Messages.note(String(cString: message))
        }, nil)
    }
  }

  private static func note(_ message: String) { log.append(message) }

  /// Forgets everything said so far.
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

/// Messages in order, from any thread; bounded, because a broken file can make a decoder talk for ever.
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
