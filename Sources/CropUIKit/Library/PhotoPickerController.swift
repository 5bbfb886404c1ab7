#if canImport(UIKit)
  import UIKit

  /// CameraDemo's albums: a list of albums and the camera roll, a grid of thumbnails, the photo
  /// that is chosen.
  ///
  /// Kept: every user album, then the camera roll; the lists keep assets, not pictures; each cell
  /// asks for its own thumbnail; the full picture is loaded only when chosen. Better: what left the
  /// screen is not loaded any more; the original file comes, not a copy in screen size; refused
  /// access says what to do; the lists follow the library; Dynamic Type, dark mode, right to left.
  ///
  /// The app's Info.plist needs `NSPhotoLibraryUsageDescription`.
  open class PhotoPickerController: UINavigationController {
    /// Called with the chosen photo's file; nil when the person gave up.
    public var onPick: ((Data?) -> Void)?
    /// The words on the screens.
    public var words = CropWords.preferred

    private var hasAnswered = false

    open override func viewDidLoad() {
      super.viewDidLoad()
      let albums = AlbumViewController(style: .plain)
      albums.words = words
      albums.onPick = { [weak self] in self?.answer($0) }
      albums.navigationItem.leftBarButtonItem = UIBarButtonItem(
        primaryAction: UIAction(title: words.screens.cancel) { [weak self] _ in
          self?.answer(nil)
        })
      setViewControllers([albums], animated: false)
    }

    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      // Swiped away, or gone with whatever presented it.
      if isLeaving, !hasAnswered { answer(nil) }
    }

    private func answer(_ photo: Data?) {
      hasAnswered = true
      onPick?(photo)
    }
  }
#endif
