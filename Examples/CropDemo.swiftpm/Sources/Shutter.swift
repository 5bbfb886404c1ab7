import AVFoundation
import UIKit

/// The sound and the flash of a camera, at the moment of the tap.
@MainActor
final class Shutter {
  private let player: AVAudioPlayer?
  private let flash = UIView()

  /// Loads the sound now, so that it plays without delay later.
  init() {
    player = SampleFiles.shutter.flatMap { try? AVAudioPlayer(contentsOf: $0) }
    player?.prepareToPlay()
    flash.backgroundColor = .white
    flash.isUserInteractionEnabled = false
  }

  /// Plays the sound, and shows white over a view for 0.2 seconds; with reduced motion, only plays
  /// the sound.
  func release(over view: UIView) {
    player?.play()
    guard !UIAccessibility.isReduceMotionEnabled else { return }
    flash.frame = view.bounds
    flash.alpha = 1
    view.addSubview(flash)
    UIView.animate(
      withDuration: 0.2, delay: 0, options: [], animations: { [flash] in flash.alpha = 0 },
      completion: { [flash] _ in flash.removeFromSuperview() })
  }
}
