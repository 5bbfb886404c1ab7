#if canImport(UIKit)
  import Foundation

  /// CropImg's delegate: it receives whether to enable the crop button.
  #if canImport(ObjectiveC)
    @objc(CroppableImageViewDelegateProtocol)
  #endif
  @MainActor
  public protocol CroppableImageViewDelegateProtocol: AnyObject {
    /// The selection changed; `valid` is true if it has at least 5 × 5 points.
    func haveValidCropRect(_ valid: Bool)
  }
#endif
