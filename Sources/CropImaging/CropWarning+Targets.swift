import CropCore
import CropFormats

extension CropWarning {
  /// A part of the focus is not in the crop.
  public static var focusCut: Self {
    Self(code: "focus-cut", message: "a part of the focus is cut off")
  }

  /// The crop has fewer pixels than its target asks for.
  public static func tooSmall(_ has: FrameSize, asked: FrameSize) -> Self {
    Self(
      code: "too-small",
      message: "the crop has \(has.width) × \(has.height) pixels of "
        + "\(asked.width) × \(asked.height) that are asked for")
  }

  /// What a person should know of the crop of a target.
  public static func all(of crop: TargetCrop, for target: PhotoTarget) -> [Self] {
    var warnings: [Self] = crop.cutsFocus ? [.focusCut] : []
    if crop.isTooSmall, let rect = crop.recipe.rect, let asked = target.leastSize {
      warnings.append(
        .tooSmall(FrameSize(width: Int(rect.width), height: Int(rect.height)), asked: asked))
    }
    return warnings
  }
}
