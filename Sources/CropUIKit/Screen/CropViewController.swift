#if canImport(UIKit)
  import CropCore
  import CropJPEG
  import UIKit

  /// A screen that crops a picture: present it, get a result.
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
  /// Cancel asks before it throws work away; so does a swipe down. Keys: arrows, Return for Done, Escape
  /// for Cancel, and what ``CropView`` has. The controls are ``tools``, the words ``words``, the colours
  /// ``look``; a bar of one's own replaces the bottom one with ``makeToolbar()``.
  open class CropViewController: UIViewController {
    /// Told what became of it.
    public weak var delegate: (any CropViewControllerDelegate)?
    /// Called once with the result; with nil when the person cancels, or when a screen that was shown goes
    /// away in any other way.
    public var onFinish: (@MainActor (CropResult?) -> Void)?
    /// Whether the screen closes itself when it was presented.
    public var closesItself = true
    /// The controls, each where it belongs, in this order.
    public var tools = CropTool.allCases
    /// The ratios of the menu.
    public var ratioPresets = CropRatioPreset.standard
    /// Whether ``ratio`` is kept: then there is no menu, and a turn keeps it.
    public var isRatioLocked = false
    /// Of lossy formats, 0 to 1.
    public var quality = 0.9
    /// What of the metadata stays in the file.
    public var metadata = MetadataPolicy.keep

    /// The view that does the work.
    public let cropView: CropView

    /// The words on the screen, and those that are spoken.
    public var words: CropWords {
      get { cropView.words }
      set { cropView.words = newValue }
    }
    /// The colours and weights of what is drawn over the picture.
    public var look: CropLook {
      get { cropView.look }
      set { cropView.look = newValue }
    }
    /// Who does what with drags and pinches; `studio` unless said.
    public var style: CropStyle {
      get { cropView.style }
      set { cropView.style = newValue }
    }
    /// The ratio to keep.
    public var ratio: RatioChoice {
      get { cropView.session.ratio }
      set { cropView.perform(.ratio(newValue)) }
    }
    /// The outline of the result.
    public var shape: CropShape {
      get { cropView.session.shape }
      set { cropView.perform(.shape(newValue)) }
    }
    /// What to cut; set before the screen is shown, it is where the person begins.
    public var recipe: CropRecipe? {
      get { cropView.recipe }
      set { cropView.recipe = newValue }
    }

    let bars = CropBars()
    /// Whether somebody waits for an answer: the screen was shown and has not answered yet.
    private var isAwaited = false
    private var isWorking = false
    /// The window whose root leads to this screen, while one does.
    private weak var window: UIWindow?

    /// A screen for a picture; the result is a picture.
    public convenience init(image: UIImage) {
      self.init(cropView: CropView())
      cropView.perform(.grid(.thirds))
      cropView.image = image
    }

    /// A screen for a picture's file; the result is a picture and a file.
    public convenience init(data: Data) {
      self.init(cropView: CropView())
      cropView.perform(.grid(.thirds))
      cropView.imageData = data
    }

    /// A screen around a crop view, which a subclass may have made.
    public init(cropView: CropView) {
      self.cropView = cropView
      super.init(nibName: nil, bundle: nil)
    }

    /// A screen from a storyboard, which is given ``cropView`` its picture later.
    public required init?(coder: NSCoder) {
      cropView = CropView()
      super.init(coder: coder)
    }

    deinit {
      // A screen that is dismissed while another covers it gets no other call.
      guard isAwaited, let onFinish else { return }
      Task { @MainActor in onFinish(nil) }
    }

    // MARK: The screen

    open override func viewDidLoad() {
      super.viewDidLoad()
      view.backgroundColor = look.ground
      cropView.delegate = self
      cropView.perform(.keepsRatio(isRatioLocked))
      bars.onTool = { [weak self] in self?.use($0) }
      bars.onRatio = { [weak self] in self?.ratio = $0 }
      bars.onTilt = { [weak self] in self?.cropView.perform(.tilt($0, $1)) }
      bars.install(
        isRatioLocked ? tools.filter { $0 != .ratio } : tools, over: cropView, in: view,
        custom: makeToolbar(), ratioPresets, words)
      update()
    }

    /// A bar of one's own in place of the bottom one; nil keeps that. Its buttons
    /// `cropView.perform(…)`.
    open func makeToolbar() -> UIView? { nil }

    open override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      presentationController?.delegate = self
      isAwaited = true
      cropView.becomeFirstResponder()
    }

    open override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      window = isHeld(by: view.window) ? view.window : nil
    }

    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      guard isAwaited else { return }
      // Swiped away with nothing to lose, popped, or gone with whatever presented it.
      if isLeaving { return answer(nil) }
      // UIKit takes the chain of presentations apart after this call. A screen that is only covered keeps it.
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
      // Escape that the crop view had no use for.
      if presses.contains(where: { $0.key?.keyCode == .keyboardEscape }) { return cancel() }
      super.pressesBegan(presses, with: event)
    }

    open override func accessibilityPerformEscape() -> Bool {
      cancel()
      return true
    }

    private func update() {
      let session = cropView.session
      bars.update(session, canFinish: session.isValid && !isWorking, words)
      isModalInPresentation = session.canUndo
    }

    private func use(_ tool: CropTool) {
      switch tool {
      case .cancel: cancel()
      case .done: finish()
      case .undo: cropView.perform(.undo)
      case .redo: cropView.perform(.redo)
      case .reset: cropView.perform(.reset)
      case .turn: cropView.perform(.turn(clockwise: true))
      case .mirror: cropView.perform(.mirror(vertically: false))
      case .ratio, .straighten: break
      }
    }

    // MARK: The end

    /// Gives up; asks first where something would be lost.
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

    /// Makes the result and closes; one that can't be made is said, and the screen stays.
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
          // The person may have given up meanwhile.
          if let result, isAwaited { close(with: result) }
        } catch {
          if isAwaited { fail(error) }
        }
      }
    }

    /// The result as it stands; nil while nothing valid is selected.
    ///
    /// - Throws: ``PictureError``.
    public func result() async throws -> CropResult? {
      guard let recipe = cropView.recipe, let image = try await cropView.croppedImage() else {
        return nil
      }
      let data = try await cropView.croppedData(quality: quality, metadata: metadata)
      let lost = data == nil ? [] : cropView.imageData.map { PictureFile($0).partsLost } ?? []
      return CropResult(image: image, data: data, recipe: recipe, lost: lost)
    }

    private func fail(_ error: any Error) {
      let alert = UIAlertController(
        title: nil, message: words.screens.cropFailed, preferredStyle: .alert)
      alert.addAction(UIAlertAction(title: words.screens.keepEditing, style: .cancel))
      present(alert, animated: true)
      delegate?.cropViewController(self, failedWith: error)
    }

    private func close(with result: CropResult?) {
      guard isAwaited else { return }
      isAwaited = false
      guard closesItself, let presentingViewController else { return answer(result) }
      presentingViewController.dismiss(animated: true) { [self] in answer(result) }
    }

    private func answer(_ result: CropResult?) {
      isAwaited = false
      onFinish?(result)
      if let result {
        delegate?.cropViewController(self, finishedWith: result)
      } else {
        delegate?.cropViewControllerCancelled(self)
      }
    }
  }

  extension CropViewController: CropViewDelegate {
    /// Follows the selection.
    public func cropView(_ view: CropView, changed recipe: CropRecipe?) { update() }
    /// Follows the history.
    public func cropViewChangedHistory(_ view: CropView) { update() }
    /// Return, or VoiceOver's magic tap.
    public func cropViewWantsCrop(_ view: CropView) { finish() }
  }

  extension CropViewController: UIAdaptivePresentationControllerDelegate {
    /// A swipe down that would throw work away.
    public func presentationControllerDidAttemptToDismiss(
      _ presentationController: UIPresentationController
    ) {
      cancel()
    }
  }

  extension CropViewController {
    /// Presents the screen for a picture and waits for the result.
    ///
    /// - Parameters:
    ///   - image: the picture.
    ///   - presenter: the controller on which the screen appears.
    ///   - prepare: sets what the screen is to offer.
    /// - Returns: the result; nil when the person gave up.
    public static func crop(
      _ image: UIImage, from presenter: UIViewController,
      prepare: (CropViewController) -> Void = { _ in }
    ) async -> CropResult? {
      await withCheckedContinuation {
        present(CropViewController(image: image), on: presenter, prepare, resuming: $0)
      }
    }

    /// The same for a picture's file; the result has a file too.
    public static func crop(
      data: Data, from presenter: UIViewController,
      prepare: (CropViewController) -> Void = { _ in }
    ) async -> CropResult? {
      await withCheckedContinuation {
        present(CropViewController(data: data), on: presenter, prepare, resuming: $0)
      }
    }

    /// Nobody but UIKit holds the screen meanwhile, so that it ends with its presentation.
    private static func present(
      _ screen: CropViewController, on presenter: UIViewController,
      _ prepare: (CropViewController) -> Void,
      resuming continuation: CheckedContinuation<CropResult?, Never>
    ) {
      prepare(screen)
      let prepared = screen.onFinish
      screen.onFinish = { result in
        prepared?(result)
        continuation.resume(returning: result)
      }
      screen.modalPresentationStyle = .fullScreen
      screen.isAwaited = true
      presenter.present(screen, animated: true, completion: nil)
      // UIKit presents nothing from a controller that presents something else.
      if screen.presentingViewController == nil, screen.isAwaited { screen.answer(nil) }
    }
  }
#endif
