#if canImport(UIKit)
  import CropCore
  import UIKit

  /// The square cropper: a square opening as large as the smaller side, shaded blockers around it,
  /// the picture sliding and zooming beneath.
  ///
  /// Kept: constraints alone place the ``opening`` and the four ``blockers`` (those on the small
  /// axis shrink to nothing), so that a subclass moves the opening by other constraints; the
  /// picture's small side fits the opening at first; the result is the square at full resolution.
  ///
  /// Better: what the blockers shade is drawn by the scene; momentum and bounce; device rotation
  /// keeps the same part in the opening.
  open class SquareCropViewController: UIViewController {
    /// The picture to crop.
    public var image: UIImage? {
      get { cropView.image }
      set { cropView.image = newValue }
    }

    /// Called with the square when the person has pressed Crop, with nil for Cancel.
    public var onFinish: ((UIImage?) -> Void)?

    /// The view that does the work.
    public let cropView = CropView()
    /// Where the opening lies.
    public let opening = UILayoutGuide()
    /// From the opening to the top, left, bottom and right edge.
    public let blockers = [UILayoutGuide(), UILayoutGuide(), UILayoutGuide(), UILayoutGuide()]

    open override func loadView() {
      view = cropView
    }

    open override func viewDidLoad() {
      super.viewDidLoad()
      cropView.style = .viewfinder
      cropView.perform(.ratio(.fixed(.square)))
      cropView.perform(.cover(.fill))
      for guide in [opening] + blockers { view.addLayoutGuide(guide) }
      NSLayoutConstraint.activate(openingConstraints() + blockerConstraints())
      let words = cropView.words.screens
      navigationItem.leftBarButtonItem = UIBarButtonItem(
        primaryAction: UIAction(title: words.cancel) { [weak self] _ in self?.onFinish?(nil) })
      navigationItem.rightBarButtonItem = UIBarButtonItem(
        primaryAction: UIAction(title: words.crop) { [weak self] _ in self?.finish() })
    }

    open override func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      cropView.room = opening.layoutFrame
    }

    /// The constraints that place the opening: a square, as large as fits, in the middle.
    open func openingConstraints() -> [NSLayoutConstraint] {
      let across = opening.widthAnchor.constraint(equalTo: view.widthAnchor)
      let down = opening.heightAnchor.constraint(equalTo: view.heightAnchor)
      for constraint in [across, down] { constraint.priority = .defaultHigh }
      return [
        opening.centerXAnchor.constraint(equalTo: view.centerXAnchor),
        opening.centerYAnchor.constraint(equalTo: view.centerYAnchor),
        opening.widthAnchor.constraint(equalTo: opening.heightAnchor),
        opening.widthAnchor.constraint(lessThanOrEqualTo: view.widthAnchor),
        opening.heightAnchor.constraint(lessThanOrEqualTo: view.heightAnchor),
        across, down,
      ]
    }

    /// The constraints that let each blocker reach from the opening to its edge.
    open func blockerConstraints() -> [NSLayoutConstraint] {
      let (top, left, bottom, right) = (blockers[0], blockers[1], blockers[2], blockers[3])
      return [
        top.topAnchor.constraint(equalTo: view.topAnchor),
        top.bottomAnchor.constraint(equalTo: opening.topAnchor),
        top.leftAnchor.constraint(equalTo: view.leftAnchor),
        top.rightAnchor.constraint(equalTo: view.rightAnchor),
        bottom.topAnchor.constraint(equalTo: opening.bottomAnchor),
        bottom.bottomAnchor.constraint(equalTo: view.bottomAnchor),
        bottom.leftAnchor.constraint(equalTo: view.leftAnchor),
        bottom.rightAnchor.constraint(equalTo: view.rightAnchor),
        left.topAnchor.constraint(equalTo: opening.topAnchor),
        left.bottomAnchor.constraint(equalTo: opening.bottomAnchor),
        left.leftAnchor.constraint(equalTo: view.leftAnchor),
        left.rightAnchor.constraint(equalTo: opening.leftAnchor),
        right.topAnchor.constraint(equalTo: opening.topAnchor),
        right.bottomAnchor.constraint(equalTo: opening.bottomAnchor),
        right.leftAnchor.constraint(equalTo: opening.rightAnchor),
        right.rightAnchor.constraint(equalTo: view.rightAnchor),
      ]
    }

    /// The square at full resolution.
    open func crop() async -> UIImage? {
      try? await cropView.croppedImage()
    }

    private func finish() {
      Task { onFinish?(await crop()) }
    }
  }
#endif
