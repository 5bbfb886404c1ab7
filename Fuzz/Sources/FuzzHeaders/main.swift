import CropCore
import CropImaging
import FoundationEssentials
import FuzzDriver

// Tests the format detection, the parsers of all seven containers, and the editors of their
// metadata.

Driver.run { bytes in
  let source = ImageSource(bytes: Data(bytes), name: "fuzz")
  // The last byte chooses the options.
  let choice = bytes.last ?? 0
  let engine = CropEngine(backend: AnyPicture(), limits: Limits(pixels: 1 << 20))
  let isLenient = choice & 1 == 1
  let page = choice & 2 == 2 ? 2 : 1
  guard let info = try? engine.info(source, isLenient: isLenient, page: page) else { return }
  guard info.stored.width > 0, info.stored.height > 0, info.shown.width > 0 else {
    fatalError("a size that can't be")
  }
  guard !isLenient, info.warnings.isEmpty else { return }
  let policy = choice & 4 == 4 ? MetadataPolicy.stripAll : .stripLocation
  // A crop of the complete image copies the file without some of its metadata, and does not need
  // pixels.
  let options = ResultOptions(metadata: policy)
  guard let copy = try? engine.crop(source, recipe: CropRecipe(), options: options) else { return }
  // The copy must have all pages, in the same order.
  let made = ImageSource(bytes: copy.bytes, name: "copy")
  guard let again = try? engine.info(made, page: page) else { fatalError("the copy can't be read") }
  guard again.shown == info.shown, again.frameCount == info.frameCount else {
    fatalError("the copy is another picture")
  }
  guard !again.metadata.contains(.location) else { fatalError("the place is still there") }
  // A gain map is part of the image.
  let kept: [MetadataKind] = [.icc, .exif] + (again.gainMap?.fault == nil ? [.gainMap] : [])
  guard policy != .stripAll || again.metadata.allSatisfy(kept.contains) else {
    fatalError("something else is still there")
  }
}
