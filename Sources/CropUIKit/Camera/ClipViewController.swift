#if canImport(UIKit)
  import CropCore
  import UIKit

  /// CameraDemo's clip screen: a square viewfinder over the picture, Retake and Use.
  ///
  /// Kept: the viewfinder a point from the sides, in the middle or, for a fresh photo, with its top at
  /// 15 % of the height; 15 % grey at 60 % around it, an edge of half a point in white; the picture
  /// as wide as the viewfinder at first; pan and pinch freely, springing back in 0.3 s; a picture
  /// lower than the viewfinder gives a square of its height, which the frame then shows.
  ///
  /// Better: pinching is about the fingers, the edges always end up right, momentum, narrow strips,
  /// device rotation, undo.
  #if canImport(ObjectiveC)
    @objc(ClipViewController)
    @objcMembers
  #endif
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

    /// Whether the picture was just taken: then the viewfinder lies higher.
    public var isFresh = false {
      didSet { cropView.perform(.viewfinderTop(isFresh ? 0.15 : nil)) }
    }

    /// Called when the person wants another picture: by Retake for a fresh one, else by Cancel.
    public var onRetake: (() -> Void)?
    /// Called with the clipped picture.
    public var onUse: ((UIImage) -> Void)?
    /// The words on the screen.
    public var words = CropWords.preferred {
      didSet { cropView.words = words }
    }

    /// The clipped picture's file, metadata included, while ``onUse`` is called; nil unless
    /// ``imageData`` was set.
    public private(set) var usedFile: Data?

    private var isWorking = false

    /// The view that does the work.
    public let cropView = CropView()
    /// The view without a point at each side.
    private let layoutGuide = UILayoutGuide()

    /// A screen to present.
    public override init(nibName: String? = nil, bundle: Bundle? = nil) {
      super.init(nibName: nibName, bundle: bundle)
      overrideUserInterfaceStyle = .dark
    }

    /// A screen from a storyboard.
    public required init?(coder: NSCoder) {
      super.init(coder: coder)
      overrideUserInterfaceStyle = .dark
    }

    open override func viewDidLoad() {
      super.viewDidLoad()
      view.backgroundColor = .black
      cropView.style = .viewfinder
      cropView.look = .clipScreen
      cropView.perform(.cover(.fit))
      cropView.perform(.ratio(.fixed(.square)))
      // A photo from the album can't be taken again.
      let again = isFresh ? words.screens.retake : words.screens.cancel
      let retake = button(again) { $0.leave() }
      let use = button(words.screens.use) { $0.use() }
      view.addLayoutGuide(layoutGuide)
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
        layoutGuide.topAnchor.constraint(equalTo: view.topAnchor),
        layoutGuide.bottomAnchor.constraint(equalTo: view.bottomAnchor),
        layoutGuide.leftAnchor.constraint(equalTo: view.leftAnchor, constant: 1),
        layoutGuide.rightAnchor.constraint(equalTo: view.rightAnchor, constant: -1),
        retake.leadingAnchor.constraint(equalTo: area.leadingAnchor, constant: 16),
        retake.bottomAnchor.constraint(equalTo: area.bottomAnchor, constant: -16),
        use.trailingAnchor.constraint(equalTo: area.trailingAnchor, constant: -16),
        use.bottomAnchor.constraint(equalTo: area.bottomAnchor, constant: -16),
      ])
    }

    open override func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      cropView.layoutArea = layoutGuide.layoutFrame
    }

    /// The person has pressed Use.
    func used(_ image: UIImage) {
      onUse?(image)
    }

    /// The person has pressed Retake or Cancel.
    func leave() {
      onRetake?()
    }

    private func use() {
      // Two presses are one.
      guard !isWorking else { return }
      isWorking = true
      Task {
        defer { isWorking = false }
        guard let image = try? await cropView.croppedImage() else { return }
        usedFile = try? await cropView.croppedData()
        used(image)
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
