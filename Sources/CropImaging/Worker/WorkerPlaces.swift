import CropCore
import CropSystem

/// For whom a worker decodes images.
enum WorkerOwner: Hashable {
  case principal(CropPrincipal)
  /// Crops that share the pixels of one image, by their key.
  case picture(UInt64)
  /// One call.
  case call
}

/// The places of a pool: each holds a worker that is busy, one that is idle, or none.
struct WorkerPlaces {
  /// An idle worker and its history.
  struct Idle {
    let worker: Worker
    var served = 0
    /// For whom it has decoded images; nil if it has decoded none.
    var owner: WorkerOwner?
    /// The key of the shared pixels that its last tasks used, and that it still stores.
    var key: UInt64?
  }

  /// The idle workers, the longest idle first.
  private(set) var idle: [Idle] = []
  /// The number of places without a busy worker.
  private(set) var free: Int
  /// The number of calls that wait for a place.
  var waiting = 0

  init(count: Int) { free = count }

  /// Takes a free place: with an idle worker of `owner`, preferably one that stores the pixels of
  /// `key`, or with one that has decoded nothing.
  ///
  /// If there is none, the caller starts a worker, after ending `evicted`, which had the place.
  mutating func take(_ owner: WorkerOwner, key: UInt64?) -> (found: Idle?, evicted: Idle?) {
    free -= 1
    let index =
      idle.lastIndex { $0.owner == owner && $0.key == key }
      ?? idle.lastIndex { $0.owner == owner } ?? idle.lastIndex { $0.owner == nil }
    if let index { return (idle.remove(at: index), nil) }
    return (nil, idle.count > free ? idle.removeFirst() : nil)
  }

  /// Gives a place back, with its worker if that stays.
  mutating func giveBack(_ worker: Idle?) {
    free += 1
    if let worker { idle.append(worker) }
  }

  /// Removes the idle workers of `owner`; all if it is nil.
  mutating func remove(of owner: WorkerOwner?) -> [Idle] {
    let isEnded = { (idle: Idle) in owner == nil || idle.owner == owner }
    defer { idle.removeAll(where: isEnded) }
    return idle.filter(isEnded)
  }
}
