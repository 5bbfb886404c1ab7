import CropCore

extension RecipeError {
  /// Describes what is wrong with a recipe for an upright image of the given size, and what would
  /// be valid.
  public func message(for image: ImageSize) -> String {
    var numbers = [Double(image.width), Double(image.height)]
    var text = tell(of: image) { numbers.append($0) }.text
    for (index, number) in numbers.enumerated() {
      text.replace("{\(index)}", with: Self.word(number))
    }
    return text + (advice ?? "")
  }

  /// Advice if the numbers of a rectangle outside the image are probably its edges.
  private var advice: String? {
    guard case .outside(let rect, let frame) = self, rect.x >= 0, rect.y >= 0,
      rect.width > rect.x, rect.height > rect.y, rect.width <= Double(frame.width),
      rect.height <= Double(frame.height)
    else { return nil }
    let numbers = [rect.x, rect.y, rect.width - rect.x, rect.height - rect.y]
    return "; a rectangle is x, y, width and height: if these are left, top, right and bottom, use "
      + numbers.map(Self.word).joined(separator: ",")
  }

  /// The part of a rectangle that is inside the image, as `x,y,width,height`, if another part is
  /// outside.
  fileprivate var partInside: String? {
    guard case .outside(let rect, let frame) = self else { return nil }
    let (left, top) = (max(0, rect.minX), max(0, rect.minY))
    let right = min(rect.maxX, Double(frame.width))
    let bottom = min(rect.maxY, Double(frame.height))
    guard right > left, bottom > top else { return nil }
    return [left, top, right - left, bottom - top].map(Self.word).joined(separator: ",")
  }

  private static func word(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? "\(number)"
  }
}

extension CropRecipe {
  /// Checks the recipe against an upright image, as ``resolved(for:)`` does. `file` is the file's
  /// name in messages.
  ///
  /// - Throws: `CropError.invalidRecipe`.
  public func resolved(for image: ImageSize, file: String) throws(CropError) -> ResolvedCrop {
    do throws(RecipeError) {
      return try resolved(for: image)
    } catch {
      throw .invalidRecipe(
        file: file, detail: error.message(for: image), inside: error.partInside)
    }
  }
}
