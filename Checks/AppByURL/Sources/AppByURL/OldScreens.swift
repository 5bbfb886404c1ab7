import CropSamples
import UIKit

/// An app that used the samples keeps their names.
final class OldController: UIViewController, CroppableImageViewDelegateProtocol {
  private let cropView = CroppableImageView(frame: .zero)

  override func viewDidLoad() {
    super.viewDidLoad()
    cropView.cropDelegate = self
    view.addSubview(cropView)
  }

  func haveValidCropRect(_ valid: Bool) {
    title = valid ? "Crop" : nil
  }

  func clip() {
    AlbumViewController.clipPhoto(from: self) { [weak self] image in
      self?.cropView.imageToCrop = image
    }
  }
}
