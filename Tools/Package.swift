// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "CropKitTools",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "cropkit", targets: ["cropkit"]),
    .executable(name: "cropkit-server", targets: ["cropkit-server"]),
    .executable(name: "cropkit-worker", targets: ["cropkit-worker"]),
  ],
  dependencies: [
    .package(name: "CropKit", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .executableTarget(
      name: "cropkit",
      dependencies: [
        "CropArguments",
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropImaging", package: "CropKit"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict,
      // Nothing to load and to relocate: a command that runs for milliseconds starts in one.
      linkerSettings: [
        .unsafeFlags(["-static-executable"], .when(platforms: [.linux], configuration: .release))
      ]),
    .target(
      name: "CropArguments",
      dependencies: [
        .product(name: "CropImaging", package: "CropKit"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    .target(name: "CPage"),
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode",
      providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
    .target(
      name: "PhotoLibrary",
      dependencies: [
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropImaging", package: "CropKit"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Crypto", package: "swift-crypto"),
      ], swiftSettings: strict),
    .target(
      name: "CropServer",
      dependencies: [
        "CPage", "PhotoLibrary",
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropImaging", package: "CropKit"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "cropkit-server",
      dependencies: [
        "CropArguments", "CropServer", "CQREncode",
        .product(name: "CropImaging", package: "CropKit"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "cropkit-worker",
      dependencies: [
        .product(name: "CropImaging", package: "CropKit"),
        .product(name: "CropPixels", package: "CropKit"),
      ], swiftSettings: strict),
    .testTarget(
      name: "ToolsTests",
      dependencies: [
        "cropkit", "cropkit-server", "cropkit-worker", "CropArguments", "CropServer",
        "PhotoLibrary",
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropImaging", package: "CropKit"),
      ], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x
)
