import CropSamples
import UIKit

/// MMSCropView's sample: drag on the image, crop, see the result below.
final class MMSViewController: UIViewController {
  let imageView = MMSCropImageView(image: SampleFiles.picture)
  let croppedView = UIImageView(frame: .zero)

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "MMSCropView"
    view.backgroundColor = .systemBackground
    croppedView.contentMode = .scaleAspectFit
    let area = view.safeAreaLayoutGuide
    for part in [imageView, croppedView] {
      part.translatesAutoresizingMaskIntoConstraints = false
      view.addSubview(part)
      part.leadingAnchor.constraint(equalTo: area.leadingAnchor).isActive = true
      part.trailingAnchor.constraint(equalTo: area.trailingAnchor).isActive = true
    }
    NSLayoutConstraint.activate([
      imageView.topAnchor.constraint(equalTo: area.topAnchor),
      imageView.heightAnchor.constraint(equalTo: croppedView.heightAnchor),
      croppedView.topAnchor.constraint(equalTo: imageView.bottomAnchor, constant: 8),
      croppedView.bottomAnchor.constraint(equalTo: area.bottomAnchor),
    ])
    navigationItem.leftBarButtonItem = UIBarButtonItem(
      primaryAction: UIAction(title: "Look") { [imageView] _ in
        imageView.usesArticleLook = !imageView.usesArticleLook
      })
    navigationItem.rightBarButtonItem = UIBarButtonItem(
      primaryAction: UIAction(title: "Crop") { [imageView, croppedView] _ in
        croppedView.image = imageView.crop()
      })
  }
}
