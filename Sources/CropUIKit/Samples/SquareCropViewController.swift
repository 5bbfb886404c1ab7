#if canImport(UIKit)
  import CropCore
  import UIKit

  /// The square cropper: a square viewfinder as large as the smaller side, shaded blockers around it,
  /// the picture sliding and zooming beneath.
  ///
  /// Kept: constraints alone place the ``viewfinderGuide`` and the four ``blockers`` (those on the small
  /// axis shrink to nothing), so that a subclass moves the viewfinder by other constraints; the
  /// picture's small side fits the viewfinder at first; the result is the square at full resolution.
  ///
  /// Better: what the blockers shade is drawn by the scene; momentum and bounce; device rotation
  /// keeps the same part in the viewfinder. Presented alone it has its own buttons and closes itself; on a
  /// navigation controller its buttons are in the bar and the app closes it.
  #if canImport(ObjectiveC)
    @objc(SquareCropViewController)
    @objcMembers
  #endif
  open class SquareCropViewController: UIViewController {
    /// The picture to crop.
    public var image: UIImage? {
      get { cropView.image }
      set { cropView.image = newValue }
    }

    /// The picture to crop, as the sample calls it.
    public var imageToCrop: UIImage? {
      get { image }
      set { image = newValue }
    }

    /// Called with the square when the person has pressed Crop, with nil for Cancel.
    public var onFinish: ((UIImage?) -> Void)?
    /// Called with the square when the person has pressed Crop.
    public var cropCompletionHandler: ((UIImage) -> Void)?
    /// Called when the person has pressed Cancel, or swiped the screen away.
    public var cancelCompletionHandler: (() -> Void)?
    /// The words on the screen.
    public var words = CropWords.preferred {
      didSet { cropView.words = words }
    }

    /// The view that does the work.
    public let cropView = CropView()
    /// Where the viewfinder lies.
    public let viewfinderGuide = UILayoutGuide()
    /// From the viewfinder to the top, left, bottom and right edge.
    public let blockers = [UILayoutGuide(), UILayoutGuide(), UILayoutGuide(), UILayoutGuide()]

    private var hasAnswered = false

    open override func viewDidLoad() {
      super.viewDidLoad()
      cropView.style = .viewfinder
      cropView.perform(.ratio(.fixed(.square)))
      cropView.perform(.cover(.fill))
      cropView.translatesAutoresizingMaskIntoConstraints = false
      view.addSubview(cropView)
      for guide in [viewfinderGuide] + blockers { view.addLayoutGuide(guide) }
      NSLayoutConstraint.activate(
        viewfinderConstraints() + blockerConstraints() + [
          cropView.topAnchor.constraint(equalTo: view.topAnchor),
          cropView.bottomAnchor.constraint(equalTo: view.bottomAnchor),
          cropView.leftAnchor.constraint(equalTo: view.leftAnchor),
          cropView.rightAnchor.constraint(equalTo: view.rightAnchor),
        ])
      if navigationController == nil { addButtons() } else { addBarButtons() }
    }

    open override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      hasAnswered = false
    }

    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      // Swiped away, or gone with whatever presented it.
      if isLeaving, !hasAnswered { answer(nil) }
    }

    private func addBarButtons() {
      let words = words.screens
      navigationItem.leftBarButtonItem = UIBarButtonItem(
        primaryAction: UIAction(title: words.cancel) { [weak self] _ in self?.finish(nil) })
      navigationItem.rightBarButtonItem = UIBarButtonItem(
        primaryAction: UIAction(title: words.crop) { [weak self] _ in self?.finish() })
    }

    /// Presented alone there is no bar: three buttons lie over the picture, on a dark ground each.
    private func addButtons() {
      let words = words.screens
      let cancel = button(words.cancel) { $0.finish(nil) }
      let rotate = button(words.turn) { $0.rotate() }
      let crop = button(words.crop) { $0.finish() }
      let area = view.safeAreaLayoutGuide
      for button in [cancel, rotate, crop] {
        button.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(button)
        button.bottomAnchor.constraint(equalTo: area.bottomAnchor, constant: -16).isActive = true
      }
      NSLayoutConstraint.activate([
        cancel.leadingAnchor.constraint(equalTo: area.leadingAnchor, constant: 16),
        rotate.centerXAnchor.constraint(equalTo: area.centerXAnchor),
        crop.trailingAnchor.constraint(equalTo: area.trailingAnchor, constant: -16),
      ])
    }

    private func button(
      _ title: String, _ action: @escaping (SquareCropViewController) -> Void
    ) -> UIButton {
      var configuration = UIButton.Configuration.gray()
      configuration.title = title
      let button = UIButton(
        configuration: configuration,
        primaryAction: UIAction { [weak self] _ in
          if let self { action(self) }
        })
      button.heightAnchor.constraint(greaterThanOrEqualToConstant: 44).isActive = true
      return button
    }

    open override func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      cropView.layoutArea = viewfinderGuide.layoutFrame
    }

    /// The constraints that place the viewfinder: a square, as large as fits, in the middle.
    open func viewfinderConstraints() -> [NSLayoutConstraint] {
      let across = viewfinderGuide.widthAnchor.constraint(equalTo: view.widthAnchor)
      let down = viewfinderGuide.heightAnchor.constraint(equalTo: view.heightAnchor)
      for constraint in [across, down] { constraint.priority = .defaultHigh }
      return [
        viewfinderGuide.centerXAnchor.constraint(equalTo: view.centerXAnchor),
        viewfinderGuide.centerYAnchor.constraint(equalTo: view.centerYAnchor),
        viewfinderGuide.widthAnchor.constraint(equalTo: viewfinderGuide.heightAnchor),
        viewfinderGuide.widthAnchor.constraint(lessThanOrEqualTo: view.widthAnchor),
        viewfinderGuide.heightAnchor.constraint(lessThanOrEqualTo: view.heightAnchor),
        across, down,
      ]
    }

    /// The constraints that let each blocker reach from the viewfinder to its edge.
    open func blockerConstraints() -> [NSLayoutConstraint] {
      let (top, left, bottom, right) = (blockers[0], blockers[1], blockers[2], blockers[3])
      return [
        top.topAnchor.constraint(equalTo: view.topAnchor),
        top.bottomAnchor.constraint(equalTo: viewfinderGuide.topAnchor),
        top.leftAnchor.constraint(equalTo: view.leftAnchor),
        top.rightAnchor.constraint(equalTo: view.rightAnchor),
        bottom.topAnchor.constraint(equalTo: viewfinderGuide.bottomAnchor),
        bottom.bottomAnchor.constraint(equalTo: view.bottomAnchor),
        bottom.leftAnchor.constraint(equalTo: view.leftAnchor),
        bottom.rightAnchor.constraint(equalTo: view.rightAnchor),
        left.topAnchor.constraint(equalTo: viewfinderGuide.topAnchor),
        left.bottomAnchor.constraint(equalTo: viewfinderGuide.bottomAnchor),
        left.leftAnchor.constraint(equalTo: view.leftAnchor),
        left.rightAnchor.constraint(equalTo: viewfinderGuide.leftAnchor),
        right.topAnchor.constraint(equalTo: viewfinderGuide.topAnchor),
        right.bottomAnchor.constraint(equalTo: viewfinderGuide.bottomAnchor),
        right.leftAnchor.constraint(equalTo: viewfinderGuide.rightAnchor),
        right.rightAnchor.constraint(equalTo: view.rightAnchor),
      ]
    }

    /// The square at full resolution.
    open func crop() async -> UIImage? {
      try? await cropView.croppedImage()
    }

    /// Turns the picture by a quarter turn clockwise.
    open func rotate() {
      cropView.perform(.turn(clockwise: true))
    }

    private func finish() {
      Task {
        // Where memory is short the screen stays, and can be tried again.
        if let square = await crop() { finish(square) }
      }
    }

    /// Closes a screen that was presented alone, and answers.
    private func finish(_ square: UIImage?) {
      guard navigationController == nil, let presentingViewController else { return answer(square) }
      // Two presses are one.
      guard !hasAnswered else { return }
      hasAnswered = true
      presentingViewController.dismiss(animated: true) { [self] in answer(square) }
    }

    private func answer(_ square: UIImage?) {
      hasAnswered = true
      onFinish?(square)
      if let square { cropCompletionHandler?(square) } else { cancelCompletionHandler?() }
    }
  }
#endif
