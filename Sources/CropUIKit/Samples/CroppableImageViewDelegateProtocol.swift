#if canImport(UIKit)
  import Foundation

  /// CropImg's delegate: told whether the crop button should be enabled.
  #if canImport(ObjectiveC)
    @objc(CroppableImageViewDelegateProtocol)
  #endif
  @MainActor
  public protocol CroppableImageViewDelegateProtocol: AnyObject {
    /// The selection changed; `valid` is whether one of at least 5 × 5 points is there.
    func haveValidCropRect(_ valid: Bool)
  }
#endif
