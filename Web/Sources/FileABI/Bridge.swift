import CropCore
import CropJPEG
import CropWire
import FileWire

// Crops of JPEGs for programs without a page: options as texts, and files in chunks.

/// The state of an instance of the module: an open file, and the options of its next crop.
struct Bridge: ~Copyable {
  var output = Output()
  var file: JPEGFile?
  var options = AreaOptions()
  var description = CropDescription()
  var trims = false
  var findsCorners = false
  /// The pixels per inch that are asked for; 0 for none.
  var dpi = 0
  /// What is inside the image's border, if its pixels were searched.
  var border = Border.unknown
  /// The crop that was planned last, if this module can make it.
  var planned: PlannedCut?
  /// Why the last call failed: of `Fault`, then the numbers of its message.
  var problem: [Double] = []
  /// The number of blocks that the last crop requantized, per component.
  var requantized: [Int] = []
  /// The number of bytes of the file.
  var byteCount = 0
  /// What the file holds; nil until a crop needs it.
  var contents: JPEGContents?
  /// The kinds of metadata that the last crop lacks.
  var lost: [MetadataKind] = []
}

/// What is inside an image's border.
enum Border {
  case unknown
  case inside(ImageRect)
  /// The image has one color.
  case everything
}

/// A crop that copies blocks.
struct PlannedCut {
  let plan: JPEGPlan
  /// Whether the result is the complete image, unchanged.
  let isIdentity: Bool
  /// The density that the result states; nil for that of the file.
  let density: PixelDensity?
}

extension Bridge {
  mutating func open(byteCount: Int) -> Bool {
    (file, planned, contents) = (nil, nil, nil)
    self.byteCount = byteCount
    _ = reset()
    do throws(JPEGError) {
      file = try JPEGFile(input(0))
      return true
    } catch {
      if case .truncated = error { refuse(.headerEnds) } else { note(error) }
      return false
    }
  }

  func header() -> FileHeader? {
    guard let file else { return nil }
    let grid = file.header.grid
    return FileHeader(
      width: file.imageSize.width, height: file.imageSize.height,
      orientation: file.orientation.rawValue, cellWidth: grid.cellWidth,
      cellHeight: grid.cellHeight, canCopy: file.isCuttable)
  }

  mutating func reset() -> Bool {
    (options, description) = (AreaOptions(), CropDescription())
    (trims, findsCorners, border) = (false, false, .unknown)
    return true
  }

  mutating func fault() {
    for number in problem { output.append(number) }
  }

  mutating func blocks() {
    for count in requantized { output.append(count) }
  }

  mutating func dropped() {
    for kind in lost {
      if let place = MetadataKind.allCases.firstIndex(of: kind) { output.append(place) }
    }
  }
}

extension Bridge {
  /// Notes why a call fails.
  mutating func refuse(_ fault: Fault, _ numbers: Double...) {
    problem = [Double(fault.rawValue)]
    for number in numbers { problem.append(number) }
  }

  mutating func note(_ error: JPEGError) {
    switch error {
    case .notJPEG: refuse(.notJPEG)
    case .truncated(let offset): refuse(.truncated, Double(offset))
    case .corrupt(.shortData, let offset): refuse(.shortData, Double(offset))
    case .corrupt(let damage, let offset):
      refuse(.corrupt, Double(damage.number), Double(offset))
    case .unsupported(let feature): refuse(.unsupported, Double(feature.number))
    case .offGrid: refuse(.sizeChanges)
    case .readFailed, .writeFailed: refuse(.failed)
    }
  }

  mutating func note(_ error: RecipeError, of image: ImageSize) {
    var numbers = [Double(image.width), Double(image.height)]
    let kind = error.tell(of: image) { numbers.append($0) }
    problem = [Double(Fault.recipe.rawValue), Double(kind.rawValue)]
    for number in numbers { problem.append(number) }
  }

  mutating func note(_ conflict: AreaOptions.Conflict) {
    switch conflict {
    case .placeNeedsArea: refuse(.placeNeedsArea)
    case .clampNeedsRect: refuse(.clampNeedsRect)
    case .sizeNeedsQuad: refuse(.sizeNeedsQuad)
    case .circleWithQuad: refuse(.circleWithQuad)
    // Which option needs it.
    case .printNeeded: refuse(.printNeeded, options.bleed == nil ? 1 : 0)
    case .circleNeedsSquare(let side): refuse(.circleNeedsSquare, Double(side))
    }
  }
}
