#if canImport(UIKit)
  import CropCore
  import CropJPEG
  import UIKit

  /// A screen that crops an image. Present it and receive a result:
  ///
  ///     let result = try await CropViewController.crop(photo, from: self)
  ///
  /// or, with a delegate or a closure,
  ///
  ///     let screen = CropViewController(data: file)
  ///     screen.ratio = .fixed(.square)
  ///     screen.onFinish = { result in … }
  ///     present(screen, animated: true)
  ///
  /// Cancel and a swipe down ask before they discard edits. Keys: the arrow keys, Return for Done,
  /// Escape for Cancel, and those of ``CropView``. Configure the controls with ``tools``, the texts
  /// with ``words`` and the colors with ``look``; override ``makeToolbar()`` to replace the bottom
  /// bar.
  open class CropViewController: UIViewController {
    /// Receives the outcome.
    public weak var delegate: (any CropViewControllerDelegate)?
    /// Called once: with the result, or with nil if the user cancels or the presented screen is
    /// closed in any other way.
    public var onFinish: (@MainActor (CropResult?) -> Void)?
    /// Called once, after ``onFinish``: with the image and, if there is one, the file, or with nil if
    /// the user cancels. For Objective-C, which has no ``CropResult``.
    #if canImport(ObjectiveC)
      @objc
    #endif
    public var completionHandler: (@MainActor (UIImage?, Data?) -> Void)?
    /// Whether the screen closes itself before it reports, if it was presented. This is the same for
    /// all screens of CropKit.
    #if canImport(ObjectiveC)
      @objc
    #endif
    public var closesItself = true
    /// The view, such as a thumbnail, that grows into the screen when it is presented, from iOS 18
    /// on.
    #if canImport(ObjectiveC)
      @objc
    #endif
    public weak var sourceView: UIView? {
      didSet { followSourceView() }
    }
    /// The controls, in the order in which each bar shows them.
    public var tools = CropTool.standard
    /// The ratios in the menu.
    public var ratioPresets = CropRatioPreset.standard
    /// Whether ``ratio`` is fixed: there is no menu then, and a quarter turn does not change the
    /// ratio.
    public var isRatioLocked = false
    /// The quality of lossy formats, 0 to 1.
    public var quality = 0.9
    /// Which metadata to keep in the result's file.
    public var metadata = MetadataPolicy.keep

    /// The view in which the user crops.
    public let cropView: CropView

    /// The texts on the screen and those that VoiceOver speaks.
    public var words: CropWords {
      get { cropView.words }
      set { cropView.words = newValue }
    }
    /// The colors and line widths of everything drawn over the image.
    public var look: CropLook {
      get { cropView.look }
      set { cropView.look = newValue }
    }
    /// What drags and pinches do; by default `studio`.
    public var style: CropStyle {
      get { cropView.style }
      set { cropView.style = newValue }
    }
    /// The ratio that the selection keeps.
    public var ratio: RatioChoice {
      get { cropView.session.ratio }
      set { cropView.execute(.ratio(newValue)) }
    }
    /// The outline of the result.
    public var shape: CropShape {
      get { cropView.session.shape }
      set { cropView.execute(.shape(newValue)) }
    }
    /// Lines and areas over the crop, such as the head box of a passport photo. They change no
    /// pixel.
    public var guide: CropGuide {
      get { cropView.guide }
      set { cropView.guide = newValue }
    }
    /// The canvas around the result; nil for none.
    public var canvas: ResultCanvas? {
      get { cropView.canvas }
      set { cropView.canvas = newValue }
    }
    /// The recipe. If it is set before the screen is shown, the user starts with it.
    public var recipe: CropRecipe? {
      get { cropView.recipe }
      set { cropView.recipe = newValue }
    }

    let bars = CropBars()
    /// Whether a result is pending: the screen was shown and has not reported one yet.
    var isAwaited = false
    private var isWorking = false
    /// The container that may not be dismissed by a swipe while there are edits.
    private weak var container: UIViewController?
    /// The window whose root controller leads to this screen, if any.
    private weak var window: UIWindow?

    /// A screen for an image; the result is an image.
    #if canImport(ObjectiveC)
      @objc
    #endif
    public convenience init(image: UIImage) {
      self.init(cropView: CropView())
      cropView.execute(.grid(.thirds))
      cropView.image = image
    }

    /// A screen for an image file; the result is an image and a file.
    #if canImport(ObjectiveC)
      @objc
    #endif
    public convenience init(data: Data) {
      self.init(cropView: CropView())
      cropView.execute(.grid(.thirds))
      cropView.imageData = data
    }

    /// A screen that shows `cropView`, which may be of a custom subclass.
    public init(cropView: CropView) {
      self.cropView = cropView
      super.init(nibName: nil, bundle: nil)
    }

    /// A screen from a storyboard. Set the image of its ``cropView`` later.
    public required init?(coder: NSCoder) {
      cropView = CropView()
      super.init(coder: coder)
    }

    deinit {
      // A screen that is dismissed while another covers it gets no other call.
      guard isAwaited else { return }
      Task { @MainActor [onFinish, completionHandler] in
        onFinish?(nil)
        completionHandler?(nil, nil)
      }
    }

    // MARK: The screen

    /// The title above the image; on a navigation controller, it is in its bar.
    open override var title: String? {
      didSet { followTitle() }
    }

    private func followTitle() {
      bars.title = navigationController == nil ? title : nil
      viewIfLoaded?.setNeedsLayout()
    }

    open override func viewDidLoad() {
      super.viewDidLoad()
      view.backgroundColor = look.ground
      cropView.delegate = self
      cropView.execute(.keepsRatio(isRatioLocked))
      bars.onTool = { [weak self] in self?.use($0) }
      bars.onRatio = { [weak self] in self?.ratio = $0 }
      bars.onTilt = { [weak self] in self?.cropView.execute(.tilt($0, $1)) }
      bars.install(
        isRatioLocked ? tools.filter { $0 != .ratio } : tools, over: cropView, in: view,
        custom: makeToolbar(), ratioPresets, words)
      update()
    }

    /// A view that replaces the bottom bar; nil keeps the bar. Its buttons call
    /// `cropView.execute(…)`.
    open func makeToolbar() -> UIView? { nil }

    open override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      // A container's presentation belongs to it: SwiftUI's sheet, as its delegate, resets
      // `isPresented`.
      if parent == nil { presentationController?.delegate = self }
      setNeedsUpdateOfScreenEdgesDeferringSystemGestures()
      followTitle()
      isAwaited = true
      update()
      cropView.becomeFirstResponder()
    }

    open override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      window = isHeld(by: view.window) ? view.window : nil
    }

    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      container?.isModalInPresentation = false
      guard isAwaited else { return }
      // Dismissed by a swipe without changes, popped, or removed together with its presenter.
      if isLeaving { return answer(nil) }
      // UIKit dissolves the chain of presentations after this call. A screen that is only covered
      // keeps it.
      guard let window else { return }
      Task { [weak self, weak window] in
        guard let self, isAwaited, view.window == nil, !isHeld(by: window) else { return }
        answer(nil)
      }
    }

    open override func viewWillLayoutSubviews() {
      super.viewWillLayoutSubviews()
      bars.arrange(in: view, view.bounds.size)
    }

    open override func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      if let free = bars.freeArea { cropView.layoutArea = free }
    }

    open override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
      // Escape, if the crop view did not use it.
      if presses.contains(where: { $0.key?.keyCode == .keyboardEscape }) { return cancel() }
      super.pressesBegan(presses, with: event)
    }

    open override func accessibilityPerformEscape() -> Bool {
      cancel()
      return true
    }

    /// All edges: a handle at an edge of the screen must not open the Control Center.
    open override var preferredScreenEdgesDeferringSystemGestures: UIRectEdge { .all }

    private func update() {
      let session = cropView.session
      bars.update(session, isWorking: isWorking, words)
      cropView.isUserInteractionEnabled = !isWorking
      // A swipe down must not discard edits.
      isModalInPresentation = session.canUndo || isWorking
      container = outermostContainer
      container?.isModalInPresentation = isModalInPresentation
    }

    /// The controller that is presented with this screen inside it; nil if it is this screen.
    private var outermostContainer: UIViewController? {
      var outermost = parent
      while let next = outermost?.parent { outermost = next }
      return outermost
    }

    private func followSourceView() {
      #if os(iOS)
        guard #available(iOS 18.0, *) else { return }
        preferredTransition =
          sourceView == nil
          ? nil : .zoom(options: nil, sourceViewProvider: { [weak self] _ in self?.sourceView })
      #endif
    }

    private func use(_ tool: CropTool) {
      switch tool {
      case .cancel: cancel()
      case .done: finish()
      case .undo: cropView.execute(.undo)
      case .redo: cropView.execute(.redo)
      case .reset: cropView.execute(.reset)
      case .turn, .turnLeft: cropView.execute(.turn(clockwise: tool == .turn))
      case .mirror, .mirrorVertically:
        cropView.execute(.mirror(vertically: tool == .mirrorVertically))
      case .ratio, .straighten: break
      }
    }

    // MARK: Finishing

    /// Cancels; asks first if edits would be lost.
    open func cancel() {
      guard cropView.session.canUndo else { return close(with: nil) }
      let words = words.screens
      let question = UIAlertController(
        title: nil, message: words.discardQuestion, preferredStyle: .actionSheet)
      question.addAction(
        UIAlertAction(title: words.discard, style: .destructive) { [weak self] _ in
          self?.close(with: nil)
        })
      question.addAction(UIAlertAction(title: words.keepEditing, style: .cancel))
      // On wide screens the sheet is a popover.
      question.popoverPresentationController?.sourceView = bars.cancelButton ?? view
      present(question, animated: true)
    }

    /// Makes the result and closes the screen. If the result can't be made, shows an error and does
    /// not close.
    open func finish() {
      guard !isWorking, cropView.recipe != nil else { return }
      isWorking = true
      update()
      Task {
        defer {
          isWorking = false
          update()
        }
        do {
          let result = try await result()
          // The user may have cancelled in the meantime.
          if let result, isAwaited { close(with: result) }
        } catch {
          if isAwaited { fail(error) }
        }
      }
    }

    /// The current result; nil without a valid selection.
    ///
    /// - Throws: ``PictureError``.
    public func result() async throws -> CropResult? {
      try await cropView.result(quality: quality, metadata: metadata)
    }

    private func fail(_ error: any Error) {
      reportFailure(words.screens)
      delegate?.cropViewController(self, didFailWith: error)
    }

    private func close(with result: CropResult?) {
      guard isAwaited else { return }
      isAwaited = false
      guard closesItself, let presentingViewController else { return answer(result) }
      presentingViewController.dismiss(animated: true) { [self] in answer(result) }
    }

    func answer(_ result: CropResult?) {
      isAwaited = false
      onFinish?(result)
      completionHandler?(result?.image, result?.data)
      if let result {
        delegate?.cropViewController(self, didFinishWith: result)
      } else {
        delegate?.cropViewControllerDidCancel(self)
      }
    }
  }

  extension CropViewController: CropViewDelegate {
    /// Updates the controls after a change of the selection.
    public func cropView(_ view: CropView, didChange recipe: CropRecipe?) {
      update()
      delegate?.cropViewController(self, didChange: recipe)
    }
    /// Reports the start of a drag.
    public func cropViewDidBeginGesture(_ view: CropView) {
      delegate?.cropViewControllerDidBeginGesture(self)
    }
    /// Reports the end of a drag.
    public func cropViewDidEndGesture(_ view: CropView) {
      delegate?.cropViewControllerDidEndGesture(self)
    }
    /// Updates the controls after a change of the history.
    public func cropViewDidChangeHistory(_ view: CropView) { update() }
    /// Finishes after Return or VoiceOver's magic tap.
    public func cropViewDidRequestCrop(_ view: CropView) { finish() }
  }

  extension CropViewController: UIAdaptivePresentationControllerDelegate {
    /// Asks whether to discard edits after a swipe down.
    public func presentationControllerDidAttemptToDismiss(
      _ presentationController: UIPresentationController
    ) {
      cancel()
    }
  }
#endif
