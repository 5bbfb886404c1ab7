// swift-tools-version: 6.2

import PackageDescription

// Scripts/fuzz.sh builds this with libFuzzer and AddressSanitizer. Without them, the programs run
// the corpus and seeded mutations of it.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "CropFuzz",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "CropKit", path: "..")],
  targets: [
    .target(name: "FuzzDriver", swiftSettings: strict),
    .executableTarget(
      name: "FuzzJPEG",
      dependencies: [
        "FuzzDriver", .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropJPEG", package: "CropKit"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "FuzzMetadata",
      dependencies: [
        "FuzzDriver", .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropJPEG", package: "CropKit"),
        .product(name: "CropMetadata", package: "CropKit"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "FuzzHeaders",
      dependencies: [
        "FuzzDriver", .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropImaging", package: "CropKit"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "FuzzPixels",
      dependencies: [
        "FuzzDriver", .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropImaging", package: "CropKit"),
        .product(name: "CropPixels", package: "CropKit"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "FuzzRecipe",
      dependencies: ["FuzzDriver", .product(name: "CropCore", package: "CropKit")],
      swiftSettings: strict),
    .executableTarget(
      name: "FuzzSidecars",
      dependencies: [
        "FuzzDriver", .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropImaging", package: "CropKit"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
