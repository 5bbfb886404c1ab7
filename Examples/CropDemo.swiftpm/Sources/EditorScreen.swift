import CropCore
import CropUIKit
import SwiftUI

/// The editor as an app in SwiftUI uses it: a picture, a recipe, and what comes of both.
struct EditorScreen: View {
  @State private var recipe: CropRecipe?
  @State private var result: UIImage?

  private let photo = SampleFiles.picture

  var body: some View {
    VStack(spacing: 12) {
      CropEditor(image: photo, recipe: $recipe)
        .cropStyle(.studio)
        .cropGrid(.thirds)
      if let result {
        Image(uiImage: result).resizable().scaledToFit()
      }
      Button("Crop", action: crop)
        .disabled(recipe == nil)
        .padding()
    }
  }

  private func crop() {
    guard let photo, let recipe else { return }
    Task { result = try? await photo.cropped(by: recipe) }
  }
}
