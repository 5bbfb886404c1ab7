// swift-tools-version: 6.2

import PackageDescription

// Compiles the sources of CropUIKit without Apple's SDK: against stand-ins for its frameworks, with
// Apple's names and signatures. README.md lists what is left out because it needs Objective-C.
//
// Each declaration of a stand-in names the page that documents it, below
// https://developer.apple.com/documentation/, or says that it is not Apple's. One that iOS 16 or
// visionOS 1 does not have says so with `@available`, which Scripts/availability.sh checks.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

// Views are used on the main actor, so tests run on it. The testing library's additions for Apple's
// frameworks don't apply to the stand-ins.
let onMainActor: [SwiftSetting] = [
  .defaultIsolation(MainActor.self),
  .unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"]),
]

// Code that imports CropUIKit or CropSamples gets these targets.
let asChecked: [SwiftSetting] = [
  .unsafeFlags([
    "-module-alias", "CropUIKit=CheckedCropUIKit",
    "-module-alias", "CropSamples=CheckedCropSamples",
  ])
]

// As Xcode 26 sets up new apps.
let newApp: [SwiftSetting] = [
  .defaultIsolation(MainActor.self),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

let package = Package(
  name: "UIKitStub",
  dependencies: [.package(name: "CropKit", path: "../..")],
  targets: [
    .target(name: "MacTypes", swiftSettings: strict),
    .target(name: "Combine", swiftSettings: strict),
    .target(name: "CoreGraphics", dependencies: ["MacTypes"], swiftSettings: strict),
    .target(name: "QuartzCore", dependencies: ["CoreGraphics"], swiftSettings: strict),
    .target(name: "ImageIO", dependencies: ["CoreGraphics"], swiftSettings: strict),
    .target(name: "UniformTypeIdentifiers", swiftSettings: strict),
    .target(name: "UIKit", dependencies: ["CoreGraphics", "QuartzCore"], swiftSettings: strict),
    .target(name: "Photos", dependencies: ["UIKit"], swiftSettings: strict),
    .target(name: "PhotosUI", dependencies: ["Photos", "UIKit"], swiftSettings: strict),
    .target(name: "AVFoundation", dependencies: ["UIKit"], swiftSettings: strict),
    .target(name: "SwiftUI", dependencies: ["Combine", "UIKit"], swiftSettings: strict),
    // The folders here are links to those of the root's CropUIKit.
    .target(
      name: "CheckedCropUIKit",
      dependencies: [
        "UIKit", "PhotosUI", "Combine", "SwiftUI", "ImageIO", "UniformTypeIdentifiers",
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropJPEG", package: "CropKit"),
        .product(name: "CropKernels", package: "CropKit"),
      ], path: "Sources/CropUIKit", swiftSettings: strict),
    .target(
      name: "CheckedCropSamples",
      dependencies: [
        "CheckedCropUIKit", "UIKit", "Photos", "PhotosUI", "AVFoundation",
        .product(name: "CropCore", package: "CropKit"),
      ], path: "Sources/CropSamples", swiftSettings: strict + asChecked),
    // The example app; its folder is also a link. CropUIKit has another name here.
    .executableTarget(
      name: "CropDemo",
      dependencies: ["CheckedCropUIKit", "CheckedCropSamples", "SwiftUI", "AVFoundation"],
      resources: [.process("Resources")], swiftSettings: strict + asChecked + newApp),
    // A new app in Xcode; its folder is a link too.
    .target(
      name: "AppByURL",
      dependencies: ["CheckedCropUIKit", "CheckedCropSamples", "SwiftUI", "UIKit"],
      swiftSettings: strict + asChecked + newApp),
    .testTarget(
      name: "DemoTests",
      dependencies: [
        "CropDemo", "CheckedCropUIKit", "CheckedCropSamples", "UIKit",
        .product(name: "CropCore", package: "CropKit"),
      ], swiftSettings: strict + onMainActor + asChecked),
    .target(name: "TestMaterial", path: "Tests/TestMaterial", swiftSettings: strict),
    .testTarget(
      name: "CropUIKitTests",
      dependencies: [
        "CheckedCropUIKit", "CheckedCropSamples", "UIKit", "SwiftUI", "AVFoundation", "Photos",
        "PhotosUI",
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropJPEG", package: "CropKit"),
      ], swiftSettings: strict + onMainActor),
    // The core's scenarios, run through a view. The folder is a link; the type Scenario is a
    // different one here.
    .testTarget(
      name: "ReplayTests",
      dependencies: [
        "CheckedCropUIKit", "UIKit", "TestMaterial",
        .product(name: "CropCore", package: "CropKit"),
      ], exclude: ["Scenarios/Scenario.swift"], swiftSettings: strict + onMainActor),
  ],
  swiftLanguageModes: [.v6]
)
