import CropJPEG

/// The cutter that crops of one JPEG take turns with, as it remembers where rows begin.
///
/// One that comes while another has it makes its own. It is forgotten when the file changes.
final class SharedCutter: Sendable {
  /// A cutter and what feeds it.
  struct Cutting {
    let input: JPEGSourceInput
    let cutter: JPEGCutter
  }

  private let kept = Monitor<(stamp: String?, cutting: Cutting)?>(nil)

  /// Takes the cutter, if there is one and `source` is as it was.
  func take(for source: PictureSource) -> Cutting? {
    let stamp = source.stamp
    return kept.change { kept in
      defer { kept = nil }
      guard let kept, kept.stamp == stamp else { return nil }
      return kept.cutting
    }
  }

  /// Leaves a cutter, whose last cut of `source` went well, for the next cut.
  func leave(_ cutting: Cutting, for source: PictureSource) {
    let stamp = source.stamp
    kept.change { $0 = (stamp, cutting) }
  }
}
