import UIKit

@testable import CheckedCropUIKit

/// Tests that show crop screens.
protocol ScreenPresenting {
  /// The screen from which they are presented.
  var presenter: UIViewController { get }
}

extension ScreenPresenting {
  func show(_ screen: CropViewController) {
    screen.words = .english
    presenter.present(screen, animated: false)
    layOut(screen)
  }

  func layOut(_ screen: UIViewController, _ width: Double = 400, _ height: Double = 800) {
    screen.view.frame = CGRect(x: 0, y: 0, width: width, height: height)
    for _ in 0..<3 { screen.view.layoutIfNeeded() }
  }

  /// All views of a kind in a view, including the view.
  func views<Kind: UIView>(_ kind: Kind.Type, in view: UIView) -> [Kind] {
    ((view as? Kind).map { [$0] } ?? []) + view.subviews.flatMap { views(kind, in: $0) }
  }
}
