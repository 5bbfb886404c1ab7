#if canImport(UIKit)
  import CropCore
  import CropJPEG
  import UIKit

  /// A view in which a person frames the part of a picture that matters.
  ///
  ///     let view = CropView()
  ///     view.image = photo
  ///     view.delegate = self
  ///     …
  ///     let result = try await view.croppedImage()
  ///
  /// Touches, the pencil, the pointer, scrolling and keys go to a `CropSession`; what it answers is
  /// drawn. The view itself decides nothing about what is cropped.
  open class CropView: UIView {
    /// Told what the person does.
    public weak var delegate: (any CropViewDelegate)?

    /// The picture; setting one opens it anew, with an empty history.
    ///
    /// Any orientation, scale and colour. Its pixels are what is cropped, at full resolution.
    public var image: UIImage? {
      get { picture?.image }
      set { show(newValue.flatMap { CropPicture($0) }) }
    }

    /// The bytes of a picture file; setting them shows the picture and lets
    /// ``croppedData(quality:metadata:)`` keep metadata, colour profile and, for a JPEG, every
    /// coefficient.
    ///
    /// Bytes that hold no picture show nothing.
    public var imageData: Data? {
      get { picture?.data }
      set { show(newValue.flatMap { CropPicture($0) }) }
    }

    /// What to cut; nil while nothing valid is selected.
    ///
    /// Set before there is a picture it is kept for the first one. One that does not fit the
    /// picture changes nothing, and the delegate is told why. Nil selects nothing in a marquee and
    /// the style's first selection elsewhere.
    public var recipe: CropRecipe? {
      get { picture == nil ? recipeToCome : session.recipe }
      set { restore(newValue) }
    }

    /// Who does what with drags and pinches.
    public var style: CropStyle {
      get { session.settings.style }
      set { perform(.style(newValue)) }
    }

    /// The part of the view, in its points, in which pictures and frames are fitted: what bars and
    /// buttons leave free. Nil is the safe area but a margin of 14 points.
    public var layoutArea: CGRect? {
      didSet { followLayoutArea() }
    }

    /// Whether pictures and frames stay clear of the safe area's insets where ``layoutArea`` is nil.
    public var respectsSafeArea = true {
      didSet { followLayoutArea() }
    }

    /// The colours and weights of what is drawn.
    public var look = CropLook() {
      didSet {
        backgroundColor = look.ground
        redraw()
      }
    }

    /// The words that VoiceOver speaks and the label shows, in the person's language.
    public var words = CropWords.preferred {
      didSet {
        accessible.forget()
        redraw()
      }
    }

    /// Whether the magnet and the limits can be felt, on devices that can.
    public var givesHaptics = true

    /// The state of the interaction, to read.
    public internal(set) var session: CropSession

    private(set) var picture: CropPicture?
    let detail = DetailLoader()
    private var recipeToCome: CropRecipe?
    var pointers = PointerNumbers()
    var needsScene = true
    /// The area that the session was last told of by the view itself.
    var toldLayoutArea: CGRect?

    let layers = SceneLayers()
    let haptics = CropHaptics()
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

    /// What a sample's view does besides when something changed.
    func changed(_ changes: Changes) {}

    // MARK: Asked by the system

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
      if window == nil { letGo() }
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

    /// A scroll view around leaves touches alone that belong to the session.
    open override func gestureRecognizerShouldBegin(_ recognizer: UIGestureRecognizer) -> Bool {
      recognizer.view === self || !pointers.isClaimed
    }

    open override var accessibilityElements: [Any]? {
      get { accessible.current(session.elements, words: words) }
      set { super.accessibilityElements = newValue }
    }

    open override func accessibilityPerformEscape() -> Bool {
      send(.key(.escape, [], time: CACurrentMediaTime())).contains(.handled)
    }

    open override func accessibilityPerformMagicTap() -> Bool {
      perform(.crop).contains(.cropWanted)
    }

    // MARK: The picture

    /// Shows a picture, or nothing.
    private func show(_ picture: CropPicture?) {
      self.picture = picture
      detail.forget()
      layers.show(picture)
      guard let picture else { return forget() }
      apply(session.open(picture.size))
      apply(session.setJPEG(picture.data.flatMap { PictureFile($0).storedJPEG }))
      if let recipe = recipeToCome { restore(recipe) }
      recipeToCome = nil
      preview(picture)
    }

    /// Without a picture the session starts anew, with the settings it has.
    private func forget() {
      pointers.removeAll()
      session.close()
      apply([.scene, .recipe, .history, .elements])
    }

    /// Shows a smaller copy as soon as there is one: it scrolls and zooms without effort.
    private func preview(_ picture: CropPicture) {
      Task { [weak self] in
        let preview = await picture.preview()
        guard let self, self.picture == picture else { return }
        layers.show(picture, as: preview)
        redraw()
      }
    }

    private func restore(_ recipe: CropRecipe?) {
      guard picture != nil else {
        recipeToCome = recipe
        return
      }
      guard let recipe else {
        perform(.clear)
        return
      }
      do {
        apply(try session.restore(recipe))
      } catch {
        delegate?.cropView(self, refused: error)
      }
    }

    // MARK: The result

    /// The selected part at full resolution; nil while nothing valid is selected.
    ///
    /// Alpha, colour space and depth stay; where no pixel has to be computed the stored ones are
    /// taken as they are, and the orientation flag shows them upright. The scale is 1.
    ///
    /// - Throws: ``PictureError`` when there is no memory for the result.
    open func croppedImage() async throws -> UIImage? {
      guard let recipe, let picture else { return nil }
      return try await picture.cropped(by: recipe)
    }

    /// The selected part as a file; nil while nothing valid is selected or ``imageData`` is not
    /// set.
    ///
    /// A JPEG is cut without being decoded where the recipe and the session's mode allow it: under
    /// `perform(.lossless(.outward))` its edges move outward to the grid of blocks that is then drawn,
    /// in this file but not in ``croppedImage()``. All else is written in the
    /// file's own format where the system can write it, upright, with the colour profile and the
    /// metadata; a shape needs transparency and makes a PNG.
    ///
    /// - Parameters:
    ///   - quality: of lossy formats, 0 to 1.
    ///   - metadata: what of the metadata stays; nothing of what was cut away ever does.
    /// - Throws: ``PictureError``.
    open func croppedData(
      quality: Double = 0.9, metadata: MetadataPolicy = .keep
    ) async throws -> Data? {
      guard let recipe, let data = picture?.data else { return nil }
      return try await PictureFile(data).cropped(
        by: recipe, quality: quality, metadata: metadata, lossless: session.settings.lossless)
    }
  }
#endif
