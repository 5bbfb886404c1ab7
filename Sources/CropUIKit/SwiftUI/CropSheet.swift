#if canImport(UIKit)
  import CropCore
  import SwiftUI
  import UIKit

  extension View {
    /// Covers the screen with a ``CropViewController`` while there is an image to crop.
    ///
    ///     .cropSheet(image: $photoToCrop) { result in
    ///       if let result { photo = result.image }
    ///     }
    ///
    /// - Parameters:
    ///   - image: the image; nil closes the screen. The screen sets it to nil when it closes.
    ///   - prepare: configures the screen before it appears.
    ///   - onFinish: receives the result; nil if the user cancelled.
    public func cropSheet(
      image: Binding<UIImage?>,
      prepare: @escaping @MainActor (CropViewController) -> Void = { _ in },
      onFinish: @escaping @MainActor (CropResult?) -> Void
    ) -> some View {
      let isPresented = Binding(
        get: { image.wrappedValue != nil },
        set: { if !$0 { image.wrappedValue = nil } })
      return fullScreenCover(isPresented: isPresented) {
        if let picture = image.wrappedValue {
          CropScreen(image: picture, prepare: prepare) { result in
            image.wrappedValue = nil
            onFinish(result)
          }
          .ignoresSafeArea()
        }
      }
    }
  }

  /// A ``CropViewController`` in SwiftUI.
  public struct CropScreen: UIViewControllerRepresentable {
    private let image: UIImage
    private let prepare: @MainActor (CropViewController) -> Void
    private let onFinish: @MainActor (CropResult?) -> Void

    /// A screen for an image; it does not close itself.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - prepare: configures the screen before it appears.
    ///   - onFinish: receives the result; nil if the user cancelled.
    public init(
      image: UIImage, prepare: @escaping @MainActor (CropViewController) -> Void = { _ in },
      onFinish: @escaping @MainActor (CropResult?) -> Void
    ) {
      (self.image, self.prepare, self.onFinish) = (image, prepare, onFinish)
    }

    /// Creates the screen.
    public func makeUIViewController(context: Context) -> CropViewController { make() }

    /// Creates the screen without SwiftUI's context.
    func make() -> CropViewController {
      let screen = CropViewController(image: image)
      screen.closesItself = false
      screen.onFinish = onFinish
      prepare(screen)
      return screen
    }

    /// Shows another image, and reports to the current closure.
    public func updateUIViewController(_ controller: CropViewController, context: Context) {
      update(controller)
    }

    /// Updates the screen without SwiftUI's context.
    func update(_ screen: CropViewController) {
      screen.onFinish = onFinish
      if screen.cropView.image !== image { screen.cropView.image = image }
    }
  }
#endif
