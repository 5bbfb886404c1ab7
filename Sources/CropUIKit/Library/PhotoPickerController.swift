#if canImport(UIKit)
  import Photos
  import UIKit

  /// CameraDemo's albums: a list of albums and the camera roll, a grid of thumbnails, the photo
  /// that is chosen.
  ///
  /// Kept: every user album, then the camera roll; the lists keep assets, not pictures; each cell
  /// asks for its own thumbnail; the full picture is loaded only when chosen. Better: what left the
  /// screen is not loaded any more; the original file comes, not a copy in screen size; refused
  /// access says what to do; Dynamic Type, dark mode, right to left.
  ///
  /// The app's Info.plist needs `NSPhotoLibraryUsageDescription`.
  open class PhotoPickerController: UINavigationController {
    /// Called with the chosen photo's file; nil when the person gave up.
    public var onPick: ((Data?) -> Void)?
    /// The words on the screens.
    public var words = CropWords.preferred

    private let message = MessageView()
    private let loader = PhotoLoader()

    open override func viewDidLoad() {
      super.viewDidLoad()
      message.isHidden = true
      view.addSubview(message)
      let albums = AlbumListController(style: .plain)
      albums.title = words.screens.albums
      albums.onChoose = { [weak self] in self?.open($0) }
      albums.navigationItem.leftBarButtonItem = UIBarButtonItem(
        primaryAction: UIAction(title: words.screens.cancel) { [weak self] _ in
          self?.onPick?(nil)
        })
      setViewControllers([albums], animated: false)
      Task { await load(albums) }
    }

    open override func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      message.frame = view.bounds
    }

    private func load(_ list: AlbumListController) async {
      let answer = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
      guard answer == .authorized || answer == .limited else {
        return say(words.screens.noPhotoAccess, words.screens.settings) { SystemSettings.open() }
      }
      list.albums = PhotoAlbum.all(cameraRoll: words.screens.cameraRoll)
    }

    private func open(_ album: PhotoAlbum) {
      let grid = PhotoGridController(album, loader: loader)
      grid.emptyText = words.screens.noPhotos
      grid.onChoose = { [weak self] in self?.choose($0) }
      pushViewController(grid, animated: true)
    }

    private func choose(_ asset: PHAsset) {
      Task {
        guard let data = await loader.original(of: asset) else {
          return say(words.screens.brokenPicture, words.screens.cancel) { [message] in
            message.isHidden = true
          }
        }
        onPick?(data)
      }
    }

    private func say(_ text: String, _ button: String, _ action: @escaping () -> Void) {
      message.isHidden = false
      message.show(text, action: button, action)
    }
  }
#endif
