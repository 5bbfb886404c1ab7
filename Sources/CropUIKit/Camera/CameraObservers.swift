#if canImport(UIKit) && !os(visionOS)
  import AVFoundation
  import Foundation

  /// What happens to a camera that nobody asked for.
  enum CameraEvent: Sendable {
    /// A call, another app or the system has the camera.
    case interrupted
    /// It is back.
    case resumed
    /// The session stopped with an error; it can be started anew.
    case failed
  }

  /// Listens to a session as long as it is kept.
  final class CameraObservers {
    private var tokens: [any NSObjectProtocol] = []

    /// Calls `tell` on the main actor with what happens to a session.
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
