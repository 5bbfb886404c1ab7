import NIOCore

/// How long the server waits for others.
enum ServerTimes {
  /// How long a connection may be silent between requests or in the middle of one.
  static let idle = TimeAmount.seconds(30)
  /// How often a stream of events gives a sign of life.
  static let heartbeat = Duration.seconds(15)
  /// How long a client may leave an answer unread.
  static let unread = TimeAmount.seconds(60)
  /// How long the rest of a refused request is read, so that the client gets to see the answer.
  static let linger = TimeAmount.seconds(2)
  /// How long a request waits for its turn.
  static let turn = Duration.seconds(20)
  /// How long running requests have to end after the signal to stop.
  static let stop = Duration.seconds(60)
  /// When an upload is first asked whether it makes progress, and how much, in bytes a second.
  static let uploadGrace = Duration.seconds(20)
  static let slowestUpload = 2048
  /// The most connections at once.
  static let connections = 1024
}
