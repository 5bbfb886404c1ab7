import CropCore
import FoundationEssentials
import FuzzDriver

// Recipes as JSON are parsed, resolved, written and parsed again.

Driver.run { bytes in
  guard let recipe = try? JSONDecoder().decode(CropRecipe.self, from: Data(bytes)) else { return }
  for size in [ImageSize(width: 1, height: 1), ImageSize(width: 4032, height: 3024)] {
    guard let crop = try? recipe.resolved(for: size) else { continue }
    guard crop.output.width >= 1, crop.output.height >= 1, crop.rect.width >= 1 else {
      fatalError("a crop of nothing")
    }
  }
  guard let text = try? JSONEncoder().encode(recipe),
    let again = try? JSONDecoder().decode(CropRecipe.self, from: text)
  else { fatalError("what was written can't be read") }
  guard again.normalized() == recipe.normalized() else { fatalError("another recipe") }
}
