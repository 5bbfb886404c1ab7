#if canImport(UIKit)
  import AVFoundation
  import CropCore
  import UIKit

  /// CameraDemo's camera: take a picture, clip it, use it.
  ///
  /// Kept: live preview; front and back with a flip; flash automatic, on, off, shown only where
  /// there is one; tap to focus and expose with a green square; focus in the middle on start and
  /// after a flip; then the clip screen with Retake and Use; the result is saved to the album,
  /// handed to `onUse` and posted as ``pictureTaken``, and the screen closes.
  ///
  /// Better: the picture is clipped at the camera's full resolution; a refused permission says what
  /// to do; nothing blocks the screen while the camera starts.
  ///
  /// The app's Info.plist needs `NSCameraUsageDescription`, and `NSPhotoLibraryAddUsageDescription`
  /// unless ``savesToAlbum`` is false.
  open class CameraViewController: UIViewController {
    /// Posted when a picture is used; the object is the controller, ``pictureKey`` its `UIImage`.
    public static let pictureTaken = Notification.Name("CropKitPictureTaken")
    /// The key of the picture in the notification's `userInfo`.
    public static let pictureKey = "picture"

    /// Called with the clipped picture; nil when the person gave up.
    public var onUse: ((UIImage?) -> Void)?
    /// Whether used pictures are saved to the photo album.
    public var savesToAlbum = true
    /// Whether the camera that looks at the person comes first.
    public var startsInFront = false
    /// The words on the screen.
    public var words = CropWords.preferred

    private let capture = CameraCapture()
    private let preview = CameraPreview()
    private let mark = FocusMark()
    private let controls = CameraControls()
    private let message = MessageView()
    private var flash = FlashMode.auto

    open override func viewDidLoad() {
      super.viewDidLoad()
      view.backgroundColor = .black
      for part in [preview, mark, message, controls] { view.addSubview(part) }
      preview.show(capture.shown.session)
      preview.onTap = { [weak self] place, sensor in self?.focus(at: place, sensor) }
      message.isHidden = true
      controls.show(words.screens)
      controls.onShutter = { [weak self] in self?.takePicture() }
      controls.onFlip = { [weak self] in self?.flip() }
      controls.onFlash = { [weak self] in self?.nextFlash() }
      controls.onCancel = { [weak self] in self?.finish(nil) }
    }

    open override func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      for part in [preview, controls, message] { part.frame = view.bounds }
    }

    open override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      Task { await start() }
    }

    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      Task { [capture] in await capture.stop() }
    }

    // MARK: The camera

    private func start() async {
      guard await AVCaptureDevice.requestAccess(for: .video) else {
        return say(words.screens.noCameraAccess, offersSettings: true)
      }
      guard let state = await capture.start(startsInFront ? .front : .back) else {
        return say(words.screens.noCamera, offersSettings: false)
      }
      show(state)
    }

    private func show(_ state: CameraState) {
      controls.isEnabled = true
      preview.turn()
      controls.showFlash(state.hasFlash ? flash : nil, words.screens)
      mark.show(at: view.center)
    }

    private func flip() {
      let isReduced = UIAccessibility.isReduceMotionEnabled
      UIView.transition(
        with: preview, duration: isReduced ? 0 : 0.4, options: .transitionFlipFromLeft,
        animations: nil, completion: nil)
      Task {
        guard let state = await capture.flip() else { return }
        show(state)
      }
    }

    private func nextFlash() {
      flash = flash.next
      controls.showFlash(flash, words.screens)
    }

    private func focus(at place: CGPoint, _ sensor: CGPoint) {
      mark.show(at: place)
      Task { await capture.focus(at: sensor) }
    }

    private func takePicture() {
      controls.isEnabled = false
      Task {
        defer { controls.isEnabled = true }
        do {
          clip(try await capture.takePicture(flash.captureMode, preview.orientation))
        } catch {
          say(words.screens.brokenPicture, offersSettings: false)
        }
      }
    }

    // MARK: After the picture

    private func clip(_ data: Data) {
      let screen = ClipViewController()
      screen.words = words
      screen.imageData = data
      screen.isFresh = true
      screen.modalPresentationStyle = .fullScreen
      // The session resumes when this screen appears again.
      screen.onRetake = { [weak self] in self?.dismiss(animated: true, completion: nil) }
      screen.onUse = { [weak self] image in self?.use(image) }
      present(screen, animated: true, completion: nil)
    }

    private func use(_ image: UIImage) {
      if savesToAlbum { PhotoAlbum.save(image) }
      NotificationCenter.default.post(
        name: Self.pictureTaken, object: self, userInfo: [Self.pictureKey: image])
      finish(image)
    }

    private func finish(_ image: UIImage?) {
      onUse?(image)
      // From the presenter: the clip screen on top closes with this one.
      presentingViewController?.dismiss(animated: true, completion: nil)
    }

    private func say(_ text: String, offersSettings: Bool) {
      controls.isEnabled = false
      message.isHidden = false
      message.show(text, action: offersSettings ? words.screens.settings : nil) {
        SystemSettings.open()
      }
    }
  }
#endif
