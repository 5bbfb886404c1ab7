#if canImport(UIKit)
  import CropCore
  import SwiftUI
  import UIKit

  extension View {
    /// Covers the screen with a ``CropViewController`` while there is a picture to crop.
    ///
    ///     .cropSheet(image: $photoToCrop) { result in
    ///       if let result { photo = result.image }
    ///     }
    ///
    /// - Parameters:
    ///   - image: the picture; nil closes the screen, and is what the screen leaves behind.
    ///   - prepare: sets what the screen is to offer.
    ///   - onFinish: gets the result; nil when the person gave up.
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

    /// A screen for a picture; it does not close itself.
    ///
    /// - Parameters:
    ///   - image: the picture.
    ///   - prepare: sets what the screen is to offer.
    ///   - onFinish: gets the result; nil when the person gave up.
    public init(
      image: UIImage, prepare: @escaping @MainActor (CropViewController) -> Void = { _ in },
      onFinish: @escaping @MainActor (CropResult?) -> Void
    ) {
      (self.image, self.prepare, self.onFinish) = (image, prepare, onFinish)
    }

    /// The screen.
    public func makeUIViewController(context: Context) -> CropViewController { make() }

    /// The same without SwiftUI's context.
    func make() -> CropViewController {
      let screen = CropViewController(image: image)
      screen.closesItself = false
      screen.onFinish = onFinish
      prepare(screen)
      return screen
    }

    /// Nothing: a screen is for one picture.
    public func updateUIViewController(_ controller: CropViewController, context: Context) {}
  }
#endif
