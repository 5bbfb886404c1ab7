#if canImport(UIKit)
  import CropUIKit
  import Photos
  import PhotosUI
  import UIKit

  /// CameraDemo's albums: all of the user's albums, then the camera roll. Push it on a navigation
  /// controller.
  ///
  /// As in CameraDemo, the list keeps assets and not images, and opens a chosen photo in an
  /// ``AlbumDetailsViewController``, whose result is posted after the screen has closed.
  ///
  /// Unlike in CameraDemo, the original photo is clipped, and the list updates with the library. A
  /// user who has allowed access to only some photos can choose more. Without permission, a message
  /// tells the user what to do, and the navigation bar stays usable.
  ///
  /// The app's Info.plist needs `NSPhotoLibraryUsageDescription`.
  #if canImport(ObjectiveC)
    @objc(AlbumViewController)
    @objcMembers
  #endif
  open class AlbumViewController: UITableViewController {
    private static let cell = "album"

    /// Called with the file of a chosen photo; if nil, the photo is opened in an
    /// ``AlbumDetailsViewController``.
    public var onPick: ((Data) -> Void)?
    /// Called with the clipped photo after its screen has closed.
    public var onUse: ((UIImage) -> Void)?
    /// The texts on the screens.
    public var words = CropWords.preferred

    private let loader = PhotoLoader()
    private let message = MessageView()
    private var observer: PhotoLibraryObserver?

    private(set) var albums: [PhotoAlbum] = [] {
      didSet { tableView.reloadData() }
    }

    open override func viewDidLoad() {
      super.viewDidLoad()
      title = words.screens.albums
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: Self.cell)
      Task { await load() }
    }

    /// Requests access once, and fetches the albums.
    private func load() async {
      let answer = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
      guard answer == .authorized || answer == .limited else {
        return say(words.screens.noPhotoAccess, words.screens.settings) { [weak self] in
          self?.view.openSettings()
        }
      }
      if answer == .limited { offerMore() }
      observer = PhotoLibraryObserver { [weak self] _ in
        Task { await self?.fetch() }
      }
      await fetch()
    }

    private func fetch() async {
      albums = await PhotoAlbum.all(cameraRoll: words.screens.cameraRoll)
    }

    /// Adds a button for users who gave the app access to only some photos.
    private func offerMore() {
      navigationItem.rightBarButtonItem = UIBarButtonItem(
        primaryAction: UIAction(title: words.screens.choosePhotos) { [weak self] _ in
          guard let self else { return }
          PHPhotoLibrary.shared().presentLimitedLibraryPicker(from: self)
        })
    }

    /// Shows a message instead of the list; the navigation bar with Cancel stays usable.
    private func say(_ text: String, _ button: String, _ action: @escaping () -> Void) {
      message.show(text, action: button, action)
      tableView.backgroundView = message
    }

    // MARK: The list

    open override func tableView(
      _ tableView: UITableView, numberOfRowsInSection section: Int
    ) -> Int {
      albums.count
    }

    open override func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      let cell = tableView.dequeueReusableCell(withIdentifier: Self.cell, for: indexPath)
      guard albums.indices.contains(indexPath.row) else { return cell }
      let album = albums[indexPath.row]
      var content = UIListContentConfiguration.valueCell()
      content.text = album.title
      content.secondaryText = album.assets.count.formatted()
      cell.contentConfiguration = content
      cell.accessoryType = .disclosureIndicator
      return cell
    }

    open override func tableView(
      _ tableView: UITableView, didSelectRowAt indexPath: IndexPath
    ) {
      guard albums.indices.contains(indexPath.row) else { return }
      let grid = PhotoGridController(albums[indexPath.row], loader: loader)
      grid.emptyText = words.screens.noPhotos
      grid.onChoose = { [weak self, weak grid] asset in self?.choose(asset, in: grid) }
      navigationController?.pushViewController(grid, animated: true)
    }

    private func choose(_ asset: PHAsset, in grid: PhotoGridController?) {
      Task {
        guard let data = await loader.original(of: asset) else {
          grid?.say(words.screens.brokenPicture, words.screens.tryAgain) { [weak self] in
            self?.choose(asset, in: grid)
          }
          return
        }
        grid?.sayNothing()
        open(data)
      }
    }

    /// Passes a photo's file to ``onPick``, or opens it in the clip screen.
    func open(_ photo: Data) {
      if let onPick { return onPick(photo) }
      let details = AlbumDetailsViewController()
      details.words = words
      details.imageData = photo
      details.modalPresentationStyle = .fullScreen
      details.onUse = { [weak self] in self?.onUse?($0) }
      details.pictureSelectedBlock = { [weak self] in
        guard let self else { return }
        navigationController?.popToViewController(self, animated: false)
      }
      present(details, animated: true, completion: nil)
    }
  }

  extension AlbumViewController {
    /// Presents CameraDemo's complete flow: albums, photo, clip screen. Then all screens close,
    /// `completion` is called, and ``AlbumDetailsViewController/pictureFromAlbum`` is posted.
    ///
    /// - Parameters:
    ///   - presenter: the controller that presents the screens.
    ///   - words: the texts on the screens.
    ///   - completion: receives the clipped photo; nil if the user cancelled.
    public static func clipPhoto(
      from presenter: UIViewController, words: CropWords = .preferred,
      completion: @escaping (UIImage?) -> Void
    ) {
      let picker = PhotoPickerController()
      picker.closesItself = false
      picker.words = words
      picker.onPick = { [weak picker, weak presenter] photo in
        guard let photo else {
          guard let presenter, presenter.presentedViewController != nil else {
            return completion(nil)
          }
          return presenter.dismiss(animated: true) { completion(nil) }
        }
        let details = AlbumDetailsViewController()
        details.words = words
        details.imageData = photo
        details.modalPresentationStyle = .fullScreen
        details.closer = presenter
        details.onUse = { completion($0) }
        picker?.present(details, animated: true, completion: nil)
      }
      presenter.present(picker, animated: true, completion: nil)
    }
  }
#endif
