// swift-tools-version: 6.2

import PackageDescription

// `bench` makes its inputs and runs CropKit and its peers in turn; `jpegcut` is the smallest program
// that cuts a JPEG, so that a process of ours can be compared with a process of jpegtran.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "CropBenchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "CropKit", path: "..")],
  targets: [
    .executableTarget(
      name: "jpegcut", dependencies: [.product(name: "CropJPEG", package: "CropKit")],
      swiftSettings: strict),
    .executableTarget(name: "bench", swiftSettings: strict),
    .executableTarget(
      name: "interaction", dependencies: [.product(name: "CropCore", package: "CropKit")],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
