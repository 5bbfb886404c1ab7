#if canImport(UIKit)
  import UIKit

  /// The texts beside the marks of a guide, hidden without any. Their labels are reused for every scene.
  final class GuideNotes: UIView {
    /// The labels, of which the first are in use.
    private var labels: [SizeLabel] = []
    private var used = 0

    override init(frame: CGRect) {
      super.init(frame: frame)
      isUserInteractionEnabled = false
      accessibilityElementsHidden = true
      isHidden = true
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
      nil
    }

    var texts: [String] { labels[..<used].compactMap(\.text) }

    /// Starts with the texts of a new scene, in a view of these bounds.
    func begin(in bounds: CGRect) {
      frame = bounds
      used = 0
    }

    /// Shows a text to the right of a point.
    func add(_ text: String, at point: CGPoint) {
      if used == labels.count {
        let label = SizeLabel()
        labels.append(label)
        addSubview(label)
      }
      let label = labels[used]
      used += 1
      label.show(text, at: point)
      let (size, gap) = (label.bounds.size, CGFloat(6))
      let x = max(gap, min(point.x + gap, bounds.width - size.width - gap))
      let y = max(gap, min(point.y - size.height / 2, bounds.height - size.height - gap))
      label.center = CGPoint(x: x + size.width / 2, y: y + size.height / 2)
    }

    /// Hides the labels that are not in use.
    func end() {
      isHidden = used == 0
      for label in labels[used...] { label.isHidden = true }
    }

    /// Fits the labels to the text size of the device.
    func fit() {
      for label in labels { label.fit() }
    }
  }
#endif
