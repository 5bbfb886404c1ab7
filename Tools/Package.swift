// swift-tools-version: 6.2

import PackageDescription

let isDevelopment = Context.environment["CROPKIT_DEVELOPMENT"] != nil
let strict: [SwiftSetting] = isDevelopment ? [.treatAllWarnings(as: .error)] : []

/// Modules of the package of the libraries.
func libraries(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "CropKit") }
}

/// The tests of a library are here and not in its own package, so that one build serves all tests:
/// `Tests/Libraries` is a link to the folder `Tests` of the root.
func libraryTests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/Libraries/\(name)",
    swiftSettings: strict)
}

// The functions that CAllocationWrap replaces in a statically linked program.
let wrapped = ["malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "pthread_create"]

let package = Package(
  name: "CropKitTools",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "cropkit", targets: ["cropkit"]),
    .executable(name: "cropkit-server", targets: ["cropkit-server"]),
  ],
  traits: [
    .trait(
      name: "TLS", description: "cropkit serve --tls-cert: compiles BoringSSL, which takes minutes."
    )
  ],
  dependencies: [
    .package(name: "CropKit", path: ".."),
    .package(name: "CropWasm", path: "../Web"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // No traits: their features (configuration, all of Foundation) are not used.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.10.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .executableTarget(
      name: "cropkit",
      dependencies: [
        "CropArguments",
        .product(name: "CAllocationWrap", package: "CropKit"),
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropImaging", package: "CropKit"),
        // Built with it, into the same folder.
        .product(name: "cropkit-worker", package: "CropKit"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict,
      // Nothing to load and relocate: a command that takes milliseconds starts in one.
      linkerSettings: [
        .unsafeFlags(
          ["-static-executable"] + wrapped.flatMap { ["-Xlinker", "--wrap=\($0)"] },
          .when(platforms: [.linux], configuration: .release))
      ]),
    .target(
      name: "CropArguments",
      dependencies: [
        "CVersion",
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropImaging", package: "CropKit"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    .target(name: "CPage"),
    .target(name: "CVersion"),
    .systemLibrary(
      name: "CNettle", pkgConfig: "nettle",
      providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode",
      providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
    .target(
      name: "PhotoLibrary",
      dependencies: [
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropImaging", package: "CropKit"),
        "CNettle", "CSQLite",
      ], swiftSettings: strict),
    .target(
      name: "CropServer",
      dependencies: [
        "CCurl", "CPage", "PhotoLibrary",
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropImaging", package: "CropKit"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(
          name: "HummingbirdTLS", package: "hummingbird", condition: .when(traits: ["TLS"])),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"])),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOExtras", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
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
    .testTarget(
      name: "ToolsTests",
      dependencies: [
        "cropkit", "cropkit-server", "CropArguments", "CropServer", "PhotoLibrary", "TestMaterial",
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropImaging", package: "CropKit"),
        .product(name: "Logging", package: "swift-log"),
        // For the tests under node, which compare it with the module of the page.
        .product(name: "CropReplay", package: "CropWasm"),
      ], swiftSettings: strict),
    libraryTests("CropCoreTests", libraries("CropCore", "CropKernels") + ["TestMaterial"]),
    libraryTests(
      "CropKernelsTests", libraries("CropCore", "CropKernels") + ["TestMaterial"]),
    libraryTests("CropMetadataTests", libraries("CropCore", "CropMetadata") + ["TestMaterial"]),
    libraryTests("CropJPEGTests", libraries("CropJPEG") + ["TestMaterial"]),
    libraryTests("CropSystemTests", libraries("CropSystem") + ["TestMaterial"]),
    libraryTests("CropFormatsTests", libraries("CropFormats") + ["TestMaterial"]),
    libraryTests(
      "CropImagingTests",
      libraries("CropCore", "CropImaging", "CropJPEG", "CropSystem")
        + ["TestMaterial", "WorkerProbe"]),
    libraryTests(
      "CropPixelsTests",
      libraries("CropCore", "CropFormats", "CropImaging", "CropPixels") + ["TestMaterial"]),
    .target(
      name: "TestMaterial", path: "Tests/Libraries/TestMaterial", swiftSettings: strict),
    // A worker that misbehaves on request, for the tests of the pool.
    .executableTarget(
      name: "WorkerProbe", dependencies: libraries("CAllocationHook", "CropCore", "CropImaging"),
      path: "Tests/Libraries/WorkerProbe", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x
)

// `make cli` sets this: only the command line and its worker, and only the packages that they need.
if Context.environment["CROPKIT_CLI"] != nil {
  let wanted = ["cropkit", "CropArguments", "CVersion"]
  package.products.removeAll { !wanted.contains($0.name) }
  package.targets.removeAll { !wanted.contains($0.name) }
  package.dependencies.removeAll { dependency in
    guard case .sourceControl(_, let address, _) = dependency.kind else { return false }
    return !address.hasSuffix("/swift-argument-parser")
  }
}
