import CropCore

/// The decoded pixels that crops of one picture share.
///
/// Whoever decodes the picture first may leave its pixels here for the crops that are known to follow. They
/// live as long as the opened picture, and are forgotten when the file changes.
package final class SharedPixels: Sendable {
  /// Tells this picture from all others, here and in the workers that decode it.
  let key: UInt64
  /// What will be cut.
  package let demand: Demand

  /// What crops need of an upright picture.
  package struct Demand: Sendable {
    /// The smallest rectangle that holds all of it.
    package let rect: ImageRect
    /// The pixels of all crops together; what several need counts for each.
    package let count: Int
  }

  /// What became of the pixels.
  package enum State: Sendable {
    /// Nobody has decoded them yet.
    case none
    /// The pixels that one crop kept for the next.
    case kept(any Sendable)
    /// They could not be kept; each crop decodes for itself.
    case refused
  }

  private let state = Monitor<(stamp: String?, state: State)>((nil, .none))

  init(_ demand: Demand, key: UInt64 = .random(in: 1...UInt64.max)) {
    self.demand = demand
    self.key = key
  }

  /// What was left for crops of `source`, as it is now.
  package func state(for source: PictureSource) -> State {
    let stamp = source.stamp
    return state.change { kept in
      if kept.stamp != stamp { kept = (stamp, .none) }
      return kept.state
    }
  }

  /// Leaves something for the crops of `source` that follow.
  package func leave(_ state: State, for source: PictureSource) {
    let stamp = source.stamp
    self.state.change { $0 = (stamp, state) }
  }
}

extension SharedPixels.Demand {
  /// What `recipes` need of a picture of the given size; nil where nothing could be shared.
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
