import CropUIKit
import SwiftUI
import UIKit

/// A photo that is cropped in SwiftUI. Only `CropUIKit` is imported for recipes, ratios and angles.
struct PhotoScreen: View {
  @State private var photo: UIImage
  @State private var toCrop: UIImage?
  @State private var recipe: CropRecipe?
  @StateObject private var session = CropEditorSession()

  init(photo: UIImage) {
    _photo = State(initialValue: photo)
  }

  var body: some View {
    VStack(spacing: 8) {
      Image(uiImage: photo).resizable().scaledToFit()
      CropEditor(image: photo, recipe: $recipe)
        .cropStyle(.viewfinder)
        .cropRatio(.fixed(16, 9))
        .cropGrid(.thirds)
      CropEditor(image: photo, session: session)
      Button("Turn") { session.execute(.turn(clockwise: true)) }
      Button("Crop") { toCrop = photo }
    }
    .cropSheet(image: $toCrop, prepare: { $0.ratio = .fixed(.square) }) { result in
      if let result { photo = result.image }
    }
  }
}
