// swift-tools-version: 6.2

import PackageDescription

// No package dependency here, for ever: an app that adds CropKit gets nothing else. What needs
// packages, another triple or a sanitizer is a nested package (Tools, Web, Benchmarks, Fuzz …).

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "CropKit",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [
    .library(name: "CropCore", targets: ["CropCore"]),
    .library(name: "CropJPEG", targets: ["CropJPEG"]),
    .library(name: "CropUIKit", targets: ["CropUIKit"]),
    .library(name: "CropImaging", targets: ["CropImaging"]),
    .library(name: "CropPixels", targets: ["CropPixels"]),
  ],
  targets: [
    .target(name: "CropCore", swiftSettings: strict),
    .target(name: "CropJPEG", dependencies: ["CropCore"], swiftSettings: strict),
    // Empty but for Apple's platforms. No errors for warnings: each Xcode deprecates something else; the
    // check without Apple's SDK (Checks/UIKitStub) is strict.
    .target(name: "CropUIKit", dependencies: ["CropCore", "CropJPEG"]),
    // Not "CSystem": a package that Tools depends on has a target of that name.
    .target(name: "CSystemCalls", path: "Sources/CSystem"),
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .target(
      name: "CropImaging", dependencies: ["CropCore", "CropJPEG", "CJPEG", "CSystemCalls"],
      swiftSettings: strict),
    .systemLibrary(
      name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"]), .brew(["vips"])]),
    .target(
      name: "CropPixels", dependencies: ["CropCore", "CropImaging", "CVips"],
      swiftSettings: strict),
    .testTarget(
      name: "CropCoreTests", dependencies: ["CropCore", "TestMaterial"], swiftSettings: strict),
    .testTarget(
      name: "CropJPEGTests", dependencies: ["CropJPEG", "TestMaterial"], swiftSettings: strict),
    .testTarget(
      name: "CropImagingTests",
      dependencies: ["CropCore", "CropImaging", "CropJPEG", "TestMaterial", "WorkerProbe"],
      swiftSettings: strict),
    .target(name: "TestMaterial", path: "Tests/TestMaterial", swiftSettings: strict),
    // A worker that misbehaves as it is told, for the tests of the pool.
    .executableTarget(
      name: "WorkerProbe", dependencies: ["CropCore", "CropImaging"], path: "Tests/WorkerProbe",
      swiftSettings: strict),
    .testTarget(
      name: "CropPixelsTests",
      dependencies: ["CropCore", "CropImaging", "CropPixels", "CVips", "TestMaterial"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
