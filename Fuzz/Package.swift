// swift-tools-version: 6.2

import PackageDescription

// Built by Scripts/fuzz.sh with libFuzzer and AddressSanitizer; without them the programs run the
// corpus and seeded changes of it.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "CropFuzz",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "CropKit", path: "..")],
  targets: [
    .executableTarget(
      name: "FuzzJPEG", dependencies: [.product(name: "CropJPEG", package: "CropKit")],
      swiftSettings: strict)
  ],
  swiftLanguageModes: [.v6]
)
