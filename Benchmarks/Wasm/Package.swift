// swift-tools-version: 6.2

import PackageDescription

// The JPEG cutter alone as WebAssembly, to be measured; built and run by Benchmarks/wasm.sh.

let package = Package(
  name: "JPEGWasm",
  dependencies: [
    .package(name: "CropKit", path: "../.."), .package(name: "CropWasm", path: "../../Web"),
  ],
  targets: [
    .executableTarget(
      name: "JPEGWasm",
      dependencies: [
        .product(name: "CropJPEG", package: "CropKit"),
        .product(name: "CMemory", package: "CropWasm"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
