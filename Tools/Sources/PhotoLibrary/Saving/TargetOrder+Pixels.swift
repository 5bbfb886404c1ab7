import CropCore
import CropImaging

extension TargetOrder {
  /// Checks, before the first is made, that the results of all targets together have no more pixels than
  /// one result may have. Targets that can't be made don't count.
  ///
  /// - Parameter name: what messages call the picture.
  /// - Throws: ``CropImaging/CropError/limitExceeded(file:limit:actual:allowed:)``.
  public func checkPixels(of picture: OpenedPicture, called name: String, _ limits: Limits)
    throws(CropError)
  {
    var all = 0
    for target in document.targets {
      guard let planned = try? plan(target, on: picture),
        let size = try? planned.crop.recipe.resolved(for: picture.info.shown).output
      else { continue }
      let pixels = size.width.multipliedReportingOverflow(by: size.height)
      let sum = all.addingReportingOverflow(pixels.partialValue)
      all = pixels.overflow || sum.overflow ? .max : sum.partialValue
      guard all <= limits.pixels else {
        throw .limitExceeded(
          file: name, limit: .pixels, actual: all, allowed: limits.pixels)
      }
    }
  }
}
