import CropSamples
import UIKit

/// The square cropper's sample: an image, and a cropper presented without another screen.
final class SquareViewController: UIViewController {
  let imageView = UIImageView(image: SampleFiles.picture)

  override func loadView() {
    imageView.contentMode = .scaleAspectFit
    view = imageView
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "SquareCropViewController"
    view.backgroundColor = .systemBackground
    navigationItem.rightBarButtonItem = UIBarButtonItem(
      primaryAction: UIAction(title: "Crop") { [weak self] _ in self?.crop() })
  }

  private func crop() {
    let cropper = SquareCropViewController()
    cropper.imageToCrop = imageView.image
    cropper.cropCompletionHandler = { [weak self] in self?.imageView.image = $0 }
    cropper.cancelCompletionHandler = { [weak self] in self?.title = "Cancelled" }
    cropper.modalPresentationStyle = .fullScreen
    present(cropper, animated: true)
  }
}
