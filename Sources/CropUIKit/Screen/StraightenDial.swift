#if canImport(UIKit)
  import CropCore
  import UIKit

  /// A ruler that the user drags to straighten an image; VoiceOver adjusts it by half a degree.
  final class StraightenDial: UIControl {
    /// The distance of a drag that changes the tilt by one degree, in points.
    static let pointsPerDegree: CGFloat = 8

    /// Called with the requested tilt during a drag, at its end, or for a single step.
    var onTilt: ((CropAngle, TiltPhase) -> Void)?

    private let label = UILabel()
    private let ruler = CAShapeLayer()
    private let needle = CAShapeLayer()
    private let dragger = UIPanGestureRecognizer()
    private var grabbed = CropAngle.zero

    override init(frame: CGRect) {
      super.init(frame: frame)
      label.textAlignment = .center
      label.textColor = .label
      label.adjustsFontForContentSizeCategory = true
      label.maximumContentSizeCategory = .accessibilityMedium
      label.font = UIFontMetrics(forTextStyle: .caption1).scaledFont(
        for: .monospacedDigitSystemFont(ofSize: 12, weight: .medium))
      addSubview(label)
      for layer in [ruler, needle] {
        layer.lineWidth = 1
        self.layer.addSublayer(layer)
      }
      layer.masksToBounds = true
      GestureTarget.add(to: dragger) { [weak self] in self?.dragged() }
      addGestureRecognizer(dragger)
      isAccessibilityElement = true
      accessibilityTraits = .adjustable
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
      nil
    }

    private(set) var tilt = CropAngle.zero

    func show(_ tilt: CropAngle, _ words: CropWords) {
      self.tilt = tilt
      let text = words.text(of: .angle(tilt))
      label.text = text
      accessibilityLabel = words.screens.straighten
      accessibilityValue = text
      setNeedsLayout()
    }

    override func layoutSubviews() {
      super.layoutSubviews()
      label.frame = CGRect(x: 0, y: 0, width: bounds.width, height: 20)
      let (middle, top) = (bounds.midX, CGFloat(24))
      let marks = CGMutablePath()
      let reach = Int(CropRecipe.largestTilt.degrees)
      for degree in -reach...reach {
        let x = middle + (CGFloat(degree) - CGFloat(tilt.degrees)) * Self.pointsPerDegree
        marks.move(to: CGPoint(x: x, y: top))
        marks.addLine(to: CGPoint(x: x, y: top + (degree.isMultiple(of: 5) ? 14 : 8)))
      }
      ruler.path = marks
      ruler.strokeColor = UIColor.label.resolved(traitCollection)
      let line = CGMutablePath()
      line.move(to: CGPoint(x: middle, y: top - 2))
      line.addLine(to: CGPoint(x: middle, y: top + 18))
      needle.path = line
      needle.lineWidth = 2
      needle.strokeColor = CropLook().accent.resolved(traitCollection)
    }

    private func dragged() {
      if dragger.state == .began { grabbed = tilt }
      // The dial follows the finger: dragging right turns counterclockwise.
      let way = dragger.translation(in: self).x / Self.pointsPerDegree
      let wanted = CropAngle(degrees: grabbed.degrees - Double(way))
      switch dragger.state {
      case .began, .changed: onTilt?(wanted, .dragging)
      case .ended: onTilt?(wanted, .ended)
      case .cancelled, .failed: onTilt?(grabbed, .ended)
      default: break
      }
    }

    override func accessibilityIncrement() {
      onTilt?(CropAngle(degrees: tilt.degrees + 0.5), .once)
    }

    override func accessibilityDecrement() {
      onTilt?(CropAngle(degrees: tilt.degrees - 0.5), .once)
    }
  }
#endif
