#if canImport(UIKit)
  import CropCore
  import CropUIKit
  import UIKit

  /// CameraDemo's clip screen for a photo from an album.
  ///
  /// As in CameraDemo, `pictureSelectedBlock` is called when the user accepts the photo. Then the
  /// screen closes, and ``pictureFromAlbum`` is posted with the clipped photo under `image`.
  ///
  /// Unlike in CameraDemo, a photo that is set as ``ClipViewController/imageData`` keeps its
  /// metadata, and `onUse` passes the result without a notification.
  #if canImport(ObjectiveC)
    @objc(AlbumDetailsViewController)
    @objcMembers
  #endif
  open class AlbumDetailsViewController: ClipViewController {
    /// Posted after the screen has closed: `PicutreFromAlbum`, as CameraDemo spells it.
    public nonisolated static let pictureFromAlbum = Notification.Name("PicutreFromAlbum")
    /// The key of the photo, a `UIImage`, in the notification's `userInfo`.
    public nonisolated static let imageKey = "image"

    /// Called when the user accepts the photo, before the screen closes.
    public var pictureSelectedBlock: (() -> Void)?

    /// The controller that closes this screen and all beneath it; nil for the presenter.
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
