#if canImport(UIKit)
  import AVFoundation
  import UIKit

  /// The camera: one session, one camera at a time, one picture when asked.
  ///
  /// Starting and stopping block for a while, so they happen away from the main thread.
  actor CameraCapture {
    /// What a preview shows.
    nonisolated let shown = ShownSession()

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
      focusAtCentre()
      return state
    }

    /// Stops, so that the camera's light goes out.
    func stop() {
      if session.isRunning { session.stopRunning() }
    }

    /// Changes to the camera on the other side.
    func flip() -> CameraState? {
      let state = use(input?.device.position == .front ? .back : .front)
      focusAtCentre()
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
    ///   - orientation: how the person holds the device; it goes into the file's orientation flag.
    /// - Returns: the file's bytes, metadata included.
    /// - Throws: what the camera reports; ``PictureError/unreadable`` when it gives nothing.
    func takePicture(
      _ flash: AVCaptureDevice.FlashMode, _ orientation: AVCaptureVideoOrientation
    ) async throws -> Data {
      // Without a connection the output would end the app.
      guard session.isRunning, let connection = output.connection(with: .video), connection.isActive
      else { throw PictureError.unreadable }
      if connection.isVideoOrientationSupported { connection.videoOrientation = orientation }
      let settings = AVCapturePhotoSettings()
      if output.supportedFlashModes.contains(flash) { settings.flashMode = flash }
      defer { pending = nil }
      return try await withCheckedThrowingContinuation { continuation in
        let receiver = PhotoReceiver(continuation)
        // The output does not keep its delegate.
        pending = receiver
        output.capturePhoto(with: settings, delegate: receiver)
      }
    }

    private func focusAtCentre() {
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
      return CameraState(isFront: device.position == .front, hasFlash: device.hasFlash)
    }
  }

  /// The session, shared between the camera and the preview's layer: a layer may be given a session
  /// while that is changed or started elsewhere.
  struct ShownSession: @unchecked Sendable {
    let session = AVCaptureSession()
  }

  /// What the screen must know of the camera in use.
  struct CameraState: Sendable, Equatable {
    /// Whether it looks at the person.
    var isFront: Bool
    /// Whether it has a flash.
    var hasFlash: Bool
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
