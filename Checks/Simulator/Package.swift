// swift-tools-version: 6.2

import PackageDescription

// Tests of the views with Apple's frameworks, for a Simulator or a device: xcodebuild test.

let package = Package(
  name: "CropSimulator",
  platforms: [.iOS(.v16)],
  products: [.library(name: "CropSimulator", targets: ["CropSimulator"])],
  dependencies: [.package(name: "CropKit", path: "../..")],
  targets: [
    // A scheme needs something to build.
    .target(
      name: "CropSimulator",
      dependencies: [
        .product(name: "CropSamples", package: "CropKit"),
        .product(name: "CropUIKit", package: "CropKit"),
      ]),
    .testTarget(
      name: "CropSimulatorTests",
      dependencies: [
        "CropSimulator", .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropSamples", package: "CropKit"),
        .product(name: "CropUIKit", package: "CropKit"),
      ], resources: [.copy("upright-street.jpg")],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
  ],
  swiftLanguageModes: [.v6]
)
