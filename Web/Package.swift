// swift-tools-version: 6.2

import PackageDescription

// CropWasm (the session), CropJPEGWasm (loaded with the first JPEG), CropGainWasm (loaded with the
// first gain map) and CropQuadWasm (loaded with the first quad) are only built for WebAssembly, by
// Scripts/build-wasm.sh: the same sources as Embedded Swift. CropReplay runs the session's functions
// natively, for comparison.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "CropWasm",
  products: [
    .library(name: "CMemory", targets: ["CMemory"]),
    .executable(name: "CropReplay", targets: ["CropReplay"]),
  ],
  dependencies: [.package(name: "CropKit", path: "..")],
  targets: [
    .target(
      name: "CropABI",
      dependencies: [
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropKernels", package: "CropKit"),
      ],
      swiftSettings: strict),
    .target(
      name: "JPEGABI",
      dependencies: [
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropJPEG", package: "CropKit"),
      ],
      // For the two functions that the module imports.
      swiftSettings: strict + [.enableExperimentalFeature("Extern")]),
    .target(
      name: "GainABI",
      dependencies: [
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropJPEG", package: "CropKit"),
      ],
      swiftSettings: strict + [.enableExperimentalFeature("Extern")]),
    .target(
      name: "QuadABI",
      dependencies: [
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropKernels", package: "CropKit"),
      ],
      swiftSettings: strict),
    .target(name: "CMemory"),
    .executableTarget(
      name: "CropJPEGWasm", dependencies: ["JPEGABI", "CMemory"], swiftSettings: strict),
    .executableTarget(
      name: "CropGainWasm", dependencies: ["GainABI", "CMemory"], swiftSettings: strict),
    .executableTarget(
      name: "CropWasm", dependencies: ["CropABI", "CMemory"], swiftSettings: strict),
    .executableTarget(
      name: "CropQuadWasm", dependencies: ["QuadABI", "CMemory"], swiftSettings: strict),
    .executableTarget(name: "CropReplay", dependencies: ["CropABI"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
