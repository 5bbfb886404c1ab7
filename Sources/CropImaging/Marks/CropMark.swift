import CropCore
import CropFormats
import FoundationEssentials

/// A crop that another program keeps as numbers, in the photo or in a sidecar beside it, while the photo stays
/// whole.
public struct CropMark: Sendable, Equatable {
  /// Whose numbers they are.
  public enum Program: String, Sendable, Codable, CaseIterable {
    /// Adobe Lightroom.
    case lightroom
    /// Adobe Camera Raw, or another program that writes its settings (`crs:`).
    case cameraRaw = "camera-raw"
    /// RawTherapee.
    case rawTherapee = "rawtherapee"
    /// Apple Photos.
    case applePhotos = "apple-photos"

    /// What a person calls it.
    public var displayName: String {
      switch self {
      case .lightroom: "Lightroom"
      case .cameraRaw: "Camera Raw"
      case .rawTherapee: "RawTherapee"
      case .applePhotos: "Apple Photos"
      }
    }
  }

  /// Whose numbers they are.
  public var program: Program
  /// What is to be cut.
  public var recipe: CropRecipe
  /// Whether the crop is carried out on the pixels already, as in a photo that was exported; then the recipe is of
  /// no use.
  public var isApplied = false
  /// What a person should know.
  public var warnings: [CropWarning] = []
}

// Reading.
extension CropMark {
  /// The most bytes of a sidecar.
  public static var mostBytes: Int { 1 << 20 }

  /// The crop among Camera Raw's settings in the picture itself; nil for a picture that has none.
  ///
  /// - Throws: `CropError` for one that can't be read or repeated.
  public init?(in source: PictureSource, _ info: ImageInfo) throws(CropError) {
    guard info.metadata.contains(.xmp), let xmp = PictureMetadata(source).blocks.xmp else {
      return nil
    }
    do throws(CropError) {
      try self.init(xmp: xmp, isSidecar: false, name: source.name, info)
    } catch .corrupt(let file, let detail) {
      // The picture is not damaged: a packet that is not understood is no reason not to read it.
      throw .invalidRecipe(file: file, detail: "no crop is found in its XMP: \(detail)")
    }
  }

  /// The crop in a sidecar: XMP with Camera Raw's settings, RawTherapee's pp3 or Apple's AAE, told apart by content.
  ///
  /// - Parameters:
  ///   - sidecar: the sidecar's bytes, at most ``mostBytes``.
  ///   - info: the picture that it lies beside.
  /// - Throws: `CropError`, also for a sidecar without a crop.
  public init(sidecar: PictureSource, _ info: ImageInfo) throws(CropError) {
    let name = sidecar.name
    guard sidecar.byteCount <= Self.mostBytes else {
      throw .limitExceeded(
        file: name, limit: .bytes, actual: sidecar.byteCount, allowed: Self.mostBytes)
    }
    let bytes = Array(try sidecar.allBytes())
    let found: Self?
    switch SidecarKind(bytes) {
    case .xmp: found = try Self(xmp: bytes, isSidecar: true, name: name, info)
    case .pp3: found = try Self(pp3: bytes, name: name, info)
    case .aae: found = try Self(aae: bytes, name: name, info)
    case nil:
      throw .corrupt(
        file: name, detail: "it is no XMP, no pp3 of RawTherapee and no AAE of Apple Photos")
    }
    guard let found else { throw .invalidRecipe(file: name, detail: "there is no crop in it") }
    self = found
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

/// What a sidecar is, by its first bytes.
private enum SidecarKind {
  case xmp, pp3, aae

  init?(_ bytes: [UInt8]) {
    let head = bytes.prefix(4096).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    guard let first = head.first else { return nil }
    switch first {
    case UInt8(ascii: "["), UInt8(ascii: "#"), UInt8(ascii: ";"): self = .pp3
    case UInt8(ascii: "<"): self = AppleCrop.isPropertyList(bytes) ? .aae : .xmp
    default: return nil
    }
  }
}

extension ImageInfo {
  /// The size of the stored pixels that lead to what is shown, a HEIF's clean aperture taken.
  var bitmap: BitmapSize {
    OrientationMap<ImageSpace, BitmapSpace>(orientation.inverse, of: shown).target
  }
}

extension MarkProblem {
  /// The same with the name of the file.
  func words(in name: String) -> CropError {
    switch self {
    case .notUnderstood: .corrupt(file: name, detail: "its text is not understood")
    case .missing(let field): .corrupt(file: name, detail: "\(field.name) is missing")
    case .unreadable(let field):
      .corrupt(file: name, detail: "\(field.name) has no value that can be read")
    case .unrepeatable(let field):
      .invalidRecipe(
        file: name,
        detail: "\(field.name) changes the shape of the picture before it is cropped, which can't "
          + "be repeated here; export the photo from the program that cropped it")
    }
  }
}

extension CropWarning {
  /// The crop of another program reached past the picture's edge by less than a pixel.
  static func cropMoved(by pixels: Double, program: String) -> Self {
    let count = (pixels * 10_000).rounded(.up) / 10_000
    return Self(
      code: "crop-moved",
      message: "the crop of \(program) reaches past the edge by \(count) pixels; "
        + "it was moved inside")
  }
}
