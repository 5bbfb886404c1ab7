// swift-tools-version: 6.0

import AppleProductTypes
import PackageDescription

// An app for Swift Playgrounds and Xcode. Checks/UIKitStub compiles its sources without them.

let package = Package(
  name: "CropDemo",
  platforms: [.iOS("16.0")],
  products: [
    .iOSApplication(
      name: "CropDemo",
      targets: ["CropDemo"],
      displayVersion: "1.0",
      bundleVersion: "1",
      appIcon: .placeholder(icon: .camera),
      accentColor: .presetColor(.orange),
      supportedDeviceFamilies: [.pad, .phone],
      supportedInterfaceOrientations: [
        .portrait, .landscapeRight, .landscapeLeft,
        .portraitUpsideDown(.when(deviceFamilies: [.pad])),
      ],
      capabilities: [
        .camera(purposeString: "To take the photo that you crop."),
        .photoLibrary(purposeString: "To choose the photo that you crop."),
        .photoLibraryAdd(purposeString: "To keep what you cropped."),
      ],
      // Trackpads and mice; 120 Hz on phones that support it.
      additionalInfoPlistContentFilePath: "Info.plist"
    )
  ],
  // If the app is opened without the repository, as in Swift Playgrounds, use the published
  // package: dependencies: [.package(url: "https://example.com/CropKit.git", branch: "main")],
  dependencies: [.package(name: "CropKit", path: "../..")],
  targets: [
    .executableTarget(
      name: "CropDemo",
      dependencies: [
        .product(name: "CropSamples", package: "CropKit"),
        .product(name: "CropUIKit", package: "CropKit"),
      ],
      path: "Sources",
      resources: [.process("Resources")]
    )
  ],
  swiftLanguageModes: [.v6]
)
