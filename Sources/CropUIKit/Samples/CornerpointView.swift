#if canImport(UIKit)
  import CropCore
  import UIKit

  /// CropImg's client of a corner point.
  @MainActor
  public protocol CornerpointClientProtocol: AnyObject {
    /// The corner is somewhere else, or was shown or hidden by hand.
    func cornerHasChanged(_ newCornerPoint: CornerpointView)
  }

  /// CropImg's corner point: an area of 30 × 30 points to drag by, with a mark of 7 × 7 in its
  /// middle.
  ///
  /// Kept: `centerPoint` (nil hides), `drawCornerOutlines`, `cornerpointDelegate`, the mark in
  /// white at 50 % with an edge in black at 50 %. Better: where a ``CroppableImageView`` shows it,
  /// the area that can be dragged is 44 points for a finger, whatever is drawn, and it follows the
  /// pencil and keys.
  open class CornerpointView: UIView {
    /// Told when the corner moves.
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

    /// The mark.
    private let mark = CALayer()
    private var grab: CGPoint?

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
    }

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
      grab = touches.first?.location(in: superview)
    }

    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
      guard let place = touches.first?.location(in: superview), let grab, let centerPoint else {
        return
      }
      self.centerPoint = CGPoint(ViewPoint(centerPoint) + (ViewPoint(place) - ViewPoint(grab)))
      self.grab = place
      cornerpointDelegate?.cornerHasChanged(self)
    }

    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
      grab = nil
    }

    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
      grab = nil
    }
  }
#endif
