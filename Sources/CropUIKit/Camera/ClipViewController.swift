#if canImport(UIKit)
  import CropCore
  import UIKit

  /// CameraDemo's clip screen: a square opening over the picture, Retake and Use.
  ///
  /// Kept: the opening a point from the sides, in the middle or, for a fresh photo, with its top at
  /// 15 % of the height; 15 % grey at 60 % around it, an edge of half a point in white; the picture
  /// as wide as the opening at first; pan and pinch freely, springing back in 0.3 s; a picture
  /// lower than the opening gives a square of its height.
  ///
  /// Better: pinching is about the fingers, the edges always end up right, momentum, narrow strips,
  /// device rotation, undo.
  open class ClipViewController: UIViewController {
    /// The picture to clip, as an image.
    public var image: UIImage? {
      get { cropView.image }
      set { cropView.image = newValue }
    }

    /// The picture to clip, as a file.
    public var imageData: Data? {
      get { cropView.imageData }
      set { cropView.imageData = newValue }
    }

    /// Whether the picture was just taken: then the opening lies higher.
    public var isFresh = false {
      didSet { cropView.perform(.openingTop(isFresh ? 0.15 : nil)) }
    }

    /// Called when the person wants another picture.
    public var onRetake: (() -> Void)?
    /// Called with the clipped picture.
    public var onUse: ((UIImage) -> Void)?
    /// The words on the screen.
    public var words = CropWords.preferred {
      didSet { cropView.words = words }
    }

    /// The view that does the work.
    public let cropView = CropView()
    /// The view without a point at each side.
    private let room = UILayoutGuide()

    open override func viewDidLoad() {
      super.viewDidLoad()
      view.backgroundColor = .black
      cropView.style = .viewfinder
      cropView.look = .clipScreen
      cropView.perform(.cover(.fit))
      cropView.perform(.ratio(.fixed(.square)))
      let retake = button(words.screens.retake) { $0.onRetake?() }
      let use = button(words.screens.use) { $0.use() }
      view.addLayoutGuide(room)
      for part in [cropView, retake, use] {
        part.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(part)
      }
      let area = view.safeAreaLayoutGuide
      NSLayoutConstraint.activate([
        cropView.topAnchor.constraint(equalTo: view.topAnchor),
        cropView.bottomAnchor.constraint(equalTo: view.bottomAnchor),
        cropView.leadingAnchor.constraint(equalTo: view.leadingAnchor),
        cropView.trailingAnchor.constraint(equalTo: view.trailingAnchor),
        room.topAnchor.constraint(equalTo: view.topAnchor),
        room.bottomAnchor.constraint(equalTo: view.bottomAnchor),
        room.leftAnchor.constraint(equalTo: view.leftAnchor, constant: 1),
        room.rightAnchor.constraint(equalTo: view.rightAnchor, constant: -1),
        retake.leadingAnchor.constraint(equalTo: area.leadingAnchor, constant: 16),
        retake.bottomAnchor.constraint(equalTo: area.bottomAnchor, constant: -16),
        use.trailingAnchor.constraint(equalTo: area.trailingAnchor, constant: -16),
        use.bottomAnchor.constraint(equalTo: area.bottomAnchor, constant: -16),
      ])
    }

    open override func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      cropView.room = room.layoutFrame
    }

    private func use() {
      Task {
        guard let image = try? await cropView.croppedImage() else { return }
        onUse?(image)
      }
    }

    private func button(
      _ title: String, _ action: @escaping (ClipViewController) -> Void
    ) -> UIButton {
      var configuration = UIButton.Configuration.plain()
      configuration.title = title
      configuration.baseForegroundColor = .white
      let button = UIButton(
        configuration: configuration,
        primaryAction: UIAction { [weak self] _ in
          if let self { action(self) }
        })
      button.heightAnchor.constraint(greaterThanOrEqualToConstant: 44).isActive = true
      return button
    }
  }
#endif
