// swift-tools-version: 6.2

import PackageDescription

// This package has no dependencies, so an app that adds CropKit gets no other packages. Code that
// needs packages, another triple or a sanitizer is in nested packages (Tools, Web, Benchmarks, Fuzz
// …).
//
// The core, the metadata, the JPEG cutter and the views build on Apple's platforms too; modules
// that import CropSystem only build on Linux: processes with limits, seccomp, /proc.

// Set by the Makefile and the scripts. An app that depends on this package gets neither strict
// warnings, which its own flags may contradict, nor unsafe flags, which SwiftPM would refuse.
let isDevelopment = Context.environment["CROPKIT_DEVELOPMENT"] != nil

let strict: [SwiftSetting] = isDevelopment ? [.treatAllWarnings(as: .error)] : []
// In debug builds, and so in all tests, a session's state is checked after every input.
let checked: [SwiftSetting] = strict + [.define("CROPKIT_CHECKS", .when(configuration: .debug))]
// The modules that loop over pixels and codes are optimized in debug builds too, with assertions:
// without, a crop takes up to fifty times as long.
let fast: [SwiftSetting] =
  isDevelopment
  ? [
    .unsafeFlags(
      [
        "-O", "-whole-module-optimization", "-num-threads", "2", "-assert-config", "Debug",
        // Optimizing their copies in other modules takes longer than it saves.
        "-disable-cmo",
      ],
      .when(configuration: .debug))
  ] : []

let package = Package(
  name: "CropKit",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [
    .library(name: "CropCore", targets: ["CropCore"]),
    .library(name: "CropKernels", targets: ["CropKernels"]),
    .library(name: "CropMetadata", targets: ["CropMetadata"]),
    .library(name: "CropJPEG", targets: ["CropJPEG"]),
    .library(name: "CropUIKit", targets: ["CropUIKit"]),
    .library(name: "CropSamples", targets: ["CropSamples"]),
    .library(name: "CropSystem", targets: ["CropSystem"]),
    .library(name: "CropFormats", targets: ["CropFormats"]),
    .library(name: "CropImaging", targets: ["CropImaging"]),
    .library(name: "CropPixels", targets: ["CropPixels"]),
    // For servers: a target that depends on it gets it into the folder of its program, where
    // CropEngine.sandboxed() looks for it.
    .executable(name: "cropkit-worker", targets: ["cropkit-worker"]),
    // For worker programs (WorkerLoop): reports which resource ran out.
    .library(name: "CAllocationHook", targets: ["CAllocationHook"]),
    .library(name: "CAllocationWrap", targets: ["CAllocationWrap"]),
  ],
  targets: [
    .target(name: "CropCore", swiftSettings: checked),
    .target(name: "CropKernels", dependencies: ["CropCore"], swiftSettings: strict + fast),
    .target(name: "CropMetadata", dependencies: ["CropCore"], swiftSettings: strict),
    .target(
      name: "CropJPEG", dependencies: ["CropCore", "CropMetadata", "CropKernels"],
      swiftSettings: strict + fast),
    // Empty except on Apple's platforms. Warnings are not errors: each Xcode deprecates other APIs;
    // the check without Apple's SDK (Checks/UIKitStub) is strict.
    .target(
      name: "CropUIKit", dependencies: ["CropCore", "CropJPEG", "CropKernels"],
      resources: [.copy("PrivacyInfo.xcprivacy")]),
    // Separate from CropUIKit: the samples' classes have Objective-C names that an app may have
    // itself, and an app without a camera must not link code that uses one.
    .target(
      name: "CropSamples", dependencies: ["CropCore", "CropUIKit"],
      resources: [.copy("PrivacyInfo.xcprivacy")]),
    // Not "CSystem": a package that Tools depends on has a target of that name.
    .target(name: "CSystemCalls", path: "Sources/CSystemCalls"),
    // Records which resources a worker was denied: for dynamically and for statically linked
    // programs.
    .target(name: "CAllocationHook", dependencies: ["CSystemCalls"]),
    .target(name: "CAllocationWrap", dependencies: ["CSystemCalls"]),
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "CropSystem", dependencies: ["CSystemCalls"], swiftSettings: strict),
    .systemLibrary(
      name: "CCompression", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(
      name: "CropFormats",
      dependencies: ["CropCore", "CropJPEG", "CropMetadata", "CropSystem", "CCompression"],
      swiftSettings: strict),
    .target(
      name: "CropImaging",
      dependencies: [
        "CropCore", "CropFormats", "CropJPEG", "CropMetadata", "CropKernels", "CropSystem",
        "CJPEG",
      ],
      swiftSettings: strict),
    // The headers of libvips are where the compiler looks; it only needs to be told where those of
    // GLib are. vips.pc has flags that SwiftPM refuses, with a warning in every build.
    .systemLibrary(
      name: "CVips", pkgConfig: "gobject-2.0", providers: [.apt(["libvips-dev"]), .brew(["vips"])]),
    .target(
      name: "CropPixels",
      dependencies: [
        "CropCore", "CropFormats", "CropImaging", "CropKernels", "CSystemCalls", "CVips",
      ],
      swiftSettings: strict + fast),
    .executableTarget(
      name: "cropkit-worker", dependencies: ["CAllocationHook", "CropImaging", "CropPixels"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
