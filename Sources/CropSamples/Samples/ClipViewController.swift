#if canImport(UIKit)
  import CropCore
  import CropUIKit
  import UIKit

  /// CameraDemo's clip screen: a square viewfinder over the photo, with Retake and Use.
  ///
  /// As in CameraDemo, the viewfinder keeps a distance of 1 point from the sides. It is in the
  /// middle or, for a new photo, has its top at 15 % of the height. Around it is a shade of 15 %
  /// gray at 60 % opacity, and a white edge of half a point. The photo is initially as wide as the
  /// viewfinder. The user pans and pinches freely, and the photo springs back in 0.3 s. A photo
  /// that is lower than the viewfinder gives a square of its height, which the frame then shows.
  ///
  /// Unlike in CameraDemo, a pinch zooms about the fingers, the result always matches the
  /// viewfinder's edges, and momentum, narrow photos, device rotation and undo are supported.
  #if canImport(ObjectiveC)
    @objc(ClipViewController)
    @objcMembers
  #endif
  open class ClipViewController: UIViewController {
    /// The photo to clip, as an image.
    public var image: UIImage? {
      get { cropView.image }
      set { cropView.image = newValue }
    }

    /// The photo to clip, as the bytes of a file.
    public var imageData: Data? {
      get { cropView.imageData }
      set { cropView.imageData = newValue }
    }

    /// Whether the photo was just taken; the viewfinder is then higher.
    public var isFresh = false {
      didSet { cropView.execute(.viewfinderTop(isFresh ? 0.15 : nil)) }
    }

    /// Called when the user taps Retake (for a new photo) or Cancel (for another), to choose a
    /// different photo.
    public var onRetake: (() -> Void)?
    /// Called with the clipped photo.
    public var onUse: ((UIImage) -> Void)?
    /// The texts on the screen.
    public var words = CropWords.preferred {
      didSet { cropView.words = words }
    }

    /// The file of the clipped photo, including metadata, while ``onUse`` is called; nil unless
    /// ``imageData`` was set.
    public private(set) var usedFile: Data?

    private var isWorking = false

    /// The view in which the user clips the photo.
    public let cropView = CropView()
    /// The view without 1 point on each side.
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
      cropView.execute(.cover(.fit))
      cropView.execute(.ratio(.fixed(.square)))
      // A photo from an album can't be retaken.
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

    /// The user tapped Use.
    func used(_ image: UIImage) {
      onUse?(image)
    }

    /// The user tapped Retake or Cancel.
    func leave() {
      onRetake?()
    }

    private func use() {
      // Ignores a second tap.
      guard !isWorking else { return }
      isWorking = true
      cropView.isUserInteractionEnabled = false
      Task {
        defer {
          isWorking = false
          cropView.isUserInteractionEnabled = true
        }
        do {
          guard let result = try await cropView.result() else { return }
          usedFile = result.data
          used(result.image)
        } catch {
          reportFailure(words.screens)
        }
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
