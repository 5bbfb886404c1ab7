// swift-tools-version: 6.2

import PackageDescription

// `bench` generates its inputs and runs CropKit and its peers alternately. `jpegcut` is a minimal program that
// crops a JPEG, so that its process can be compared with one of jpegtran.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "CropBenchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "CropKit", path: "..")],
  targets: [
    .executableTarget(
      name: "jpegcut",
      dependencies: [
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropJPEG", package: "CropKit"),
      ],
      swiftSettings: strict),
    .executableTarget(name: "bench", swiftSettings: strict),
    .executableTarget(
      name: "interaction", dependencies: [.product(name: "CropCore", package: "CropKit")],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
