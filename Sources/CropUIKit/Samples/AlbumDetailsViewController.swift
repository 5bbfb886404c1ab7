#if canImport(UIKit)
  import CropCore
  import UIKit

  /// CameraDemo's clip screen for a photo from the album.
  ///
  /// Kept: `image`, `pictureSelectedBlock`, called when the person uses the picture; then the screen
  /// closes; then ``pictureFromAlbum`` is posted with the clipped picture under `image`. Better:
  /// ``ClipViewController/imageData`` keeps the metadata; `onUse` hands the picture over without a
  /// notification.
  #if canImport(ObjectiveC)
    @objc(AlbumDetailsViewController)
    @objcMembers
  #endif
  open class AlbumDetailsViewController: ClipViewController {
    /// `PicutreFromAlbum`, as CameraDemo spells it.
    public nonisolated static let pictureFromAlbum = Notification.Name("PicutreFromAlbum")
    /// The key of the picture, a `UIImage`, in the notification's `userInfo`.
    public nonisolated static let imageKey = "image"

    /// Called when the person uses the picture, before the screen closes.
    public var pictureSelectedBlock: (() -> Void)?

    /// Who closes this screen and all under it; nil is whoever presented it.
    weak var closer: UIViewController?

    override func used(_ image: UIImage) {
      pictureSelectedBlock?()
      close { [self] in
        onUse?(image)
        NotificationCenter.default.post(
          name: Self.pictureFromAlbum, object: nil, userInfo: [Self.imageKey: image])
      }
    }

    override func leave() {
      if let onRetake { return onRetake() }
      presentingViewController?.dismiss(animated: true, completion: nil)
    }

    private func close(then tell: @escaping () -> Void) {
      guard let closer = closer ?? presentingViewController else { return tell() }
      closer.dismiss(animated: true, completion: tell)
    }
  }
#endif
