import CropCore
import CropFormats
import FoundationEssentials

/// A crop that another program stores as numbers, in the photo or in a sidecar, without changing
/// the pixels.
public struct CropMark: Sendable, Equatable {
  /// The program that stored a crop.
  public enum Program: String, Sendable, Codable, CaseIterable {
    /// Adobe Lightroom.
    case lightroom
    /// Adobe Camera Raw, or another program that writes its `crs:` settings.
    case cameraRaw = "camera-raw"
    /// RawTherapee.
    case rawTherapee = "rawtherapee"
    /// Apple Photos.
    case applePhotos = "apple-photos"
    /// Immich.
    case immich

    /// The name for users.
    public var displayName: String {
      switch self {
      case .lightroom: "Lightroom"
      case .cameraRaw: "Camera Raw"
      case .rawTherapee: "RawTherapee"
      case .applePhotos: "Apple Photos"
      case .immich: "Immich"
      }
    }
  }

  /// The program that stored the crop.
  public var program: Program
  /// The recipe that makes the same crop.
  public var recipe: CropRecipe
  /// Whether the pixels are already cropped, as in an exported photo. The recipe must not be used
  /// then.
  public var isApplied = false
  /// Warnings about the crop.
  public var warnings: [CropWarning] = []
}

/// The JSON form: `program`, `recipe` and `isApplied`.
extension CropMark: Encodable {
  private enum CodingKeys: String, CodingKey { case program, recipe, isApplied }
}

// Reading.
extension CropMark {
  /// The largest sidecar that is read, in bytes.
  public static var maxBytes: Int { 1 << 20 }

  /// Reads the crop from Camera Raw's settings in the image file; nil if there is none.
  ///
  /// - Throws: `CropError` for a crop that can't be read or reproduced.
  public init?(in source: ImageSource, _ info: ImageInfo) throws(CropError) {
    guard info.metadata.contains(.xmp), let xmp = ImageMetadata(source).blocks.xmp else {
      return nil
    }
    do throws(CropError) {
      try self.init(xmp: xmp, isSidecar: false, name: source.name, info)
    } catch .corrupt(let file, let detail) {
      // An unknown packet does not mean that the image is damaged.
      throw .invalidRecipe(file: file, detail: "no crop is found in its XMP: \(detail)")
    }
  }

  /// Reads the crop from a sidecar: XMP with Camera Raw's settings, RawTherapee's pp3, Apple's AAE,
  /// or the edits of Immich as JSON. The type is detected by content.
  ///
  /// - Parameters:
  ///   - sidecar: the sidecar's bytes, at most ``maxBytes``.
  ///   - info: the image that it belongs to.
  ///   - photo: the name of the image's file; if it is given, a sidecar of another photo is an
  ///     error.
  /// - Throws: `CropError`, also for a sidecar without a crop.
  public init(
    sidecar: ImageSource, _ info: ImageInfo, of photo: String? = nil
  ) throws(CropError) {
    let name = sidecar.name
    guard sidecar.byteCount <= Self.maxBytes else {
      throw .limitExceeded(
        file: name, limit: .bytes, actual: sidecar.byteCount, allowed: Self.maxBytes)
    }
    let bytes = Array(try sidecar.allBytes())
    let found: Self?
    switch SidecarKind(bytes) {
    case .xmp:
      try Self.checkOwner(of: bytes, name: name, photo: photo)
      found = try Self(xmp: bytes, isSidecar: true, name: name, info)
    case .pp3: found = try Self(pp3: bytes, name: name, info)
    case .aae: found = try Self(aae: bytes, name: name, info)
    case .immich: found = try Self(immich: bytes, name: name, info)
    case nil:
      throw .corrupt(
        file: name,
        detail: "it is not XMP, a pp3 of RawTherapee, an AAE of Apple Photos or edits of Immich")
    }
    guard let found else { throw .invalidRecipe(file: name, detail: "it has no crop") }
    self = found
  }

  /// Checks that a sidecar of Camera Raw's settings is not that of another photo, such as the raw
  /// file beside a JPEG.
  static func checkOwner(of xmp: [UInt8], name: String, photo: String?) throws(CropError) {
    guard let owner = CameraRawCrop.owner(ofSidecar: xmp), !owner.isEmpty,
      let file = photo?.split(separator: "/").last, let dot = file.lastIndex(of: ".")
    else { return }
    func usual(_ name: String) -> String {
      let name = name.lowercased()
      return ["jpeg": "jpg", "tiff": "tif", "heif": "heic"][name] ?? name
    }
    let stated = String(decoding: owner.prefix(16), as: UTF8.self)
    guard usual(stated) != usual(String(file[file.index(after: dot)...])) else { return }
    throw .invalidRecipe(
      file: name,
      detail: "it belongs to the \(stated.uppercased()) file of the same name, not to \(file)")
  }

  private init?(
    xmp: [UInt8], isSidecar: Bool, name: String, _ info: ImageInfo
  ) throws(CropError) {
    let found: CameraRawCrop?
    do throws(MarkProblem) {
      found = try CameraRawCrop(xmp: xmp)
    } catch {
      throw error.words(in: name)
    }
    guard let found else { return nil }
    program = found.isOfLightroom ? .lightroom : .cameraRaw
    recipe = CropRecipe()
    isApplied = found.isApplied
    if isApplied { return }
    let area = found.area(of: info.bitmap, isSidecar: isSidecar)
    try take(name: name, info) { () throws(RecipeError) in
      try area.recipe(of: info.bitmap, shown: info.orientation)
    }
  }

  private init?(pp3: [UInt8], name: String, _ info: ImageInfo) throws(CropError) {
    let found: RawTherapeeCrop?
    do throws(MarkProblem) {
      found = try RawTherapeeCrop(pp3: pp3)
    } catch {
      throw error.words(in: name)
    }
    guard let found else { return nil }
    program = .rawTherapee
    recipe = CropRecipe()
    try take(name: name, info) { () throws(RecipeError) in
      try found.recipe(for: info.shown, shown: info.orientation)
    }
  }

  private init?(aae: [UInt8], name: String, _ info: ImageInfo) throws(CropError) {
    guard let found = try AppleCrop(aae: aae, name: name) else { return nil }
    program = .applePhotos
    recipe = CropRecipe()
    let area = try found.area(of: info, name: name)
    try take(name: name, info) { () throws(RecipeError) in
      try area.recipe(of: info.bitmap, shown: info.orientation)
    }
  }

  private init?(immich: [UInt8], name: String, _ info: ImageInfo) throws(CropError) {
    guard let found = try ImmichCrop(json: immich, name: name) else { return nil }
    program = .immich
    recipe = try found.recipe(for: info.shown, name: name)
  }

  private mutating func take(
    name: String, _ info: ImageInfo,
    _ make: () throws(RecipeError) -> (recipe: CropRecipe, overhang: Double)
  ) throws(CropError) {
    do throws(RecipeError) {
      let made = try make()
      recipe = made.recipe
      if made.overhang > CropRecipe.cornerTolerance {
        warnings.append(.cropMoved(by: made.overhang, program: program.displayName))
      }
    } catch {
      throw .invalidRecipe(file: name, detail: error.message(for: info.shown))
    }
  }
}

/// The kind of a sidecar, detected from its first bytes.
private enum SidecarKind {
  case xmp, pp3, aae, immich

  init?(_ bytes: [UInt8]) {
    let head = bytes.prefix(4096).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    guard let first = head.first else { return nil }
    switch first {
    case UInt8(ascii: "["), UInt8(ascii: "#"), UInt8(ascii: ";"): self = .pp3
    case UInt8(ascii: "{"): self = .immich
    case UInt8(ascii: "<"): self = AppleCrop.isPropertyList(bytes) ? .aae : .xmp
    default: return nil
    }
  }
}

extension ImageInfo {
  /// The size of the stored pixels that are displayed, with a HEIF's clean aperture applied.
  var bitmap: BitmapSize {
    OrientationMap<ImageSpace, BitmapSpace>(orientation.inverse, of: shown).target
  }
}

extension MarkProblem {
  /// The error for the file called `name`.
  func words(in name: String) -> CropError {
    switch self {
    case .notUnderstood: .corrupt(file: name, detail: "its text can't be parsed")
    case .missing(let field): .corrupt(file: name, detail: "\(field.name) is missing")
    case .unreadable(let field):
      .corrupt(file: name, detail: "\(field.name) has no value that can be read")
    case .unsupportedEdit(let field):
      .invalidRecipe(
        file: name,
        detail: "\(field.name) changes the shape of the image before it is cropped, which can't "
          + "be reproduced; export the photo from the program that cropped it")
    }
  }
}

extension CropWarning {
  /// The crop of another program extended beyond the image's edge by less than a pixel.
  static func cropMoved(by pixels: Double, program: String) -> Self {
    let count = (pixels * 10_000).rounded(.up) / 10_000
    return Self(
      code: "crop-moved",
      message: "the crop of \(program) reaches past the edge by \(count) pixels; "
        + "it was moved inside")
  }
}
