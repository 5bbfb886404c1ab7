import SwiftUI

/// The four samples, and the crop screen and the editor in SwiftUI.
@main
struct DemoApp: App {
  var body: some Scene {
    WindowGroup {
      TabView {
        SampleScreen { CropImgViewController() }
          .ignoresSafeArea()
          .tabItem { Label("CropImg", systemImage: "crop") }
        SampleScreen { SquareViewController() }
          .ignoresSafeArea()
          .tabItem { Label("Square", systemImage: "square") }
        SampleScreen { MMSViewController() }
          .ignoresSafeArea()
          .tabItem { Label("MMSCropView", systemImage: "rectangle.dashed") }
        SampleScreen { CameraDemoViewController() }
          .ignoresSafeArea()
          .tabItem { Label("CameraDemo", systemImage: "camera") }
        EditorScreen()
          .tabItem { Label("Crop screen", systemImage: "slider.horizontal.3") }
      }
    }
  }
}

/// A sample's screen in SwiftUI's tabs.
struct SampleScreen: UIViewControllerRepresentable {
  private let make: @MainActor () -> UIViewController

  init(_ make: @escaping @MainActor () -> UIViewController) {
    self.make = make
  }

  func makeUIViewController(context: Context) -> UINavigationController {
    UINavigationController(rootViewController: make())
  }

  func updateUIViewController(_ controller: UINavigationController, context: Context) {}
}
