import SwiftUI

/// The samples' flow in UIKit, and the editor in SwiftUI.
@main
struct DemoApp: App {
  var body: some SwiftUI.Scene {
    WindowGroup {
      TabView {
        SampleScreen()
          .ignoresSafeArea()
          .tabItem { Label("CropImg", systemImage: "crop") }
        EditorScreen()
          .tabItem { Label("Editor", systemImage: "slider.horizontal.3") }
      }
    }
  }
}

/// CropImg's screen in SwiftUI's tabs.
struct SampleScreen: UIViewControllerRepresentable {
  func makeUIViewController(context: Context) -> UINavigationController {
    UINavigationController(rootViewController: SampleViewController())
  }

  func updateUIViewController(_ controller: UINavigationController, context: Context) {}
}
