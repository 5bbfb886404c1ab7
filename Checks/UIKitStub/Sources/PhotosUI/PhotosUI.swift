@_exported import Photos
import UIKit

extension PHPhotoLibrary {
  /// photosui/phphotolibrary/presentlimitedlibrarypicker(from:)
  @MainActor
  public func presentLimitedLibraryPicker(from controller: UIViewController) {
    controller.present(LimitedLibraryPicker(), animated: true)
  }
}

/// Not Apple's: replaces the system's screen.
@MainActor
public final class LimitedLibraryPicker: UIViewController {}
