import CropCore
import CropImaging
import Foundation

/// A backend that accepts every image and crops none.
struct AnyPicture: PixelBackend {
  func crop(_ request: PixelRequest) throws(CropError) -> CropResult {
    throw .unsupportedFeature(file: request.source.name, feature: "cropping")
  }

  func preview(
    _ source: ImageSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    CropResult(bytes: Data(), format: .jpeg, size: FrameSize(width: 1, height: 1))
  }

  func check(
    _ source: ImageSource, info: ImageInfo, limits: Limits
  ) throws(CropError) -> [CropWarning] { [] }
}
