import CropCore
import CropImaging
import CropPixels
import Foundation

/// One engine for all uploads.
let engine = CropEngine.inProcess()

/// The upper half of an uploaded image in any supported format.
func upperHalf(of upload: Data) async throws(CropError) -> Data {
  let picture = ImageSource(bytes: upload, name: "upload")
  let size = try engine.info(picture).shown
  let rect = FrameRect(
    x: 0, y: 0, width: Double(size.width), height: Double((size.height + 1) / 2))
  return try await engine.crop(picture, recipe: CropRecipe(rect: rect)).bytes
}
