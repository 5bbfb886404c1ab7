import CropUIKit
import SwiftUI

/// The editor and the crop screen, used by an app in SwiftUI.
struct EditorScreen: View {
  @StateObject private var session = CropEditorSession()
  @State private var toCrop: UIImage?
  @State private var result: UIImage?

  private let photo = SampleFiles.street

  var body: some View {
    VStack(spacing: 12) {
      CropEditor(image: photo, session: session)
        .cropStyle(.studio)
        .cropGrid(.thirds)
      if let result {
        Image(uiImage: result).resizable().scaledToFit()
      }
      Button("Undo") { session.undo() }
        .disabled(!session.canUndo)
      Button("Crop", action: crop)
        .disabled(session.recipe == nil)
      Button("Crop screen") { toCrop = photo }
        .padding()
    }
    .cropSheet(image: $toCrop) { finished in
      if let finished { result = finished.image }
    }
  }

  private func crop() {
    Task { result = try? await session.croppedImage() }
  }
}
