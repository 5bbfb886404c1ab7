#if canImport(UIKit) && !os(visionOS)
  import AVFoundation
  import CropCore
  import CropUIKit
  import Foundation
  import UIKit

  /// CameraDemo's camera: the user takes a photo, clips it and uses it.
  ///
  /// As in CameraDemo, it has a live preview, a button to flip between front and back, and the
  /// flash modes automatic, on and off if there is a flash. A tap focuses and exposes there and
  /// shows a green square; after the start and a flip, it focuses in the middle. The clip screen
  /// with Retake and Use follows. The result is saved to the album, passed to `onUse` and posted as
  /// ``pictureTaken``, and the screen closes.
  ///
  /// Unlike CameraDemo, the photo is clipped at the sensor's full resolution and keeps its
  /// metadata. Without permission, a message tells the user what to do. A failed shot can be
  /// retried, the camera resumes after an interruption such as a call, Retake uses the same camera,
  /// and the screen is not blocked while the camera starts. Gain maps (HDR) and depth are not in
  /// the result.
  ///
  /// The app's Info.plist needs `NSCameraUsageDescription`, and `NSPhotoLibraryAddUsageDescription`
  /// unless ``savesToAlbum`` is false.
  #if canImport(ObjectiveC)
    @objcMembers
  #endif
  open class CameraViewController: UIViewController {
    /// Posted when the user uses a photo. The object is the controller; `userInfo` has the
    /// `UIImage` under ``pictureKey``.
    public nonisolated static let pictureTaken = Notification.Name("CropKitPictureTaken")
    /// The key of the photo, a `UIImage`, in the notification's `userInfo`.
    public nonisolated static let pictureKey = "picture"

    /// Whether the device has a camera.
    public static var isAvailable: Bool {
      let sides: [AVCaptureDevice.Position] = [.back, .front]
      return sides.contains {
        AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: $0) != nil
      }
    }

    /// Called with the clipped photo; nil if the user cancelled.
    public var onUse: ((UIImage?) -> Void)?
    /// Called with the file of the clipped photo, including metadata, before ``onUse``.
    public var onUseFile: ((Data) -> Void)?
    /// Metadata for the file in addition to the camera's, by ImageIO's keys, such as the location
    /// under `kCGImagePropertyGPSDictionary`.
    public var photoMetadata: [String: Any] = [:]
    /// Whether used photos are saved to the photo album.
    public var savesToAlbum = true
    /// Called after a used photo was saved, with nil, or with the error if it could not be.
    public var onSave: (((any Error)?) -> Void)?
    /// Whether the screen closes itself before it reports, if it was presented.
    public var closesItself = true
    /// Whether to start with the front camera.
    public var startsInFront = false
    /// The texts on the screen.
    public var words = CropWords.preferred

    private let capture = CameraCapture()
    private let preview = CameraPreview()
    private let mark = FocusMark()
    private let controls = CameraControls()
    private let message = MessageView()
    private var flash = FlashMode.auto
    private lazy var isFront = startsInFront
    private var hasAnswered = false
    private var observers: CameraObservers?
    /// How often the session was restarted after an error since the screen appeared.
    private var restarts = 0
    /// After this many errors, only the user restarts the session: one that always fails would
    /// otherwise restart forever.
    private static let mostRestarts = 3

    /// A screen to present.
    public override init(nibName: String? = nil, bundle: Bundle? = nil) {
      super.init(nibName: nibName, bundle: bundle)
      // White controls appear over the camera's image, or over a message if there is no camera.
      overrideUserInterfaceStyle = .dark
    }

    /// A screen from a storyboard.
    public required init?(coder: NSCoder) {
      super.init(coder: coder)
      overrideUserInterfaceStyle = .dark
    }

    open override func viewDidLoad() {
      super.viewDidLoad()
      view.backgroundColor = .black
      for part in [preview, mark, message, controls] { view.addSubview(part) }
      preview.show(capture.shown.session)
      preview.onTap = { [weak self] place, sensor in self?.focus(at: place, sensor) }
      message.isHidden = true
      // Until the camera has started.
      controls.isEnabled = false
      controls.show(words.screens)
      controls.onShutter = { [weak self] in self?.takePicture() }
      controls.onFlip = { [weak self] in self?.flip() }
      controls.onFlash = { [weak self] in self?.nextFlash() }
      controls.onCancel = { [weak self] in self?.finish(nil) }
      observers = CameraObservers(of: capture.shown.session) { [weak self] in self?.follow($0) }
    }

    open override func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      for part in [preview, controls, message] { part.frame = view.bounds }
    }

    open override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      hasAnswered = false
      restarts = 0
      Task { await start() }
    }

    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      Task { [capture] in await capture.stop() }
      // Dismissed by a swipe, or together with its presenter.
      if isLeaving, !hasAnswered { onUse?(nil) }
    }

    // MARK: The camera

    private func start() async {
      guard await AVCaptureDevice.requestAccess(for: .video) else {
        return say(words.screens.noCameraAccess, words.screens.settings) { [weak self] in
          self?.view.openSettings()
        }
      }
      guard let state = await capture.start(isFront ? .front : .back) else {
        return say(words.screens.noCamera)
      }
      show(state)
    }

    private func show(_ state: CameraState) {
      controls.isEnabled = true
      message.isHidden = true
      isFront = state.isFront
      preview.follow(state.device)
      controls.showFlash(state.hasFlash ? flash : nil, words.screens)
      mark.show(at: view.center)
    }

    private func follow(_ event: CameraEvent) {
      switch event {
      case .interrupted: say(words.screens.cameraBusy)
      case .resumed: Task { await start() }
      case .failed: restart()
      }
    }

    /// Restarts the session after an error; after several, asks the user.
    private func restart() {
      restarts += 1
      guard restarts > Self.mostRestarts else {
        Task { await start() }
        return
      }
      say(words.screens.cameraFailed, words.screens.tryAgain) { [weak self] in
        self?.restarts = 0
        Task { await self?.start() }
      }
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
        let metadata = PhotoMetadata(values: photoMetadata)
        do {
          clip(try await capture.takePicture(flash.captureMode, preview.pictureTurn, metadata))
          controls.isEnabled = true
        } catch {
          say(words.screens.shotFailed, words.screens.tryAgain) { [weak self] in
            self?.message.isHidden = true
            self?.controls.isEnabled = true
          }
        }
      }
    }

    // MARK: After a photo was taken

    private func clip(_ data: Data) {
      let screen = ClipViewController()
      screen.words = words
      screen.imageData = data
      screen.isFresh = true
      screen.modalPresentationStyle = .fullScreen
      // The session resumes when this screen appears again.
      screen.onRetake = { [weak self] in self?.dismiss(animated: true, completion: nil) }
      screen.onUse = { [weak self, weak screen] image in
        self?.use(image, screen?.usedFile)
      }
      present(screen, animated: true, completion: nil)
    }

    private func use(_ image: UIImage, _ file: Data?) {
      if savesToAlbum { save(image, file) }
      if let file { onUseFile?(file) }
      finish(image)
    }

    private func save(_ image: UIImage, _ file: Data?) {
      Task { [onSave] in
        do {
          if let file { try await PhotoAlbum.save(file) } else { try await PhotoAlbum.save(image) }
          onSave?(nil)
        } catch {
          onSave?(error)
        }
      }
    }

    /// Closes from the presenter, so that the clip screen on top closes too, and reports the
    /// result.
    private func finish(_ image: UIImage?) {
      guard !hasAnswered else { return }
      hasAnswered = true
      let tell = { [self] in
        onUse?(image)
        guard let image else { return }
        NotificationCenter.default.post(
          name: Self.pictureTaken, object: self, userInfo: [Self.pictureKey: image])
      }
      guard closesItself, let presentingViewController else { return tell() }
      presentingViewController.dismiss(animated: true, completion: tell)
    }

    private func say(
      _ text: String, _ button: String? = nil, _ action: @escaping () -> Void = {}
    ) {
      controls.isEnabled = false
      message.show(text, action: button, action)
    }
  }

  /// Interruptions of the camera.
  enum CameraEvent: Sendable {
    /// A call, another app or the system has the camera.
    case interrupted
    /// The camera is available again.
    case resumed
    /// The session stopped with an error; it can be restarted.
    case failed
  }

  /// Observes a session as long as this object exists.
  final class CameraObservers {
    private var tokens: [any NSObjectProtocol] = []

    /// Calls `tell` on the main actor with the events of a session.
    init(of session: AVCaptureSession, _ tell: @escaping @MainActor @Sendable (CameraEvent) -> Void)
    {
      let events: [(Notification.Name, CameraEvent)] = [
        (AVCaptureSession.wasInterruptedNotification, .interrupted),
        (AVCaptureSession.interruptionEndedNotification, .resumed),
        (AVCaptureSession.runtimeErrorNotification, .failed),
      ]
      tokens = events.map { name, event in
        NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { _ in
          Task { @MainActor in tell(event) }
        }
      }
    }

    deinit {
      for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
  }
#endif
