import CVips
import Foundation

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
        { _, _, message, _ in
          if let message { Messages.note(String(cString: message)) }
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

  /// The failure that libvips' error buffer describes; empties the buffer.
  static func failure() -> VipsFailure {
    let words = vips_error_buffer().map { String(cString: $0) } ?? ""
    vips_error_clear()
    return VipsFailure(words: words.isEmpty ? "no reason given" : words)
  }
}

/// Messages in order, from any thread; bounded, because a broken file can make a decoder talk for ever.
private final class MessageLog: @unchecked Sendable {
  private let lock = NSLock()
  private var messages: [String] = []

  func append(_ message: String) {
    lock.withLock { if messages.count < 64 { messages.append(String(message.prefix(400))) } }
  }

  func take() -> [String] {
    lock.withLock {
      defer { messages.removeAll() }
      return messages
    }
  }
}
