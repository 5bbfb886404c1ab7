import NIOCore

/// How long the server waits for others.
enum ServerTimes {
  /// How often a stream of events gives a sign of life.
  static let heartbeat = Duration.seconds(15)
  /// How long a connection may be silent while there are places enough.
  static let silence = Duration.seconds(30)
  /// How long pages may all be gone: as long as one takes to be loaded again on a slow machine.
  static let absence = Duration.seconds(30)
  /// How long the rest of a refused request is read, so that the client gets to see the answer.
  static let linger = TimeAmount.seconds(2)
  /// How long a request waits for its turn.
  static let turn = Duration.seconds(20)
  /// How long running requests have to end after the signal to stop.
  static let stop = Duration.seconds(60)
  /// When an upload is first asked whether it makes progress, and how much, in bytes a second.
  static let uploadGrace = Duration.seconds(20)
  static let slowestUpload = 2048
}
