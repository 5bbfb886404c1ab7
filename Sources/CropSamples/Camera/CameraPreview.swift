#if canImport(UIKit) && !os(visionOS)
  import AVFoundation
  import UIKit

  /// The camera's live image, filling the view.
  final class CameraPreview: UIView {
    /// Called with the position of a tap, in view points and on the sensor.
    var onTap: ((CGPoint, CGPoint) -> Void)?

    override class var layerClass: AnyClass { AVCaptureVideoPreviewLayer.self }

    private var preview: AVCaptureVideoPreviewLayer? { layer as? AVCaptureVideoPreviewLayer }

    /// Shows the live image of a session.
    func show(_ session: AVCaptureSession) {
      preview?.session = session
      preview?.videoGravity = .resizeAspectFill
      accessibilityIgnoresInvertColors = true
    }

    private let rotation = CameraRotation()

    /// Uses the orientation of a camera.
    func follow(_ device: AVCaptureDevice) {
      rotation.follow(device, in: layer) { [weak self] in self?.turn() }
      turn()
    }

    /// The turn that makes the next photo upright.
    var pictureTurn: CaptureTurn { rotation.picture(in: self) }

    override func layoutSubviews() {
      super.layoutSubviews()
      turn()
    }

    /// Turns the live image to match the orientation of the device.
    private func turn() {
      guard let connection = preview?.connection else { return }
      rotation.preview(in: self).apply(to: connection)
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
      guard touches.count == 1, let place = touches.first?.location(in: self), let preview else {
        return
      }
      onTap?(place, preview.captureDevicePointConverted(fromLayerPoint: place))
    }
  }

  /// The green square at the focus point: 80 points, growing to 1.25 times in 0.3 s, and removed
  /// after another 0.5 s.
  final class FocusMark: UIView {
    init() {
      super.init(frame: CGRect(x: 0, y: 0, width: 80, height: 80))
      isUserInteractionEnabled = false
      isHidden = true
      layer.borderColor = UIColor.green.cgColor
      layer.borderWidth = 1
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
      nil
    }

    /// Shows the mark, centered on a point of the superview.
    func show(at point: CGPoint) {
      center = point
      isHidden = false
      alpha = 1
      transform = .identity
      let growth = UIAccessibility.isReduceMotionEnabled ? 0 : 0.3
      UIView.animate(
        withDuration: growth, delay: 0, options: [],
        animations: { [self] in transform = CGAffineTransform(scaleX: 1.25, y: 1.25) },
        completion: { [self] _ in
          UIView.animate(
            withDuration: 0.2, delay: 0.5, options: [], animations: { [self] in alpha = 0 },
            completion: nil)
        })
    }
  }
#endif
