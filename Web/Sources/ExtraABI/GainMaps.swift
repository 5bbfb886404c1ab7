import CropCore
import CropJPEG
import FileWire

// Gain maps.
extension Bridge {
  func addMapToCopied(byteCount: Int, part: JPEGPart) -> Bool {
    guard let flag = Orientation(rawValue: part.orientation) else { return false }
    return addMap(byteCount, flag, isSRGB: false) { $0.crop(part.rect, flag: flag) }
  }

  /// The crop is upright and in sRGB.
  func addMapToDrawn(byteCount: Int, width: Int, height: Int, recipe: CropRecipe) -> Bool {
    addMap(byteCount, .up, isSRGB: true) {
      $0.crop(recipe, output: FrameSize(width: width, height: height))
    }
  }

  /// Writes a crop with its map; false, before anything is written, if the map can't be used.
  private func addMap(
    _ byteCount: Int, _ flag: Orientation, isSRGB: Bool, _ crop: (JPEGGainMap) -> ResolvedCrop?
  ) -> Bool {
    do throws(JPEGError) {
      guard let map = try JPEGGainMap(input(0)), let crop = crop(map) else { return false }
      let outcome = try map.write(
        input(1), byteCount: byteCount, crop: crop, flag: flag, isSRGB: isSRGB
      ) { write($0) }
      return outcome == .cut || outcome == .recoded
    } catch {
      return false
    }
  }
}

extension JPEGPart {
  var rect: BitmapRect { BitmapRect(x: x, y: y, width: width, height: height) }
}
