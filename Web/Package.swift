// swift-tools-version: 6.2

import PackageDescription

// CropWasm (the session), CropJPEGWasm (lossless crops, loaded with the first JPEG), CropExtraWasm
// (gain maps, four corners and borders, loaded with the first of them) and CropFileWasm (crops of
// files, for programs without a page) are only built for
// WebAssembly, by Scripts/build-wasm.sh: the same sources as Embedded Swift. CropReplay runs the session's functions natively, for comparison.

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
        "CropWire",
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropKernels", package: "CropKit"),
      ],
      swiftSettings: strict),
    .target(
      name: "JPEGABI",
      dependencies: [
        "CropWire", "FileWire",
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropJPEG", package: "CropKit"),
      ],
      swiftSettings: strict),
    .target(
      name: "ExtraABI",
      dependencies: [
        "CropWire", "FileWire",
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropJPEG", package: "CropKit"),
        .product(name: "CropKernels", package: "CropKit"),
      ],
      swiftSettings: strict),
    .target(
      name: "FileABI",
      dependencies: [
        "CropWire", "FileWire",
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropJPEG", package: "CropKit"),
        .product(name: "CropKernels", package: "CropKit"),
      ],
      swiftSettings: strict),
    .target(name: "CropWire", swiftSettings: strict),
    .target(
      name: "FileWire",
      dependencies: [.product(name: "CropJPEG", package: "CropKit")],
      // For the two functions that the modules import.
      swiftSettings: strict + [.enableExperimentalFeature("Extern")]),
    .target(name: "CMemory"),
    .executableTarget(
      name: "CropWasm", dependencies: ["CropABI", "CMemory"], swiftSettings: strict),
    .executableTarget(
      name: "CropJPEGWasm", dependencies: ["JPEGABI", "CMemory"], swiftSettings: strict),
    .executableTarget(
      name: "CropExtraWasm", dependencies: ["ExtraABI", "CMemory"], swiftSettings: strict),
    .executableTarget(
      name: "CropFileWasm", dependencies: ["FileABI", "CMemory"], swiftSettings: strict),
    .executableTarget(
      name: "CropReplay", dependencies: ["CropABI", "CropWire"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
