#if canImport(UIKit) && !os(visionOS)
  import AVFoundation
  import UIKit

  /// The turn that makes a camera's photo upright.
  enum CaptureTurn: Sendable, Equatable {
    /// The clockwise angle in degrees, from iOS 17 on.
    case angle(CGFloat)
    /// The orientation of the device, before iOS 17.
    case orientation(AVCaptureVideoOrientation)

    func apply(to connection: AVCaptureConnection) {
      switch self {
      case .angle(let angle):
        guard #available(iOS 17.0, *), connection.isVideoRotationAngleSupported(angle) else {
          return
        }
        connection.videoRotationAngle = angle
      case .orientation(let orientation):
        guard connection.isVideoOrientationSupported else { return }
        connection.videoOrientation = orientation
      }
    }
  }

  /// Determines how a camera's images must be turned for a preview and for a file.
  @MainActor
  final class CameraRotation {
    /// The rotation coordinator, which iOS 16 does not have.
    private var coordinator: AnyObject?

    /// Observes the coordinator as long as it exists.
    private var observation: NSKeyValueObservation?

    /// Uses a camera whose preview is shown in a layer, and calls `turned` when the preview must be
    /// turned.
    ///
    /// From one landscape orientation to the other, the view's size stays the same, so that nothing
    /// else reports the turn.
    func follow(
      _ device: AVCaptureDevice, in layer: CALayer, _ turned: @escaping @MainActor () -> Void
    ) {
      guard #available(iOS 17.0, *) else { return }
      let coordinator = AVCaptureDevice.RotationCoordinator(device: device, previewLayer: layer)
      self.coordinator = coordinator
      observation = coordinator.observe(
        \.videoRotationAngleForHorizonLevelPreview, options: []
      ) { @Sendable _, _ in
        Task { @MainActor in turned() }
      }
    }

    func preview(in view: UIView) -> CaptureTurn {
      if #available(iOS 17.0, *),
        let coordinator = coordinator as? AVCaptureDevice.RotationCoordinator
      {
        return .angle(coordinator.videoRotationAngleForHorizonLevelPreview)
      }
      return .orientation(orientation(of: view))
    }

    /// The turn of the next photo.
    func picture(in view: UIView) -> CaptureTurn {
      if #available(iOS 17.0, *),
        let coordinator = coordinator as? AVCaptureDevice.RotationCoordinator
      {
        return .angle(coordinator.videoRotationAngleForHorizonLevelCapture)
      }
      return .orientation(orientation(of: view))
    }

    private func orientation(of view: UIView) -> AVCaptureVideoOrientation {
      switch view.window?.windowScene?.interfaceOrientation {
      case .landscapeLeft: .landscapeLeft
      case .landscapeRight: .landscapeRight
      case .portraitUpsideDown: .portraitUpsideDown
      default: .portrait
      }
    }
  }
#endif
