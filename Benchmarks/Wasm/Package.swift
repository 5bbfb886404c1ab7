// swift-tools-version: 6.2

import PackageDescription

// Only the JPEG cutter as WebAssembly, for measurements; Benchmarks/wasm.sh builds and runs it.

let package = Package(
  name: "JPEGWasm",
  dependencies: [
    .package(name: "CropKit", path: "../.."), .package(name: "CropWasm", path: "../../Web"),
  ],
  targets: [
    .executableTarget(
      name: "JPEGWasm",
      dependencies: [
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropJPEG", package: "CropKit"),
        .product(name: "CMemory", package: "CropWasm"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
