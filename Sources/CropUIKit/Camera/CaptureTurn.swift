#if canImport(UIKit) && !os(visionOS)
  import AVFoundation
  import UIKit

  /// How far a camera's picture is turned to be upright.
  enum CaptureTurn: Sendable, Equatable {
    /// Degrees clockwise, from iOS 17 on.
    case angle(CGFloat)
    /// How the device is held, before.
    case orientation(AVCaptureVideoOrientation)

    /// Turns what a connection carries.
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

  /// Knows how a camera's pictures must be turned for a preview and for a file.
  @MainActor
  final class CameraRotation {
    /// A rotation coordinator, which systems before iOS 17 do not have.
    private var coordinator: AnyObject?

    /// Follows a camera that is shown in a layer.
    func follow(_ device: AVCaptureDevice, in layer: CALayer) {
      guard #available(iOS 17.0, *) else { return }
      coordinator = AVCaptureDevice.RotationCoordinator(device: device, previewLayer: layer)
    }

    /// The turn of the preview.
    func preview(in view: UIView) -> CaptureTurn {
      if #available(iOS 17.0, *),
        let coordinator = coordinator as? AVCaptureDevice.RotationCoordinator
      {
        return .angle(coordinator.videoRotationAngleForHorizonLevelPreview)
      }
      return .orientation(orientation(of: view))
    }

    /// The turn of the next picture.
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
