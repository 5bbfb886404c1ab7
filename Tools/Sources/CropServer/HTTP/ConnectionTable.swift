/// The open connections, and which of them to close when a new one needs a slot.
///
/// A connection is silent while the server waits for its client: for a request, for the rest of
/// one, or until the client reads its response. Only silent ones are closed, the oldest first.
struct ConnectionTable<ID: Hashable> {
  private struct Place {
    let network: String
    /// When the server started to wait for the client; nil while the client waits for the server.
    var silence: Silence?
  }

  private struct Silence {
    let start: ContinuousClock.Instant
    /// The client is reading a response, which takes time on a slow connection.
    let isReading: Bool
  }

  /// The maximum number of connections.
  private let capacity: Int
  /// How long a connection may be silent while there are enough free slots.
  private let longestSilence: Duration
  private var places: [ID: Place] = [:]
  /// The number of connections per network.
  private var counts: [String: Int] = [:]

  /// A table for at most `capacity` connections; at least 4.
  init(capacity: Int, longestSilence: Duration = ServerTimes.silence) {
    self.capacity = capacity
    self.longestSilence = longestSilence
  }

  /// The decision about a new connection.
  enum Admission: Equatable {
    case admitted
    /// Admitted by taking the slot of another one, which must be closed.
    case admittedInsteadOf(ID)
    /// All slots are taken by clients that wait for the server.
    case refused
  }

  /// The maximum number of connections of one network: a quarter of the slots is always left for
  /// others.
  private var share: Int { capacity - capacity / 4 }

  /// Gives a new connection a slot.
  mutating func enter(
    _ id: ID, from network: String, at now: ContinuousClock.Instant
  ) -> Admission {
    let isShareTaken = counts[network, default: 0] >= share
    guard isShareTaken || places.count >= capacity else {
      add(id, network, now)
      return .admitted
    }
    let candidates = places.filter { $1.silence != nil && (!isShareTaken || $1.network == network) }
    // Closes a connection of the network that has the most connections.
    let next = candidates.max { one, other in
      let (many, more) = (counts[one.value.network] ?? 0, counts[other.value.network] ?? 0)
      guard many == more, let begin = one.value.silence, let later = other.value.silence else {
        return many < more
      }
      return begin.start > later.start
    }
    guard let next else { return .refused }
    leave(next.key)
    add(id, network, now)
    return .admittedInsteadOf(next.key)
  }

  private mutating func add(_ id: ID, _ network: String, _ now: ContinuousClock.Instant) {
    places[id] = Place(network: network, silence: Silence(start: now, isReading: false))
    counts[network, default: 0] += 1
  }

  /// Records that the server waits for the client from now on.
  mutating func wait(for id: ID, isReading: Bool = false, at now: ContinuousClock.Instant) {
    places[id]?.silence = Silence(start: now, isReading: isReading)
  }

  /// Records that the client waits for the server.
  mutating func work(for id: ID) {
    places[id]?.silence = nil
  }

  /// Removes a closed connection.
  mutating func leave(_ id: ID) {
    guard let place = places.removeValue(forKey: id) else { return }
    let rest = (counts[place.network] ?? 1) - 1
    counts[place.network] = rest == 0 ? nil : rest
  }

  /// How long a connection may be silent; shorter if few slots are free.
  var patience: Duration {
    switch Double(places.count) / Double(capacity) {
    case ..<0.5: longestSilence
    case ..<0.75: longestSilence / 3
    case ..<0.9: longestSilence / 6
    default: longestSilence / 15
    }
  }

  /// The connections that have been silent for too long. Reading a response may take twice as long.
  func overdue(at now: ContinuousClock.Instant) -> [ID] {
    places.compactMap { id, place in
      guard let silence = place.silence else { return nil }
      return now - silence.start >= (silence.isReading ? patience * 2 : patience) ? id : nil
    }
  }
}
