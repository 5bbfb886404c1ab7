#if canImport(UIKit)
  import CropCore
  import UIKit

  /// CropImg's client of a corner point.
  #if canImport(ObjectiveC)
    @objc(CornerpointClientProtocol)
  #endif
  @MainActor
  public protocol CornerpointClientProtocol: AnyObject {
    /// The corner was dragged somewhere else.
    func cornerHasChanged(_ newCornerPoint: CornerpointView)
  }

  /// CropImg's corner point: an area of 30 × 30 points to drag by, with a mark of 7 × 7 in its
  /// middle.
  ///
  /// Kept: `centerPoint` (nil hides), `drawCornerOutlines`, `cornerpointDelegate`, the mark in
  /// white at 50 % with an edge in black at 50 %. Better: where a ``CroppableImageView`` shows it,
  /// the area that can be dragged is 44 points for a finger, whatever is drawn, and it follows the
  /// pencil and keys.
  #if canImport(ObjectiveC)
    @objc(CornerpointView)
    @objcMembers
  #endif
  open class CornerpointView: UIView {
    /// Told when the corner is dragged.
    #if canImport(ObjectiveC)
      @IBOutlet
    #endif
    public weak var cornerpointDelegate: (any CornerpointClientProtocol)?

    /// The corner's place in the superview's points; nil hides the view.
    public var centerPoint: CGPoint? {
      didSet {
        isHidden = centerPoint == nil
        if let centerPoint { center = centerPoint }
      }
    }

    /// Whether the area to drag by is outlined.
    public var drawCornerOutlines = false {
      didSet { layer.borderWidth = drawCornerOutlines ? 1 : 0 }
    }

    /// The area's side, in points.
    public static let side: CGFloat = 30
    /// The mark's side, in points.
    public static let markSide: CGFloat = 7

    /// Recognises the drags; each view makes its own.
    public let dragger = UIPanGestureRecognizer()

    /// The mark.
    private let mark = CALayer()

    /// A hidden corner point.
    public init() {
      super.init(frame: CGRect(x: 0, y: 0, width: Self.side, height: Self.side))
      prepare()
    }

    /// A corner point from a storyboard; its size becomes 30 × 30 points.
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
      // Under the crop view the session is what is touched, and what VoiceOver finds.
      isAccessibilityElement = false
      GestureTarget.add(to: dragger) { [weak self] in self?.dragged() }
      addGestureRecognizer(dragger)
    }

    private func dragged() {
      guard dragger.state == .began || dragger.state == .changed, let centerPoint else { return }
      let way = dragger.translation(in: superview)
      dragger.setTranslation(.zero, in: superview)
      self.centerPoint = CGPoint(
        ViewPoint(centerPoint) + ViewVector(dx: Double(way.x), dy: Double(way.y)))
      cornerpointDelegate?.cornerHasChanged(self)
    }
  }
#endif
