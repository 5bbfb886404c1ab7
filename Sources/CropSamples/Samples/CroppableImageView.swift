#if canImport(UIKit)
  import CropCore
  import CropUIKit
  import UIKit

  /// CropImg's view: drag on the image to draw a rectangle, drag inside the rectangle to move it,
  /// drag a corner to resize it (corners may cross), and tap the image to clear it.
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
    /// view is their delegate. While a drag takes a corner across others, it keeps its view.
    public let cornerpoints = [
      CornerpointView(), CornerpointView(), CornerpointView(), CornerpointView(),
    ]
    /// Recognizes drags on the image; targets may be added. The crop view draws and moves the
    /// selection.
    public let dragger = UIPanGestureRecognizer()

    /// The corners at which the corner points are.
    private var places = CroppableImageView.usualPlaces
    private static let usualPlaces: [CropHandle] = [
      .topLeft, .topRight, .bottomRight, .bottomLeft,
    ]
    /// The corner point that the user drags, as its index.
    private var dragged: Int?
    private let tapper = UITapGestureRecognizer()

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
        // Touches of a corner reach this view too, whose session resizes by corners and edges.
        corner.isMovedByDragger = false
        corner.cornerpointDelegate = self
        addSubview(corner)
      }
      GestureTarget.add(to: tapper) { [weak self] in self?.tapped() }
      for recognizer in [dragger, tapper] {
        recognizer.cancelsTouchesInView = false
        addGestureRecognizer(recognizer)
      }
      onChanges = { [weak self] in self?.follow($0) }
    }

    /// A tap inside the selection clears it; one outside does in every marquee.
    private func tapped() {
      let place = tapper.location(in: self)
      guard tapper.state == .ended, let cropRect, cropRect.contains(place),
        !cornerpoints.contains(where: { $0.frame.contains(place) })
      else { return }
      execute(.clear)
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
        execute(newValue.map { .select(ViewRect($0)) } ?? .clear)
      }
    }

    /// The rectangle in which the image is shown, in view points; nil without an image.
    public var imageRect: CGRect? {
      session.elements.first { $0.key == .picture }.map { CGRect($0.frame) }
    }

    /// The size of the image, in points of the image; nil without an image.
    public var imageSize: CGSize? { image?.size }

    /// The scale at which the image is shown: view points per point of the image; 1 without an
    /// image.
    public var aspect: CGFloat {
      guard let imageRect, let imageSize, imageSize.width > 0 else { return 1 }
      return imageRect.width / imageSize.width
    }

    /// Whether the draggable areas of the corner points are outlined.
    public var drawCornerOutlines: Bool {
      get { cornerpoints.contains { $0.drawCornerOutlines } }
      set { for corner in cornerpoints { corner.drawCornerOutlines = newValue } }
    }

    /// Crops the image at full resolution; nil without a valid selection or enough memory.
    ///
    /// As in CropImg, the result is made before the call returns. If that would block the screen
    /// for too long, use `croppedData(quality:metadata:)` or `UIImage.cropped(by:)`.
    open func croppedImage() -> UIImage? {
      guard let recipe, let picture else { return nil }
      return try? picture.cut(by: recipe)
    }

    private func follow(_ changes: Changes) {
      if changes.contains(.recipe) { cropDelegate?.haveValidCropRect(session.isValid) }
      if changes.contains(.gestureStarted) { dragged = cornerUnderFinger }
      if changes.contains(.gestureEnded) {
        dragged = nil
        places = Self.usualPlaces
      }
      if !changes.isDisjoint(with: [.scene, .elements]) { placeCorners() }
    }

    /// The index of the corner point whose corner follows the finger; nil while a new rectangle is
    /// drawn.
    private var cornerUnderFinger: Int? {
      session.activeHandle.flatMap { places.firstIndex(of: $0) }
    }

    /// Shows the corner points at the selection's corners; hides them without a selection.
    private func placeCorners() {
      crossCorners()
      let elements = session.elements
      for (index, corner) in cornerpoints.enumerated() {
        let place = elements.first { $0.key.handle == places[index] }
          .map { CGPoint($0.frame.center) }
        guard corner.centerPoint != place else { continue }
        corner.centerPoint = place
        // Only the corner that the user drags is reported, not those that follow it.
        if index == dragged, session.isGestureActive {
          corner.cornerpointDelegate?.cornerHasChanged(corner)
        }
      }
    }

    /// Lets each corner point keep its corner after the drag took one across others.
    private func crossCorners() {
      guard let dragged, let now = session.activeHandle, now.isCorner, now != places[dragged] else {
        return
      }
      let old = places[dragged]
      places = places.map { place in
        let x = now.x == old.x ? place.x : 1 - place.x
        let y = now.y == old.y ? place.y : 1 - place.y
        return Self.usualPlaces.first { $0.x == x && $0.y == y } ?? place
      }
    }

    /// The user dragged a corner. If this was not in the view, for example by a subclass that moves
    /// the corner point, the selection becomes the rectangle between it and the opposite corner.
    open func cornerHasChanged(_ newCornerPoint: CornerpointView) {
      guard !session.isGestureActive,
        let index = cornerpoints.firstIndex(where: { $0 === newCornerPoint }),
        let place = newCornerPoint.centerPoint,
        let opposite = cornerpoints[(index + 2) % cornerpoints.count].centerPoint
      else { return }
      execute(.select(ViewRect(spanning: ViewPoint(place), ViewPoint(opposite))))
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
