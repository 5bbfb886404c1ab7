#if canImport(UIKit)
  import CropCore
  import UIKit

  /// CropImg's view: drag on the image to draw a rectangle, drag inside the rectangle to move it,
  /// drag a corner to resize it (corners may cross), and tap outside to clear it.
  ///
  /// As in CropImg, it has `imageToCrop`, `cropRect`, `cropDelegate`, `croppedImage()` and the four
  /// ``CornerpointView``s. The outline has 3 points in black under 1 point in white, and a
  /// rectangle smaller than 5 × 5 points counts as none.
  ///
  /// Unlike in CropImg, the image is centered and may be enlarged, the selection stays when the
  /// layout changes, and clearing it can be undone. Edges can be dragged too. Zoom, keys, the
  /// pencil and VoiceOver are supported. The result has the exact pixels, with alpha, color and
  /// depth, at scale 1.
  #if canImport(ObjectiveC)
    @objc(CroppableImageView)
    @objcMembers
  #endif
  open class CroppableImageView: CropView, CornerpointClientProtocol {
    /// Receives, on every change, whether the selection can be cropped.
    #if canImport(ObjectiveC)
      @IBOutlet
    #endif
    public weak var cropDelegate: (any CroppableImageViewDelegateProtocol)?

    /// The four corner points, clockwise from the top left, at the corners of the selection. The
    /// view is their delegate.
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
        // The session handles touches: it resizes by corners and edges.
        corner.isUserInteractionEnabled = false
        corner.cornerpointDelegate = self
        addSubview(corner)
      }
    }

    /// The image; setting another one clears the selection.
    public var imageToCrop: UIImage? {
      get { image }
      set { image = newValue }
    }

    /// The selection, in view points; nil without a selection.
    ///
    /// A new value is clipped to the image and rounded to whole pixels. A value smaller than 5 × 5
    /// points is ignored.
    public var cropRect: CGRect? {
      get { session.elements.first { $0.key == .selection }.map { CGRect($0.frame) } }
      set {
        layoutIfNeeded()
        perform(newValue.map { .select(ViewRect($0)) } ?? .clear)
      }
    }

    /// Whether the draggable areas of the corner points are outlined.
    public var drawCornerOutlines: Bool {
      get { cornerpoints.contains { $0.drawCornerOutlines } }
      set { for corner in cornerpoints { corner.drawCornerOutlines = newValue } }
    }

    /// Crops the image at full resolution; nil without a valid selection or enough memory.
    ///
    /// As in CropImg, the result is made before the call returns. If that would block the screen
    /// for too long, use ``CropView/croppedData(quality:metadata:)`` or `UIImage.cropped(by:)`.
    open func croppedImage() -> UIImage? {
      guard let recipe, let picture else { return nil }
      return try? picture.cut(by: recipe)
    }

    override func changed(_ changes: Changes) {
      if changes.contains(.recipe) { cropDelegate?.haveValidCropRect(session.isValid) }
      if !changes.isDisjoint(with: [.scene, .elements]) { placeCorners() }
    }

    /// Shows the corner points at the selection's corners; hides them without a selection.
    private func placeCorners() {
      let elements = session.elements
      let keys: [ElementKey] = [.topLeft, .topRight, .bottomRight, .bottomLeft]
      for (corner, key) in zip(cornerpoints, keys) {
        let place = elements.first { $0.key == key }.map { CGPoint($0.frame.center) }
        guard corner.centerPoint != place else { continue }
        corner.centerPoint = place
        // Only the user's drags are reported, not changes by layout or code.
        if session.isGestureActive { corner.cornerpointDelegate?.cornerHasChanged(corner) }
      }
    }

    /// The user dragged a corner. If its own recognizer moved it, the selection becomes the
    /// rectangle between it and the opposite corner. If the session moved it, nothing needs to be
    /// done.
    open func cornerHasChanged(_ newCornerPoint: CornerpointView) {
      guard !session.isGestureActive,
        let index = cornerpoints.firstIndex(where: { $0 === newCornerPoint }),
        let place = newCornerPoint.centerPoint,
        let opposite = cornerpoints[(index + 2) % cornerpoints.count].centerPoint
      else { return }
      perform(.select(ViewRect(spanning: ViewPoint(place), ViewPoint(opposite))))
    }
  }

  /// CropImg's delegate: it receives whether to enable the crop button.
  #if canImport(ObjectiveC)
    @objc(CroppableImageViewDelegateProtocol)
  #endif
  @MainActor
  public protocol CroppableImageViewDelegateProtocol: AnyObject {
    /// The selection changed; `valid` is true if it has at least 5 × 5 points.
    func haveValidCropRect(_ valid: Bool)
  }
#endif
