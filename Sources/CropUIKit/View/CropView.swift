#if canImport(UIKit)
  import CropCore
  import CropJPEG
  import UIKit

  /// A view in which a user crops an image.
  ///
  ///     let view = CropView()
  ///     view.image = photo
  ///     view.delegate = self
  ///     …
  ///     let result = try await view.croppedImage()
  ///
  /// The view passes touches, the pencil, the pointer, scrolling and keys to a `CropSession` and
  /// draws the scene that it returns. The session determines the crop.
  open class CropView: UIView {
    /// Receives the view's events.
    public weak var delegate: (any CropViewDelegate)?

    /// The image; setting it clears the history.
    ///
    /// It may have any orientation, scale and color space. Its pixels are cropped at full
    /// resolution.
    public var image: UIImage? {
      get { picture?.image }
      set { show(newValue.flatMap { CropPicture($0) }) }
    }

    /// The bytes of an image file. Setting them shows the image and lets
    /// ``croppedData(quality:metadata:)`` keep the metadata, the color profile and, for a JPEG,
    /// every coefficient.
    ///
    /// If the bytes can't be decoded, the view shows nothing.
    public var imageData: Data? {
      get { picture?.data }
      set { show(newValue.flatMap { CropPicture($0) }) }
    }

    /// The recipe; nil without a valid selection.
    ///
    /// If it is set before the image, it applies to the first image. A recipe that does not fit the
    /// image changes nothing, and the delegate receives the error. Nil clears the selection in the
    /// style `marquee`, and resets it in other styles.
    public var recipe: CropRecipe? {
      get { picture == nil ? recipeToCome : session.recipe }
      set { restore(newValue) }
    }

    /// What drags and pinches change.
    public var style: CropStyle {
      get { session.settings.style }
      set { execute(.style(newValue)) }
    }

    /// Lines and areas over the crop, such as the head box of a passport photo. They change no
    /// pixel.
    ///
    ///     view.guide = CropGuide(named: "passport-us") ?? CropGuide()
    public var guide: CropGuide {
      get { session.settings.guide }
      set { execute(.guide(newValue)) }
    }

    /// The part of the view, in view points, that the image and the frame must fit in, for example
    /// if bars cover the rest. Nil is the safe area minus a margin of 14 points.
    public var layoutArea: CGRect? {
      didSet { followLayoutArea() }
    }

    /// Whether the image and the frame stay inside the safe area if ``layoutArea`` is nil.
    public var respectsSafeArea = true {
      didSet { followLayoutArea() }
    }

    /// The colors and line widths.
    public var look = CropLook() {
      didSet {
        backgroundColor = look.ground
        redraw()
      }
    }

    /// The texts that VoiceOver speaks and the label shows, in the user's language.
    public var words = CropWords.preferred {
      didSet {
        accessible.forget()
        redraw()
      }
    }

    /// The canvas around results; nil for none. The view does not draw it.
    public var canvas: ResultCanvas?

    /// Whether an HDR photo is shown in HDR, from iOS 17 on, if the screen can. It has no effect on
    /// results.
    public var showsHDR = true {
      didSet { followHDR() }
    }

    /// Whether snapping and limits give haptic feedback, on devices that support it.
    public var givesHaptics = true

    /// The state of the interaction, read-only.
    public internal(set) var session: CropSession

    package private(set) var picture: CropPicture?
    /// The search for the block grid of the image's file.
    private(set) var gridSearch: Task<Void, Never>?
    /// The image with its gain map applied, while it is shown in HDR.
    var bright: CropPicture?
    /// Applies the gain map.
    var brightening: Task<Void, Never>?
    /// Called after changes, for views that contain or extend this one.
    package var onChanges: ((Changes) -> Void)?
    let detail = DetailLoader()
    private var recipeToCome: CropRecipe?
    var pointers = PointerNumbers()
    var needsScene = true
    /// The area that the view last set in the session.
    var toldLayoutArea: CGRect?

    let layers = SceneLayers()
    let haptics = CropHaptics()
    private lazy var history = SessionUndoManager(view: self)
    private(set) lazy var accessible = AccessibleElements(view: self)
    private(set) lazy var clock = FrameClock { [weak self] time in self?.frame(at: time) }

    /// A view of the given frame, in its superview's points.
    public override init(frame: CGRect) {
      session = CropSession(style: .studio)
      super.init(frame: frame)
      prepare()
    }

    /// A view from a storyboard.
    public required init?(coder: NSCoder) {
      session = CropSession(style: .studio)
      super.init(coder: coder)
      prepare()
    }

    private func prepare() {
      isMultipleTouchEnabled = true
      // Smart Invert must not show a photo as a negative.
      accessibilityIgnoresInvertColors = true
      isOpaque = true
      clipsToBounds = true
      layers.attach(to: self)
      listenToPointer()
      listenToScrolling()
      backgroundColor = look.ground
      follow(traitCollection)
      if #available(iOS 17.0, *) {
        let traits: [UITrait] = [
          UITraitUserInterfaceStyle.self, UITraitAccessibilityContrast.self,
          UITraitDisplayScale.self, UITraitPreferredContentSizeCategory.self,
          UITraitLayoutDirection.self,
        ]
        registerForTraitChanges(traits) { (view: CropView, _: UITraitCollection) in
          view.follow(view.traitCollection)
        }
      }
    }

    // MARK: Layout and responder

    open override func layoutSubviews() {
      super.layoutSubviews()
      followSettings()
      let size = ViewSize(width: Double(bounds.width), height: Double(bounds.height))
      if session.view != size { send(.resize(size)) }
      followLayoutArea()
      drawScene()
    }

    open override func safeAreaInsetsDidChange() {
      super.safeAreaInsetsDidChange()
      followLayoutArea()
    }

    @available(iOS, deprecated: 17, message: "later systems tell what the view registered for")
    open override func traitCollectionDidChange(_ previous: UITraitCollection?) {
      super.traitCollectionDidChange(previous)
      guard #unavailable(iOS 17.0) else { return }
      follow(traitCollection)
    }

    open override func didMoveToWindow() {
      super.didMoveToWindow()
      if window == nil { letGo() } else { followHDR() }
      clock.isRunning = session.wantsTicks && window != nil
      redraw()
    }

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
      followSettings()
      if !isFirstResponder { _ = becomeFirstResponder() }
      forward(touches, event, as: .down)
    }

    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
      forward(touches, event, as: .move)
    }

    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
      forward(touches, event, as: .up)
    }

    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
      forward(touches, event, as: .cancel)
    }

    open override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
      let rest = presses.filter { !press($0, isDown: true) }
      if !rest.isEmpty { super.pressesBegan(rest, with: event) }
    }

    open override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
      let rest = presses.filter { !press($0, isDown: false) }
      if !rest.isEmpty { super.pressesEnded(rest, with: event) }
    }

    open override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
      releaseSpace()
      super.pressesCancelled(presses, with: event)
    }

    open override var canBecomeFirstResponder: Bool { true }

    open override func resignFirstResponder() -> Bool {
      releaseSpace()
      return super.resignFirstResponder()
    }

    /// Returns false for recognizers of surrounding scroll views if the touch belongs to the
    /// session.
    open override func gestureRecognizerShouldBegin(_ recognizer: UIGestureRecognizer) -> Bool {
      recognizer.view === self || !(pointers.isClaimed || claimsDelayedTouch(of: recognizer))
    }

    /// The steps of the session, for a swipe with three fingers, a shake and the app's menus.
    open override var undoManager: UndoManager? { history }

    open override var accessibilityElements: [Any]? {
      get { accessible.current(session.elements, words: words) }
      set { super.accessibilityElements = newValue }
    }

    open override func accessibilityPerformEscape() -> Bool {
      send(.key(.escape, [], time: CACurrentMediaTime())).contains(.handled)
    }

    open override func accessibilityPerformMagicTap() -> Bool {
      execute(.crop).contains(.cropWanted)
    }

    // MARK: The image

    /// Shows an image, or nothing.
    private func show(_ picture: CropPicture?) {
      self.picture = picture
      gridSearch?.cancel()
      brightening?.cancel()
      (bright, brightening) = (nil, nil)
      detail.forget()
      layers.isHDR = false
      layers.show(picture)
      guard let picture else { return forget() }
      apply(session.open(picture.size))
      findGrid(of: picture)
      if let recipe = recipeToCome { restore(recipe) }
      recipeToCome = nil
      preview(picture)
      followHDR()
    }

    /// Restarts the session with its current settings, after the image was removed.
    private func forget() {
      pointers.removeAll()
      session.close()
      apply([.scene, .recipe, .history, .elements])
    }

    /// Shows a smaller copy as soon as it exists, because it scrolls and zooms more smoothly.
    func preview(_ picture: CropPicture) {
      Task { [weak self] in
        let preview = await picture.preview()
        guard let self, self.picture == picture, bright == nil else { return }
        layers.show(picture, as: preview)
        redraw()
      }
    }

    /// Finds the block grid of a JPEG in the background, because a gain map must be decoded for it.
    private func findGrid(of picture: CropPicture) {
      guard let data = picture.data else { return }
      gridSearch = Task { [weak self] in
        let grid = await PictureFile(data).storedJPEG()
        guard let self, !Task.isCancelled else { return }
        apply(session.setJPEG(grid))
      }
    }

    private func restore(_ recipe: CropRecipe?) {
      guard picture != nil else {
        recipeToCome = recipe
        return
      }
      guard let recipe else {
        execute(.clear)
        return
      }
      do {
        apply(try session.restore(recipe))
      } catch {
        delegate?.cropView(self, didFailWith: error)
      }
    }

    // MARK: The result

    /// Crops the image at full resolution; nil without a valid selection.
    ///
    /// Alpha, color space and depth are kept, and the scale is 1. If no pixel must be computed,
    /// the stored pixels are copied and their orientation is set. If there is a ``canvas``, the
    /// result is on it.
    ///
    /// - Throws: ``PictureError`` if there is not enough memory for the result.
    open func croppedImage() async throws -> UIImage? {
      guard let recipe, let picture else { return nil }
      return try await picture.cropped(by: recipe, on: resolvedCanvas)
    }

    private var resolvedCanvas: ResultCanvas? { canvas?.resolved(with: traitCollection) }

    /// Crops the file; nil without a valid selection or ``imageData``.
    ///
    /// A JPEG is cut without decoding it if the recipe and the session's mode allow it. Under
    /// `execute(.lossless(.outward))`, its edges move outward to the block grid, which the view
    /// then shows; this does not affect ``croppedImage()``. All other images are written upright in
    /// the file's format, if the system can write it, with the color profile and the metadata. A
    /// shape needs transparency and makes a PNG. On a ``canvas``, the result is always re-encoded.
    ///
    /// - Parameters:
    ///   - quality: the quality of lossy formats, 0 to 1.
    ///   - metadata: which metadata to keep. Metadata that could show the part that was cut off
    ///     is never kept.
    /// - Throws: ``PictureError``.
    open func croppedData(
      quality: Double = 0.9, metadata: MetadataPolicy = .keep
    ) async throws -> Data? {
      guard let recipe, let data = picture?.data else { return nil }
      return try await PictureFile(data).cropped(
        by: recipe, quality: quality, metadata: metadata, lossless: session.settings.lossless,
        on: resolvedCanvas)
    }

    /// Crops the image and, if there is ``imageData``, the file; nil without a valid selection.
    ///
    /// The source is decoded only once, so this needs less time and memory than
    /// ``croppedImage()`` and ``croppedData(quality:metadata:)``.
    ///
    /// - Parameters:
    ///   - quality: the quality of lossy formats, 0 to 1.
    ///   - metadata: which metadata to keep in the file. Metadata that could show the part that was
    ///     cut off is never kept.
    /// - Throws: ``PictureError``.
    open func result(
      quality: Double = 0.9, metadata: MetadataPolicy = .keep
    ) async throws -> CropResult? {
      guard let recipe, let picture else { return nil }
      return try await picture.result(
        by: recipe, quality: quality, metadata: metadata, lossless: session.settings.lossless,
        on: resolvedCanvas)
    }
  }
#endif
