import CropCore
import CropUIKit
import UIKit

/// CropImg's screen: choose a picture, draw a rectangle on it, crop it, keep the result.
final class SampleViewController: UIViewController, CroppableImageViewDelegateProtocol {
  private let cropView = CroppableImageView(frame: .zero)
  private let shutter = Shutter()
  private lazy var sourceButton = UIBarButtonItem(
    primaryAction: UIAction(title: "Picture") { [weak self] _ in self?.chooseSource() })
  private lazy var cropButton = UIBarButtonItem(
    primaryAction: UIAction(title: "Crop") { [weak self] _ in self?.crop() })

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

  // MARK: The picture

  private func chooseSource() {
    let sheet = UIAlertController(title: nil, message: nil, preferredStyle: .actionSheet)
    add("Sample image", to: sheet) { $0.cropView.imageToCrop = SampleFiles.picture }
    // The camera's screen says so where there is no camera.
    add("Take a new picture", to: sheet) { $0.takePicture() }
    add("Select from the library", to: sheet) { $0.choosePhoto() }
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
      self?.dismiss(animated: true)
    }
    present(picker, animated: true)
  }

  // MARK: The result

  private func crop() {
    shutter.release(over: cropView)
    guard let result = cropView.croppedImage() else { return }
    let sheet = UIAlertController(title: nil, message: nil, preferredStyle: .actionSheet)
    add("Save to the album", to: sheet) { _ in PhotoAlbum.save(result) }
    add("Save to documents", to: sheet) { $0.saveToDocuments(result) }
    sheet.addAction(UIAlertAction(title: "Cancel", style: .cancel))
    sheet.popoverPresentationController?.barButtonItem = cropButton
    present(sheet, animated: true)
  }

  /// Saves as JPEG of quality 0.9, under a name of its own.
  private func saveToDocuments(_ image: UIImage) {
    do {
      guard let data = image.jpegData(compressionQuality: 0.9) else {
        throw PictureError.unwritable
      }
      let folder = try FileManager.default.url(
        for: .documentDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
      let file = folder.appendingPathComponent("Crop \(UUID().uuidString).jpg")
      try data.write(to: file, options: .atomic)
    } catch {
      say("The picture could not be saved. \(error.localizedDescription)")
    }
  }

  private func say(_ text: String) {
    let alert = UIAlertController(title: nil, message: text, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .default))
    present(alert, animated: true)
  }

  private func add(
    _ title: String, to sheet: UIAlertController,
    _ action: @escaping (SampleViewController) -> Void
  ) {
    sheet.addAction(
      UIAlertAction(title: title, style: .default) { [weak self] _ in
        if let self { action(self) }
      })
  }
}
