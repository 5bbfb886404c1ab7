#if canImport(UIKit)
  import UIKit

  /// The label with the selection's size or the angle; it follows Dynamic Type.
  final class SizeLabel: UIView {
    private let words = UILabel()

    override init(frame: CGRect) {
      super.init(frame: frame)
      isUserInteractionEnabled = false
      // The accessibility elements include the size.
      isAccessibilityElement = false
      accessibilityElementsHidden = true
      backgroundColor = UIColor(white: 0, alpha: 0.78)
      layer.cornerRadius = 6
      words.textColor = .white
      words.textAlignment = .center
      words.adjustsFontForContentSizeCategory = true
      // The core reserves about this much space.
      words.maximumContentSizeCategory = .accessibilityMedium
      words.font = UIFontMetrics(forTextStyle: .caption1).scaledFont(
        for: .monospacedDigitSystemFont(ofSize: 12, weight: .medium))
      addSubview(words)
      words.translatesAutoresizingMaskIntoConstraints = false
      NSLayoutConstraint.activate([
        words.leadingAnchor.constraint(equalTo: leadingAnchor, constant: 8),
        words.trailingAnchor.constraint(equalTo: trailingAnchor, constant: -8),
        words.topAnchor.constraint(equalTo: topAnchor, constant: 4),
        words.bottomAnchor.constraint(equalTo: bottomAnchor, constant: -4),
      ])
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
      nil
    }

    var text: String? { words.text }

    func show(_ text: String, at point: CGPoint) {
      isHidden = false
      if words.text != text {
        words.text = text
        fit()
      }
      center = point
    }

    /// Fits the size to the text, also after the text size of the device has changed.
    func fit() {
      bounds.size = systemLayoutSizeFitting(UIView.layoutFittingCompressedSize)
    }
  }
#endif
