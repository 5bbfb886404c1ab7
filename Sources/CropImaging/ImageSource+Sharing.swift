import CropJPEG
import CropSystem

/// The state that several crops of one image share.
private final class SharedWork: Sendable {
  let cutter = SharedCutter()
  let pixels: SharedPixels?

  init(_ pixels: SharedPixels?) { self.pixels = pixels }
}

extension ImageSource {
  /// The cutter that crops of this JPEG share; nil if each reads the file separately.
  var cutter: SharedCutter? { (shared as? SharedWork)?.cutter }

  /// The pixels that crops of this image share; nil if each decodes the file separately.
  package var pixels: SharedPixels? { (shared as? SharedWork)?.pixels }

  /// The same image for several crops, which share its structure, and its pixels in `pixels`.
  func forSeveralCrops(sharing pixels: SharedPixels?) -> Self {
    var copy = self
    copy.shared = SharedWork(pixels)
    return copy
  }

  /// The same image, without sharing between crops.
  package var forOneCrop: Self {
    var copy = self
    copy.shared = nil
    return copy
  }
}

/// The cutter that crops of one JPEG share, one after the other, since it remembers where rows
/// start.
///
/// A crop that starts while another uses it makes a separate one. It is discarded when the file
/// changes.
final class SharedCutter: Sendable {
  /// A cutter and its input.
  struct Cutting {
    let input: JPEGSourceInput
    let cutter: JPEGCutter
  }

  private let kept = Monitor<(stamp: String?, cutting: Cutting)?>(nil)

  /// Takes the cutter, if there is one and `source` has not changed.
  func take(for source: ImageSource) -> Cutting? {
    let stamp = source.stamp
    return kept.change { kept in
      defer { kept = nil }
      guard let kept, kept.stamp == stamp else { return nil }
      return kept.cutting
    }
  }

  /// Stores a cutter, whose last cut of `source` succeeded, for the next cut.
  func leave(_ cutting: Cutting, for source: ImageSource) {
    let stamp = source.stamp
    kept.change { $0 = (stamp, cutting) }
  }
}
