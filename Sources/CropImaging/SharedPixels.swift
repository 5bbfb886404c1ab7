import CropCore

/// The decoded pixels that crops of one image share.
///
/// The first crop that decodes the image may store its pixels here for the crops that are known to
/// follow. They are kept as long as the opened image, and discarded when the file changes.
package final class SharedPixels: Sendable {
  /// Identifies the image, here and in the workers that decode it.
  let key: UInt64
  /// The pixels that the crops need.
  package let demand: Demand

  /// The pixels of an upright image that its crops need.
  package struct Demand: Sendable {
    /// The smallest rectangle that contains all of them.
    package let rect: ImageRect
    /// The sum of the pixels of all crops; those that several crops need are counted for each.
    package let count: Int
  }

  /// The state of the pixels.
  package enum State: Sendable {
    /// They have not been decoded.
    case none
    /// The pixels that one crop kept for the next.
    case kept(any Sendable)
    /// They could not be kept; each crop decodes them separately.
    case refused
  }

  private let state = Monitor<(stamp: String?, state: State)>((nil, .none))

  init(_ demand: Demand, key: UInt64 = .random(in: 1...UInt64.max)) {
    self.demand = demand
    self.key = key
  }

  /// The shared state for crops of `source` in its current version.
  package func state(for source: ImageSource) -> State {
    let stamp = source.stamp
    return state.change { kept in
      if kept.stamp != stamp { kept = (stamp, .none) }
      return kept.state
    }
  }

  /// Stores the state for the crops of `source` that follow.
  package func leave(_ state: State, for source: ImageSource) {
    let stamp = source.stamp
    self.state.change { $0 = (stamp, state) }
  }
}

extension SharedPixels.Demand {
  /// The pixels that `recipes` need of an image of the given size; nil if nothing can be shared.
  init?(_ recipes: [CropRecipe], of image: ImageSize) {
    let parts = recipes.compactMap { recipe -> ImageRect? in
      try? recipe.resolved(for: image).neededImagePart
    }
    guard parts.count > 1, let left = parts.map(\.x).min(), let top = parts.map(\.y).min(),
      let right = parts.map({ $0.x + $0.width }).max(),
      let bottom = parts.map({ $0.y + $0.height }).max()
    else { return nil }
    rect = ImageRect(x: left, y: top, width: right - left, height: bottom - top)
    count = parts.reduce(0) { $0 + $1.width * $1.height }
  }
}
