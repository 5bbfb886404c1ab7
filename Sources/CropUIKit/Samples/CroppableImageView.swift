#if canImport(UIKit)
  import CropCore
  import UIKit

  /// CropImg's view: drag on the picture to draw a rectangle, drag inside to move it, drag a corner
  /// to resize it (corners may cross), tap outside to clear it.
  ///
  /// Kept: `imageToCrop`, `cropRect`, `cropDelegate`, `croppedImage()`, the four
  /// ``CornerpointView``s, the stroke of 3 points black under 1 point white, a rectangle below 5 ×
  /// 5 points counts as none.
  ///
  /// Better: the picture is centred and may be shown larger than it is; a new layout keeps the
  /// selection; a tap that clears can be undone; edges can be dragged too; zoom, keys, pencil and
  /// VoiceOver; the result has the exact pixels, with alpha, colour and depth, at scale 1.
  #if canImport(ObjectiveC)
    @objc(CroppableImageView)
    @objcMembers
  #endif
  open class CroppableImageView: CropView, CornerpointClientProtocol {
    /// Told whether the selection can be cropped, on every change.
    #if canImport(ObjectiveC)
      @IBOutlet
    #endif
    public weak var cropDelegate: (any CroppableImageViewDelegateProtocol)?

    /// The four corner points, clockwise from the top left; they show where the selection's corners
    /// are. The view is their delegate.
    public let cornerpoints = [
      CornerpointView(), CornerpointView(), CornerpointView(), CornerpointView(),
    ]

    /// A view of the given frame, in its superview's points.
    public override init(frame: CGRect) {
      super.init(frame: frame)
      prepareSample()
    }

    /// A view from a storyboard.
    public required init?(coder: NSCoder) {
      super.init(coder: coder)
      prepareSample()
    }

    private func prepareSample() {
      style = .marquee
      look = .cropImg
      for corner in cornerpoints {
        // Touches are the session's, which resizes by corners and edges.
        corner.isUserInteractionEnabled = false
        corner.cornerpointDelegate = self
        addSubview(corner)
      }
    }

    /// The picture; setting another clears the selection.
    public var imageToCrop: UIImage? {
      get { image }
      set { image = newValue }
    }

    /// The selection in the view's points; nil when there is none.
    ///
    /// Set, it is cut to the picture and to whole pixels; one below 5 × 5 points changes nothing.
    public var cropRect: CGRect? {
      get { session.elements.first { $0.key == .selection }.map { CGRect($0.frame) } }
      set {
        layoutIfNeeded()
        perform(newValue.map { .select(ViewRect($0)) } ?? .clear)
      }
    }

    /// Whether the corner points' areas are outlined.
    public var drawCornerOutlines: Bool {
      get { cornerpoints.contains { $0.drawCornerOutlines } }
      set { for corner in cornerpoints { corner.drawCornerOutlines = newValue } }
    }

    /// The selected part at full size; nil without a valid selection, or when memory is short.
    ///
    /// It is made before the call returns, as CropImg's was. Where that would keep the screen
    /// waiting, use ``CropView/croppedData(quality:metadata:)`` or `UIImage.cropped(by:)`.
    open func croppedImage() -> UIImage? {
      guard let recipe, let picture else { return nil }
      return try? picture.cut(by: recipe)
    }

    override func changed(_ changes: Changes) {
      if changes.contains(.recipe) { cropDelegate?.haveValidCropRect(session.isValid) }
      if !changes.isDisjoint(with: [.scene, .elements]) { placeCorners() }
    }

    /// Shows the corner points at the corners, hides them without a selection.
    private func placeCorners() {
      let elements = session.elements
      let keys: [ElementKey] = [.topLeft, .topRight, .bottomRight, .bottomLeft]
      for (corner, key) in zip(cornerpoints, keys) {
        let place = elements.first { $0.key == key }.map { CGPoint($0.frame.center) }
        guard corner.centerPoint != place else { continue }
        corner.centerPoint = place
        // Only what a hand moves has changed: not what a layout or a program does.
        if session.isGestureActive { corner.cornerpointDelegate?.cornerHasChanged(corner) }
      }
    }

    /// A corner was dragged. One that a hand moves by its own recogniser spans the rectangle with the
    /// opposite one; one that the session moved is where it should be.
    open func cornerHasChanged(_ newCornerPoint: CornerpointView) {
      guard !session.isGestureActive,
        let index = cornerpoints.firstIndex(where: { $0 === newCornerPoint }),
        let place = newCornerPoint.centerPoint,
        let opposite = cornerpoints[(index + 2) % cornerpoints.count].centerPoint
      else { return }
      perform(.select(ViewRect(spanning: ViewPoint(place), ViewPoint(opposite))))
    }
  }
#endif
