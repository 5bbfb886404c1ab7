#if canImport(UIKit)
  import CropCore
  import CropUIKit
  import UIKit

  /// The square cropper: a square viewfinder as large as the smaller side, shaded blockers around
  /// it, and an image that moves and zooms beneath.
  ///
  /// As in the sample, only constraints position the ``viewfinderGuide`` and the four ``blockers``
  /// (those on the shorter axis shrink to nothing), so that a subclass can move the viewfinder with
  /// other constraints. The shorter side of the image initially fits the viewfinder, and the result
  /// is the square at full resolution.
  ///
  /// Unlike in the sample, drags have momentum and bounce, and device rotation keeps the same part in
  /// the viewfinder. If the screen is presented,
  /// it has buttons and closes itself. On a navigation controller, its buttons are in the bar and
  /// the app closes it.
  #if canImport(ObjectiveC)
    @objc(SquareCropViewController)
    @objcMembers
  #endif
  open class SquareCropViewController: UIViewController {
    /// The image to crop.
    public var image: UIImage? {
      get { cropView.image }
      set { cropView.image = newValue }
    }

    /// The image to crop, under the sample's name.
    public var imageToCrop: UIImage? {
      get { image }
      set { image = newValue }
    }

    /// Called with the square when the user taps Crop, and with nil for Cancel.
    public var onFinish: ((UIImage?) -> Void)?
    /// Called with the square when the user taps Crop.
    public var cropCompletionHandler: ((UIImage) -> Void)?
    /// Called when the user taps Cancel or swipes the screen away.
    public var cancelCompletionHandler: (() -> Void)?
    /// The texts on the screen.
    public var words = CropWords.preferred {
      didSet { cropView.words = words }
    }

    /// The view in which the user crops.
    public let cropView = CropView()
    /// The position of the viewfinder.
    public let viewfinderGuide = UILayoutGuide()
    /// The shaded views between the viewfinder and the top, left, bottom and right edge. Set their
    /// `backgroundColor` for another shade.
    public let blockers = [UIView(), UIView(), UIView(), UIView()]
    /// Whether the screen closes itself before it reports, if it was presented.
    public var closesItself = true

    private var hasAnswered = false
    private var isWorking = false

    open override func viewDidLoad() {
      super.viewDidLoad()
      cropView.style = .viewfinder
      cropView.execute(.ratio(.fixed(.square)))
      cropView.execute(.cover(.fill))
      cropView.translatesAutoresizingMaskIntoConstraints = false
      view.addSubview(cropView)
      // The blockers shade.
      cropView.look.shadeOpacity = 0
      view.addLayoutGuide(viewfinderGuide)
      for blocker in blockers {
        blocker.backgroundColor = UIColor(white: 0, alpha: 0.65)
        blocker.isUserInteractionEnabled = false
        blocker.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(blocker)
      }
      NSLayoutConstraint.activate(viewfinderConstraints())
      NSLayoutConstraint.activate(blockerConstraints())
      NSLayoutConstraint.activate([
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
      // Dismissed by a swipe, or together with its presenter.
      if isLeaving, !hasAnswered { answer(nil) }
    }

    private func addBarButtons() {
      let words = words.screens
      navigationItem.leftBarButtonItem = UIBarButtonItem(
        primaryAction: UIAction(title: words.cancel) { [weak self] _ in self?.finish(nil) })
      navigationItem.rightBarButtonItem = UIBarButtonItem(
        primaryAction: UIAction(title: words.crop) { [weak self] _ in self?.finish() })
    }

    /// Adds three buttons over the image, each on a dark background, because a presented screen has
    /// no bar.
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

    /// The constraints that position the viewfinder: a centered square, as large as it fits.
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

    /// The constraints that extend each blocker from the viewfinder to its edge.
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

    /// Crops the image to the square at full resolution.
    open func crop() async -> UIImage? {
      try? await cropView.croppedImage()
    }

    /// Turns the image by 90° clockwise.
    open func rotate() {
      cropView.execute(.turn(clockwise: true))
    }

    private func finish() {
      // Ignores a second tap.
      guard !isWorking else { return }
      isWorking = true
      cropView.isUserInteractionEnabled = false
      Task {
        let square = await crop()
        isWorking = false
        cropView.isUserInteractionEnabled = true
        // If memory is short, the screen stays and the user can try again.
        if let square { finish(square) } else { reportFailure(words.screens) }
      }
    }

    /// Closes a screen that was presented, and reports the result.
    private func finish(_ square: UIImage?) {
      guard closesItself, navigationController == nil, let presentingViewController else {
        return answer(square)
      }
      // Ignores a second tap.
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
