#if canImport(UIKit)
  import CropUIKit
  import UIKit

  /// CameraDemo's photo picker: a list of albums, a grid of thumbnails, and the chosen photo.
  ///
  /// As in CameraDemo, it lists all of the user's albums, then the camera roll. The lists keep
  /// assets and not images, each cell requests its thumbnail, and the original is loaded only when
  /// the user chooses it.
  ///
  /// Unlike in CameraDemo, requests of cells that left the screen are cancelled, the result is the
  /// original file and not a copy in screen size, and the lists update with the library. Without
  /// permission, a message tells the user what to do. Dynamic Type, dark mode and right-to-left
  /// layout are supported.
  ///
  /// The app's Info.plist needs `NSPhotoLibraryUsageDescription`.
  #if canImport(ObjectiveC)
    @objcMembers
  #endif
  open class PhotoPickerController: UINavigationController {
    /// Called with the file of the chosen photo; nil if the user cancelled.
    public var onPick: ((Data?) -> Void)?
    /// Whether the screen closes itself before it reports, if it was presented.
    public var closesItself = true
    /// The texts on the screen.
    public var words = CropWords.preferred

    private var hasAnswered = false

    open override func viewDidLoad() {
      super.viewDidLoad()
      let albums = AlbumViewController(style: .plain)
      albums.words = words
      albums.onPick = { [weak self] in self?.finish($0) }
      albums.navigationItem.leftBarButtonItem = UIBarButtonItem(
        primaryAction: UIAction(title: words.screens.cancel) { [weak self] _ in
          self?.finish(nil)
        })
      setViewControllers([albums], animated: false)
    }

    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      // Dismissed by a swipe, or together with its presenter.
      if isLeaving, !hasAnswered { answer(nil) }
    }

    /// Closes a screen that was presented, and reports the photo.
    private func finish(_ photo: Data?) {
      guard closesItself, let presentingViewController else { return answer(photo) }
      hasAnswered = true
      presentingViewController.dismiss(animated: true) { [self] in answer(photo) }
    }

    private func answer(_ photo: Data?) {
      hasAnswered = true
      onPick?(photo)
    }
  }
#endif
