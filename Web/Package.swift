// swift-tools-version: 6.2

import PackageDescription

// CropWasm is built only for WebAssembly, by Scripts/build-wasm.sh: the same sources of CropCore as
// Embedded Swift. CropReplay runs the same functions natively, for comparison.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "CropWasm",
  dependencies: [.package(name: "CropKit", path: "..")],
  targets: [
    .target(
      name: "CropABI", dependencies: [.product(name: "CropCore", package: "CropKit")],
      swiftSettings: strict),
    .executableTarget(name: "CropWasm", dependencies: ["CropABI"], swiftSettings: strict),
    .executableTarget(name: "CropReplay", dependencies: ["CropABI"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
