import CropSamples
import CropUIKit
import UIKit

/// CropImg's screen: choose an image, draw a rectangle on it, crop it, save the result.
final class CropImgViewController: UIViewController, CroppableImageViewDelegateProtocol {
  private let cropView = CroppableImageView(frame: .zero)
  private let shutter = Shutter()
  private lazy var sourceButton = UIBarButtonItem(
    primaryAction: UIAction(title: "Picture") { [weak self] _ in self?.chooseSource() })
  private lazy var cropButton = UIBarButtonItem(
    primaryAction: UIAction(title: "Crop") { [weak self] _ in self?.crop() })
  /// Whether results go to the documents folder, which is the user's choice.
  private var savesToDocuments = false

  override func loadView() {
    view = cropView
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "CropImg"
    navigationItem.leftBarButtonItem = sourceButton
    navigationItem.rightBarButtonItem = cropButton
    cropButton.isEnabled = false
    cropView.cropDelegate = self
    cropView.imageToCrop = SampleFiles.picture
  }

  func haveValidCropRect(_ valid: Bool) {
    cropButton.isEnabled = valid
  }

  // MARK: Choosing an image

  private func chooseSource() {
    let sheet = UIAlertController(title: nil, message: nil, preferredStyle: .actionSheet)
    add("Sample image", to: sheet) { $0.cropView.imageToCrop = SampleFiles.picture }
    if CameraViewController.isAvailable {
      add("Take a new photo", to: sheet) { $0.takePicture() }
    }
    add("Select from the library", to: sheet) { $0.choosePhoto() }
    add(savesToDocuments ? "Save to the album" : "Save to documents", to: sheet) {
      $0.savesToDocuments = !$0.savesToDocuments
    }
    sheet.addAction(UIAlertAction(title: "Cancel", style: .cancel))
    // On wide screens the sheet is a popover.
    sheet.popoverPresentationController?.barButtonItem = sourceButton
    present(sheet, animated: true)
  }

  private func takePicture() {
    let camera = CameraViewController()
    camera.startsInFront = true
    camera.savesToAlbum = false
    camera.modalPresentationStyle = .fullScreen
    camera.onUse = { [weak self] image in
      if let image { self?.cropView.imageToCrop = image }
    }
    present(camera, animated: true)
  }

  private func choosePhoto() {
    let picker = PhotoPickerController()
    picker.onPick = { [weak self] data in
      if let data { self?.cropView.imageData = data }
    }
    present(picker, animated: true)
  }

  // MARK: The result

  /// Flash and sound at the tap, then the crop, the file, and a message about the outcome.
  private func crop() {
    shutter.release(over: cropView)
    guard let result = cropView.croppedImage() else {
      return say("The image is too large to be cropped here.")
    }
    Task {
      do {
        if savesToDocuments {
          try saveToDocuments(result)
        } else {
          // Asks for permission now, when the reason is obvious.
          try await PhotoAlbum.save(result)
        }
        say(savesToDocuments ? "Saved to documents." : "Saved to the album.")
      } catch PictureError.noAccess {
        say("The photo was not saved. Allow adding photos in Settings.")
      } catch {
        say("The photo could not be saved. \(error.localizedDescription)")
      }
    }
  }

  /// Saves as JPEG of quality 0.9, under a unique name.
  private func saveToDocuments(_ image: UIImage) throws {
    guard let data = image.jpegData(compressionQuality: 0.9) else {
      throw PictureError.unwritable
    }
    let folder = try FileManager.default.url(
      for: .documentDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    let file = folder.appendingPathComponent("Crop \(UUID().uuidString).jpg")
    try data.write(to: file, options: .atomic)
  }

  private func say(_ text: String) {
    let alert = UIAlertController(title: nil, message: text, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .default))
    present(alert, animated: true)
  }

  private func add(
    _ title: String, to sheet: UIAlertController,
    _ action: @escaping (CropImgViewController) -> Void
  ) {
    sheet.addAction(
      UIAlertAction(title: title, style: .default) { [weak self] _ in
        if let self { action(self) }
      })
  }
}
