import CropSamples
import UIKit

/// CameraDemo's screen: the album or the camera, the clip screen, the clipped image.
final class CameraDemoViewController: UIViewController {
  let imageView = UIImageView(frame: .zero)
  private var token: (any NSObjectProtocol)?

  override func loadView() {
    imageView.contentMode = .scaleAspectFit
    view = imageView
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "CameraDemo"
    view.backgroundColor = .systemBackground
    navigationItem.leftBarButtonItem = UIBarButtonItem(
      primaryAction: UIAction(title: "Album") { [weak self] _ in self?.openAlbum() })
    if CameraViewController.isAvailable {
      navigationItem.rightBarButtonItem = UIBarButtonItem(
        primaryAction: UIAction(title: "Camera") { [weak self] _ in self?.openCamera() })
    }
    token = NotificationCenter.default.addObserver(
      forName: Notification.Name("PicutreFromAlbum"), object: nil, queue: nil
    ) { [weak self] note in
      let image = note.userInfo?["image"] as? UIImage
      Task { @MainActor in self?.imageView.image = image }
    }
  }

  private func openAlbum() {
    navigationController?.pushViewController(AlbumViewController(style: .plain), animated: true)
  }

  private func openCamera() {
    let camera = CameraViewController()
    camera.modalPresentationStyle = .fullScreen
    camera.onUse = { [weak self] image in
      if let image { self?.imageView.image = image }
    }
    present(camera, animated: true)
  }
}
