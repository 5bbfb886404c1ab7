#if canImport(UIKit) && !os(visionOS)
  import AVFoundation
  import CropUIKit
  import Dispatch
  import UIKit

  /// The camera: one session with one camera at a time, which takes single photos.
  ///
  /// Starting and stopping block for a while, so they run on a separate queue: the threads that
  /// tasks share must not be blocked.
  actor CameraCapture {
    /// The session that a preview shows.
    nonisolated let shown = ShownSession()

    private nonisolated let queue = SerialQueue("org.cropkit.camera")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      queue.asUnownedSerialExecutor()
    }

    private var session: AVCaptureSession { shown.session }
    private let output = AVCapturePhotoOutput()
    private var input: AVCaptureDeviceInput?
    private var pending: PhotoReceiver?

    /// Starts the camera on a side, or another one if there is none on that side.
    ///
    /// - Returns: the state of the camera; nil if the device has none.
    func start(_ side: AVCaptureDevice.Position) -> CameraState? {
      guard let state = use(side) ?? use(side == .back ? .front : .back) else { return nil }
      if !session.isRunning { session.startRunning() }
      focusAtCenter()
      return state
    }

    /// Stops the session, so that the camera's indicator turns off.
    func stop() {
      if session.isRunning { session.stopRunning() }
    }

    /// Switches to the camera on the other side.
    func flip() -> CameraState? {
      let state = use(input?.device.position == .front ? .back : .front)
      focusAtCenter()
      return state
    }

    /// Focuses and meters at a point of the sensor: fractions from its top left, as the preview
    /// converts them.
    func focus(at point: CGPoint) {
      guard let device = input?.device, (try? device.lockForConfiguration()) != nil else { return }
      defer { device.unlockForConfiguration() }
      if device.isFocusPointOfInterestSupported {
        device.focusPointOfInterest = point
        if device.isFocusModeSupported(.autoFocus) { device.focusMode = .autoFocus }
      }
      if device.isExposurePointOfInterestSupported {
        device.exposurePointOfInterest = point
        if device.isExposureModeSupported(.autoExpose) { device.exposureMode = .autoExpose }
      }
    }

    /// Takes a photo.
    ///
    /// - Parameters:
    ///   - flash: whether to use the flash, if available.
    ///   - turn: how the user holds the device; stored in the file's orientation flag.
    ///   - metadata: additional metadata for the file, such as the location.
    /// - Returns: the file's bytes, metadata included.
    /// - Throws: the camera's error; `PictureError.unreadable` if it returns nothing.
    func takePicture(
      _ flash: AVCaptureDevice.FlashMode, _ turn: CaptureTurn, _ metadata: PhotoMetadata
    ) async throws -> Data {
      // Without an active connection, the output throws an exception that ends the app.
      guard session.isRunning, let connection = output.connection(with: .video), connection.isActive
      else { throw PictureError.unreadable }
      turn.apply(to: connection)
      let settings = AVCapturePhotoSettings()
      settings.maxPhotoDimensions = output.maxPhotoDimensions
      settings.metadata = metadata.values
      if output.supportedFlashModes.contains(flash) { settings.flashMode = flash }
      defer { pending = nil }
      return try await withCheckedThrowingContinuation { continuation in
        let receiver = PhotoReceiver(continuation)
        // The output does not retain its delegate.
        pending = receiver
        output.capturePhoto(with: settings, delegate: receiver)
      }
    }

    private func focusAtCenter() {
      focus(at: CGPoint(x: 0.5, y: 0.5))
    }

    private func use(_ side: AVCaptureDevice.Position) -> CameraState? {
      guard
        let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: side),
        let next = try? AVCaptureDeviceInput(device: device)
      else { return nil }
      session.beginConfiguration()
      defer { session.commitConfiguration() }
      session.sessionPreset = .photo
      #if !targetEnvironment(macCatalyst)
        // Beside another app on an iPad, the camera is otherwise interrupted.
        if session.isMultitaskingCameraAccessSupported {
          session.isMultitaskingCameraAccessEnabled = true
        }
      #endif
      let old = input
      if let old { session.removeInput(old) }
      guard session.canAddInput(next) else {
        if let old { session.addInput(old) }
        return nil
      }
      session.addInput(next)
      input = next
      if !session.outputs.contains(output), session.canAddOutput(output) {
        session.addOutput(output)
      }
      // By default, the output takes 12-megapixel photos even with a 48-megapixel sensor.
      let sizes = device.activeFormat.supportedMaxPhotoDimensions
      if let largest = sizes.max(by: { $0.pixels < $1.pixels }) {
        output.maxPhotoDimensions = largest
      }
      return CameraState(device)
    }
  }

  /// The session, shared between the camera and the preview's layer. A layer may use a session
  /// while another thread changes or starts it.
  struct ShownSession: @unchecked Sendable {
    let session = AVCaptureSession()
  }

  /// The properties of the current camera that the screen needs.
  struct CameraState: @unchecked Sendable {
    /// The camera; only used for its orientation.
    let device: AVCaptureDevice
    /// Whether the camera faces the user.
    let isFront: Bool
    let hasFlash: Bool

    init(_ device: AVCaptureDevice) {
      self.device = device
      (isFront, hasFlash) = (device.position == .front, device.hasFlash)
    }
  }

  /// Metadata from the app in addition to the camera's, by ImageIO's keys; read-only.
  struct PhotoMetadata: @unchecked Sendable {
    var values: [String: Any] = [:]
  }

  extension CMVideoDimensions {
    fileprivate var pixels: Int { Int(width) * Int(height) }
  }

  /// A dispatch queue on which an actor runs.
  final class SerialQueue: SerialExecutor {
    private let queue: DispatchQueue
    /// Identifies the queue: set only on it.
    static let key = DispatchSpecificKey<Bool>()

    init(_ name: String) {
      queue = DispatchQueue(label: name)
      queue.setSpecific(key: Self.key, value: true)
    }

    func enqueue(_ job: UnownedJob) {
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
      // The default implementation needs iOS 17.
      UnownedSerialExecutor(ordinary: self)
    }
  }

  /// Receives one photo. The output calls it on one queue; the last call is after everything else.
  private final class PhotoReceiver: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
    private let continuation: CheckedContinuation<Data, any Error>
    private var data: Data?

    init(_ continuation: CheckedContinuation<Data, any Error>) {
      self.continuation = continuation
    }

    func photoOutput(
      _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto,
      error: (any Error)?
    ) {
      data = photo.fileDataRepresentation()
    }

    func photoOutput(
      _ output: AVCapturePhotoOutput,
      didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
      error: (any Error)?
    ) {
      if let data {
        continuation.resume(returning: data)
      } else {
        continuation.resume(throwing: error ?? PictureError.unreadable)
      }
    }
  }
#endif
