// swift-tools-version: 6.2

import PackageDescription

// What an app gets that adds CropKit by its URL, with the settings of a new project in Xcode 26. Xcode
// compiles such a dependency with other options than one in a folder. For a clone in CI, the URL is
// replaced.

let package = Package(
  name: "AppByURL",
  platforms: [.iOS(.v16)],
  products: [.library(name: "AppByURL", targets: ["AppByURL"])],
  dependencies: [.package(url: "https://example.com/CropKit.git", branch: "main")],
  targets: [
    .target(
      name: "AppByURL",
      dependencies: [
        .product(name: "CropSamples", package: "CropKit"),
        .product(name: "CropUIKit", package: "CropKit"),
      ],
      swiftSettings: [
        .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
