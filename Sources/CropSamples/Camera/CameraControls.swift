#if canImport(UIKit) && !os(visionOS)
  import CropUIKit
  import AVFoundation
  import UIKit

  /// The buttons over the camera's preview. Touches outside them reach the preview.
  final class CameraControls: UIView {
    var onShutter: (() -> Void)?
    var onFlip: (() -> Void)?
    var onFlash: (() -> Void)?
    var onCancel: (() -> Void)?

    private lazy var shutter = button("circle.inset.filled", 68) { $0.onShutter?() }
    private lazy var flip = button("arrow.triangle.2.circlepath.camera", 44) { $0.onFlip?() }
    private lazy var flash = button(FlashMode.auto.symbol, 44) { $0.onFlash?() }
    private lazy var cancel = button("xmark", 44) { $0.onCancel?() }

    override init(frame: CGRect) {
      super.init(frame: frame)
      for part in [shutter, flip, flash, cancel] {
        part.translatesAutoresizingMaskIntoConstraints = false
        addSubview(part)
      }
      let area = safeAreaLayoutGuide
      NSLayoutConstraint.activate([
        shutter.centerXAnchor.constraint(equalTo: area.centerXAnchor),
        shutter.bottomAnchor.constraint(equalTo: area.bottomAnchor, constant: -16),
        flip.centerYAnchor.constraint(equalTo: shutter.centerYAnchor),
        flip.trailingAnchor.constraint(equalTo: area.trailingAnchor, constant: -16),
        cancel.centerYAnchor.constraint(equalTo: shutter.centerYAnchor),
        cancel.leadingAnchor.constraint(equalTo: area.leadingAnchor, constant: 16),
        flash.topAnchor.constraint(equalTo: area.topAnchor, constant: 8),
        flash.leadingAnchor.constraint(equalTo: area.leadingAnchor, constant: 16),
      ])
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
      nil
    }

    /// Whether the shutter and the flip button are enabled.
    var isEnabled = true {
      didSet {
        shutter.isEnabled = isEnabled
        flip.isEnabled = isEnabled
      }
    }

    func show(_ words: ScreenWords) {
      shutter.accessibilityLabel = words.takePicture
      flip.accessibilityLabel = words.switchCamera
      cancel.accessibilityLabel = words.cancel
    }

    /// Shows the flash's state; nil without a flash.
    func showFlash(_ mode: FlashMode?, _ words: ScreenWords) {
      flash.isHidden = mode == nil
      guard let mode else { return }
      flash.configuration?.image = UIImage(systemName: mode.symbol)
      flash.accessibilityLabel = mode.name(words)
    }

    /// Whether a button is at the point; all other touches reach the preview, which focuses there.
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
      subviews.contains { !$0.isHidden && $0.frame.contains(point) }
    }

    private func button(
      _ symbol: String, _ side: CGFloat, _ action: @escaping (CameraControls) -> Void
    ) -> UIButton {
      var configuration = UIButton.Configuration.plain()
      configuration.image = UIImage(systemName: symbol)
      configuration.baseForegroundColor = .white
      let button = UIButton(
        configuration: configuration,
        primaryAction: UIAction { [weak self] _ in
          if let self { action(self) }
        })
      button.widthAnchor.constraint(greaterThanOrEqualToConstant: side).isActive = true
      button.heightAnchor.constraint(greaterThanOrEqualToConstant: side).isActive = true
      return button
    }
  }

  /// The flash modes, in the order in which the button changes them.
  enum FlashMode: CaseIterable {
    case auto, on, off

    var next: FlashMode {
      switch self {
      case .auto: .on
      case .on: .off
      case .off: .auto
      }
    }

    var captureMode: AVCaptureDevice.FlashMode {
      switch self {
      case .auto: .auto
      case .on: .on
      case .off: .off
      }
    }

    /// The name of the SF Symbol.
    var symbol: String {
      switch self {
      case .auto: "bolt.badge.a"
      case .on: "bolt"
      case .off: "bolt.slash"
      }
    }

    func name(_ words: ScreenWords) -> String {
      switch self {
      case .auto: words.flashAuto
      case .on: words.flashOn
      case .off: words.flashOff
      }
    }
  }
#endif
