#if canImport(UIKit) && !os(visionOS)
  import AVFoundation

  /// The flash, in the order in which the button goes through it.
  enum FlashMode: CaseIterable {
    case auto, on, off

    /// What the button changes to.
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

    /// The name of the system's symbol.
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
