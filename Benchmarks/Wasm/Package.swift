// swift-tools-version: 6.2

import PackageDescription

// The JPEG cutter alone as WebAssembly, to be measured; built and run by Benchmarks/wasm.sh.

let package = Package(
  name: "JPEGWasm",
  dependencies: [.package(name: "CropKit", path: "../..")],
  targets: [
    .executableTarget(
      name: "JPEGWasm", dependencies: [.product(name: "CropJPEG", package: "CropKit")],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
