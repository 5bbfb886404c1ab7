import CropCore
import CropFormats

/// Which changes of an image need no new encoding, as their plans decide.
public struct LosslessChanges: Sendable, Hashable, Encodable {
  /// Whether a crop is lossless, in a JPEG if its left and top edges are on the block grid; nil if
  /// that depends on the pixels.
  public let crop: Bool?
  /// Whether a quarter turn is lossless; nil if that depends on the pixels.
  public let turn: Bool?
  /// Why a crop of a JPEG is not.
  public let obstacle: LosslessObstacle?

  private enum Key: CodingKey { case crop, turn, obstacle }

  /// Writes a JSON object such as `{"crop":true,"turn":true,"obstacle":null}`.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(crop, forKey: .crop)
    try fields.encode(turn, forKey: .turn)
    try fields.encode(obstacle, forKey: .obstacle)
  }
}

extension OpenedImage {
  /// Which changes of the image need no new encoding.
  public var losslessChanges: LosslessChanges {
    let upright = OrientationMap<ImageSpace, BitmapSpace>(info.orientation.inverse, of: info.shown)
    // The grid of a JPEG starts at its first stored pixel.
    let stored = BitmapRect(
      x: 0, y: 0, width: max(1, upright.target.width - 1), height: max(1, upright.target.height - 1)
    )
    let part = upright.inverse(stored)
    let crop = plan(
      CropRecipe(
        rect: FrameRect(
          x: Double(part.x), y: Double(part.y), width: Double(part.width),
          height: Double(part.height))))
    return LosslessChanges(
      crop: crop?.isLossless, turn: plan(CropRecipe(quarterTurns: 1))?.isLossless,
      obstacle: crop?.obstacle)
  }

  private func plan(_ recipe: CropRecipe) -> CropPlan? {
    let options = ResultOptions(page: page == 1 ? .automatic : .only(page), isLenient: isLenient)
    return try? CropPlan(recipe, of: self, options, limits: nil)
  }
}
