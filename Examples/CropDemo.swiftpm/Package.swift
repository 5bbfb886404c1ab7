// swift-tools-version: 6.0

import AppleProductTypes
import PackageDescription

// An app for Swift Playgrounds and Xcode. Its sources are checked without them in Checks/UIKitStub.

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
        .camera(purposeString: "To take the picture that you crop."),
        .photoLibrary(purposeString: "To choose the picture that you crop."),
        .photoLibraryAdd(purposeString: "To keep what you cropped."),
      ],
      // Trackpads and mice; 120 frames a second on phones that have them.
      additionalInfoPlistContentFilePath: "Info.plist"
    )
  ],
  // Opened alone, as in Swift Playgrounds, the app gets the package from where it is published:
  // dependencies: [.package(url: "https://example.com/CropKit.git", branch: "main")],
  dependencies: [.package(name: "CropKit", path: "../..")],
  targets: [
    .executableTarget(
      name: "CropDemo",
      dependencies: [
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropUIKit", package: "CropKit"),
      ],
      path: "Sources",
      resources: [.process("Resources")]
    )
  ],
  swiftLanguageModes: [.v6]
)
