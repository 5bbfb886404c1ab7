#if canImport(UIKit)
  import CropCore
  import CropUIKit
  import UIKit

  /// CropImg's protocol for the owner of a corner point.
  #if canImport(ObjectiveC)
    @objc(CornerpointClientProtocol)
  #endif
  @MainActor
  public protocol CornerpointClientProtocol: AnyObject {
    /// The user dragged the corner to another position.
    func cornerHasChanged(_ newCornerPoint: CornerpointView)
  }

  /// CropImg's corner point: a draggable area of 30 × 30 points with a mark of 7 × 7 points in its
  /// center.
  ///
  /// As in CropImg, it has `centerPoint` (nil hides the view), `drawCornerOutlines` and
  /// `cornerpointDelegate`. The mark is white with a black edge, both at 50 % opacity.
  ///
  /// Unlike in CropImg, the draggable area for a finger is 44 points in a ``CroppableImageView``,
  /// whatever is drawn, and the pencil and keys work too. There, the crop view moves the corner, and
  /// ``dragger`` only reports the drag.
  #if canImport(ObjectiveC)
    @objc(CornerpointView)
    @objcMembers
  #endif
  open class CornerpointView: UIView {
    /// Receives the drags of the corner.
    #if canImport(ObjectiveC)
      @IBOutlet
    #endif
    public weak var cornerpointDelegate: (any CornerpointClientProtocol)?

    /// The position of the corner, in points of the superview; nil hides the view.
    public var centerPoint: CGPoint? {
      didSet {
        isHidden = centerPoint == nil
        if let centerPoint { center = centerPoint }
      }
    }

    /// Whether the draggable area is outlined.
    public var drawCornerOutlines = false {
      didSet { layer.borderWidth = drawCornerOutlines ? 1 : 0 }
    }

    /// The side of the draggable area, in points.
    public static let side: CGFloat = 30
    /// The side of the mark, in points.
    public static let markSide: CGFloat = 7

    /// Recognizes drags of this corner; targets may be added.
    public let dragger = UIPanGestureRecognizer()
    /// Whether ``dragger`` moves the corner; otherwise the owner does.
    var isMovedByDragger = true

    private let mark = CALayer()

    /// A hidden corner point.
    public init() {
      super.init(frame: CGRect(x: 0, y: 0, width: Self.side, height: Self.side))
      prepare()
    }

    /// A corner point from a storyboard; its size is set to 30 × 30 points.
    public required init?(coder: NSCoder) {
      super.init(coder: coder)
      prepare()
    }

    private func prepare() {
      bounds.size = CGSize(width: Self.side, height: Self.side)
      backgroundColor = .clear
      isHidden = true
      layer.borderColor = UIColor(white: 0, alpha: 0.5).cgColor
      mark.bounds = CGRect(x: 0, y: 0, width: Self.markSide, height: Self.markSide)
      mark.position = CGPoint(x: bounds.midX, y: bounds.midY)
      mark.backgroundColor = UIColor(white: 1, alpha: 0.5).cgColor
      mark.borderColor = UIColor(white: 0, alpha: 0.5).cgColor
      mark.borderWidth = 1
      layer.addSublayer(mark)
      // Below the crop view, which handles touches and VoiceOver.
      isAccessibilityElement = false
      GestureTarget.add(to: dragger) { [weak self] in self?.dragged() }
      // Touches also reach the superview, which may be a crop view.
      dragger.cancelsTouchesInView = false
      addGestureRecognizer(dragger)
    }

    /// Returns what the superview does for recognizers of surrounding scroll views.
    open override func gestureRecognizerShouldBegin(_ recognizer: UIGestureRecognizer) -> Bool {
      recognizer === dragger || superview?.gestureRecognizerShouldBegin(recognizer) ?? true
    }

    private func dragged() {
      guard isMovedByDragger, dragger.state == .began || dragger.state == .changed,
        let centerPoint
      else { return }
      let way = dragger.translation(in: superview)
      dragger.setTranslation(.zero, in: superview)
      self.centerPoint = CGPoint(
        ViewPoint(centerPoint) + ViewVector(dx: Double(way.x), dy: Double(way.y)))
      cornerpointDelegate?.cornerHasChanged(self)
    }
  }
#endif
