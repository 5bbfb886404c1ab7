import CropUIKit
import UIKit

/// A profile's picture that is cropped in UIKit: with one call, from the library, and with a delegate.
final class ProfileController: UIViewController, CropViewControllerDelegate {
  let portrait = UIImageView(frame: .zero)
  private(set) var stored: CropRecipe?

  func chooseFromLibrary() {
    Task {
      let result = try await CropViewController.cropFromLibrary(from: self) {
        $0.ratio = .fixed(.square)
        $0.shape = .ellipse
      }
      if let result { portrait.image = result.image }
    }
  }

  func crop(_ photo: UIImage) async {
    let result = await CropViewController.crop(photo, from: self) { $0.isRatioLocked = true }
    portrait.image = result?.image ?? photo
  }

  func straighten(_ file: Data) {
    let screen = CropViewController(data: file)
    screen.delegate = self
    screen.sourceView = portrait
    screen.recipe = CropRecipe(tilt: CropAngle(degrees: 2))
    screen.canvas = ResultCanvas(.ratio(.square), margin: .percent(5), fill: .blur)
    present(screen, animated: true)
  }

  func cropViewController(_ controller: CropViewController, didFinishWith result: CropResult) {
    portrait.image = result.image
    stored = result.recipe
  }
}
