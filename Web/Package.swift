// swift-tools-version: 6.2

import PackageDescription

// Built only for WebAssembly, by Scripts/build-wasm.sh: the same sources of CropCore as Embedded Swift.

let package = Package(
  name: "CropWasm",
  dependencies: [.package(name: "CropKit", path: "..")],
  targets: [
    .executableTarget(
      name: "CropWasm", dependencies: [.product(name: "CropCore", package: "CropKit")],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
