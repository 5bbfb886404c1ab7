#if canImport(UIKit) && !os(visionOS)
  import AVFoundation
  import Dispatch
  import UIKit

  /// The camera: one session, one camera at a time, one picture when asked.
  ///
  /// Starting and stopping block for a while, so all of it happens on a queue of its own: the threads
  /// that tasks share must not be blocked.
  actor CameraCapture {
    /// What a preview shows.
    nonisolated let shown = ShownSession()

    private nonisolated let queue = SerialQueue("org.cropkit.camera")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      queue.asUnownedSerialExecutor()
    }

    private var session: AVCaptureSession { shown.session }
    private let output = AVCapturePhotoOutput()
    private var input: AVCaptureDeviceInput?
    private var pending: PhotoReceiver?

    /// Starts with the camera on a side, or with another one where there is none on that side.
    ///
    /// - Returns: which camera it is and whether it has a flash; nil where there is no camera.
    func start(_ side: AVCaptureDevice.Position) -> CameraState? {
      guard let state = use(side) ?? use(side == .back ? .front : .back) else { return nil }
      if !session.isRunning { session.startRunning() }
      focusAtCenter()
      return state
    }

    /// Stops, so that the camera's light goes out.
    func stop() {
      if session.isRunning { session.stopRunning() }
    }

    /// Changes to the camera on the other side.
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

    /// Takes a picture.
    ///
    /// - Parameters:
    ///   - flash: whether to light it, where there is a flash.
    ///   - turn: how the person holds the device; it goes into the file's orientation flag.
    ///   - metadata: what else goes into the file, such as the place.
    /// - Returns: the file's bytes, metadata included.
    /// - Throws: what the camera reports; ``PictureError/unreadable`` when it gives nothing.
    func takePicture(
      _ flash: AVCaptureDevice.FlashMode, _ turn: CaptureTurn, _ metadata: PhotoMetadata
    ) async throws -> Data {
      // Without a connection the output would end the app.
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
        // The output does not keep its delegate.
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
      // Unless asked, the output takes pictures of 12 megapixels with a sensor of 48.
      let sizes = device.activeFormat.supportedMaxPhotoDimensions
      if let largest = sizes.max(by: { $0.pixels < $1.pixels }) {
        output.maxPhotoDimensions = largest
      }
      return CameraState(device)
    }
  }

  /// The session, shared between the camera and the preview's layer: a layer may be given a session
  /// while that is changed or started elsewhere.
  struct ShownSession: @unchecked Sendable {
    let session = AVCaptureSession()
  }

  /// What the screen must know of the camera in use.
  struct CameraState: @unchecked Sendable {
    /// Only asked for the way it is turned.
    let device: AVCaptureDevice
    /// Whether it looks at the person.
    let isFront: Bool
    /// Whether it has a flash.
    let hasFlash: Bool

    init(_ device: AVCaptureDevice) {
      self.device = device
      (isFront, hasFlash) = (device.position == .front, device.hasFlash)
    }
  }

  /// What an app wants in a file besides what the camera writes, by ImageIO's keys; it is only read.
  struct PhotoMetadata: @unchecked Sendable {
    var values: [String: Any] = [:]
  }

  extension CMVideoDimensions {
    /// How many there are.
    fileprivate var pixels: Int { Int(width) * Int(height) }
  }

  /// A dispatch queue on which an actor runs.
  final class SerialQueue: SerialExecutor {
    private let queue: DispatchQueue
    /// Set on the queue.
    static let key = DispatchSpecificKey<Bool>()

    init(_ name: String) {
      queue = DispatchQueue(label: name)
      queue.setSpecific(key: Self.key, value: true)
    }

    func enqueue(_ job: UnownedJob) {
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  /// Receives one picture. The output calls it from one queue, the last time when all is over.
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
