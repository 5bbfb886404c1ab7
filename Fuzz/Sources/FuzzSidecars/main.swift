import CropCore
import CropImaging
import FoundationEssentials
import FuzzDriver

// Sidecars of other programs are read and written. A crop that is accepted must be usable.

let info = ImageInfo(format: .jpeg, byteCount: 1, stored: BitmapSize(width: 900, height: 600))
let recipe = CropRecipe(rect: FrameRect(x: 30, y: 40, width: 500, height: 60))

Driver.run { bytes in
  let sidecar = Data(bytes)
  let source = ImageSource(bytes: sidecar, name: "fuzz")
  if let mark = try? CropMark(sidecar: source, info), !mark.isApplied {
    guard (try? mark.recipe.resolved(for: info.shown)) != nil else { fatalError("can't be cut") }
  }
  for format in [MarkFormat.lightroom, .rawtherapee, .darktable] {
    _ = try? format.file(with: recipe, for: info, changing: sidecar, name: "fuzz")
  }
}
