import CropSystem

/// What several crops of one picture share.
private final class SharedWork: Sendable {
  let cutter = SharedCutter()
  let pixels: SharedPixels?

  init(_ pixels: SharedPixels?) { self.pixels = pixels }
}

extension PictureSource {
  /// What crops of this JPEG share; nil where each reads for itself.
  var cutter: SharedCutter? { (shared as? SharedWork)?.cutter }

  /// What crops of this picture share that need its pixels; nil where each decodes for itself.
  package var pixels: SharedPixels? { (shared as? SharedWork)?.pixels }

  /// The same picture for several crops, which share the work of reading it, and its pixels in `pixels`.
  func forSeveralCrops(sharing pixels: SharedPixels?) -> Self {
    var copy = self
    copy.shared = SharedWork(pixels)
    return copy
  }

  /// The same picture, each crop of which reads for itself.
  package var forOneCrop: Self {
    var copy = self
    copy.shared = nil
    return copy
  }
}
