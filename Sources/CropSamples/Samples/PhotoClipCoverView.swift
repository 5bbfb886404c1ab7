#if canImport(UIKit)
  import UIKit

  /// CameraDemo's cover: a shade of 15 % gray at 60 % opacity outside a rectangle, which has a
  /// white edge of half a point.
  ///
  /// ``ClipViewController`` does not need it, because its scene draws the shade. Use it in custom
  /// screens.
  #if canImport(ObjectiveC)
    @objc(PhotoClipCoverView)
    @objcMembers
  #endif
  open class PhotoClipCoverView: UIView {
    /// The rectangle that is not shaded, in view points.
    public var showRect = CGRect.zero {
      didSet { setNeedsLayout() }
    }

    private let shade = CAShapeLayer()
    private let edge = CAShapeLayer()

    /// A cover of the given frame, in its superview's points.
    public override init(frame: CGRect) {
      super.init(frame: frame)
      prepare()
    }

    /// A cover from a storyboard.
    public required init?(coder: NSCoder) {
      super.init(coder: coder)
      prepare()
    }

    private func prepare() {
      backgroundColor = .clear
      shade.fillRule = .evenOdd
      shade.fillColor = UIColor(white: 0.15, alpha: 0.6).cgColor
      edge.fillColor = nil
      edge.strokeColor = UIColor.white.cgColor
      edge.lineWidth = 0.5
      for part in [shade, edge] { layer.addSublayer(part) }
    }

    open override func layoutSubviews() {
      super.layoutSubviews()
      let path = CGMutablePath()
      path.addRect(bounds)
      path.addRect(showRect)
      shade.path = path
      edge.path = CGPath(rect: showRect, transform: nil)
    }
  }
#endif
