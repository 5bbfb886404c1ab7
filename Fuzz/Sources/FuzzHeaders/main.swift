import CropCore
import CropImaging
import FoundationEssentials
import FuzzDriver

// The sniffer, the walkers of all seven containers, and the editors of their metadata.

Driver.run { bytes in
  let source = PictureSource(bytes: Data(bytes), name: "fuzz")
  // The last byte steers.
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
  // A crop of everything copies the file less its metadata, without asking for pixels.
  let options = ResultOptions(metadata: policy)
  guard let copy = try? engine.crop(source, recipe: CropRecipe(), options: options) else { return }
  // It has all pages, and in the same order.
  let made = PictureSource(bytes: copy.bytes, name: "copy")
  guard let again = try? engine.info(made, page: page) else { fatalError("the copy can't be read") }
  guard again.shown == info.shown, again.frameCount == info.frameCount else {
    fatalError("the copy is another picture")
  }
  guard !again.metadata.contains(.location) else { fatalError("the place is still there") }
  guard policy != .stripAll || again.metadata.allSatisfy({ $0 == .icc || $0 == .exif }) else {
    fatalError("something else is still there")
  }
}
