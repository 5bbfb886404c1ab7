import CropCore
import CropImaging
import CropPixels
import FoundationEssentials
import FuzzDriver

// Decodes and encodes pictures in this process, with the C libraries that otherwise only run in a
// worker: the code that calls them, and what they do with damaged files.

let engine = CropEngine(
  backend: JPEGBackend(fallback: VipsBackend()), limits: Limits(pixels: 1 << 20))

Driver.run { bytes in
  let source = ImageSource(bytes: Data(bytes), name: "fuzz")
  // The last byte chooses the options.
  let choice = bytes.last ?? 0
  let isLenient = choice & 1 == 1
  let page = choice & 2 == 2 ? 2 : 1
  let format: ImageFormat? = choice & 4 == 4 ? .png : nil
  let recipe = CropRecipe(
    rect: FrameRect(x: 1, y: 1, width: 5, height: 3), quarterTurns: choice & 8 == 8 ? 1 : 0)
  let options = ResultOptions(
    format: format, lossless: .never, page: page == 1 ? .automatic : .only(page),
    isLenient: isLenient)
  guard let made = try? engine.crop(source, recipe: recipe, options: options) else { return }
  let again = try? engine.info(ImageSource(bytes: made.bytes, name: "result"))
  guard again?.shown.width == made.size.width else { fatalError("the result can't be read") }
}
