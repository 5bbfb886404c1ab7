#if canImport(UIKit)
  import UIKit

  extension UIViewController {
    /// Shows that a result could not be made. The screen stays, so that the user can change the crop
    /// or cancel.
    package func reportFailure(_ words: ScreenWords) {
      let alert = UIAlertController(
        title: nil, message: words.cropFailed, preferredStyle: .alert)
      alert.addAction(UIAlertAction(title: words.keepEditing, style: .cancel))
      present(alert, animated: true)
    }
  }
#endif
