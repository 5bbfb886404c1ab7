import TestMaterial
import Testing

@testable import CropCore
@testable import CropFormats
@testable import CropImaging
@testable import CropPixels

/// A kind of image that is cropped without changing a sample.
struct ExactKind: Sendable, CustomTestStringConvertible {
  let format: ImageFormat
  let bands: Int
  var isWide = false
  var isInks = false
  var testDescription: String {
    "\(format) \(bands) channels\(isWide ? ", 16 bits" : "")\(isInks ? ", inks" : "")"
  }

  static let all: [ExactKind] = [
    ExactKind(format: .png, bands: 1), ExactKind(format: .png, bands: 2),
    ExactKind(format: .png, bands: 3), ExactKind(format: .png, bands: 4),
    ExactKind(format: .png, bands: 1, isWide: true),
    ExactKind(format: .png, bands: 3, isWide: true),
    ExactKind(format: .png, bands: 4, isWide: true), ExactKind(format: .tiff, bands: 1),
    ExactKind(format: .tiff, bands: 3), ExactKind(format: .tiff, bands: 4),
    ExactKind(format: .tiff, bands: 4, isInks: true),
    ExactKind(format: .tiff, bands: 3, isWide: true), ExactKind(format: .webp, bands: 3),
    ExactKind(format: .webp, bands: 4), ExactKind(format: .jxl, bands: 1),
    ExactKind(format: .jxl, bands: 2), ExactKind(format: .jxl, bands: 3),
    ExactKind(format: .jxl, bands: 4), ExactKind(format: .jxl, bands: 1, isWide: true),
    ExactKind(format: .jxl, bands: 4, isWide: true),
  ]
}

@Suite struct `Exact pixels` {
  let width = 23
  let height = 17

  /// Where the upright image's pixel (x, y) is stored, listed for each EXIF value.
  private func stored(_ orientation: Orientation, _ x: Int, _ y: Int) -> (x: Int, y: Int) {
    switch orientation {
    case .up: (x, y)
    case .upMirrored: (width - 1 - x, y)
    case .down: (width - 1 - x, height - 1 - y)
    case .downMirrored: (x, height - 1 - y)
    case .leftMirrored: (y, x)
    case .right: (y, height - 1 - x)
    case .rightMirrored: (width - 1 - y, height - 1 - x)
    case .left: (width - 1 - y, x)
    }
  }

  /// The pixel of the upright image, w × h, that the frame shows at (x, y).
  private func upright(
    mirrored: Bool, turns: Int, _ x: Int, _ y: Int, _ w: Int, _ h: Int
  ) -> (x: Int, y: Int) {
    let turned =
      switch turns {
      case 0: (x: x, y: y)
      case 1: (x: y, y: h - 1 - x)
      case 2: (x: w - 1 - x, y: h - 1 - y)
      default: (x: w - 1 - y, y: x)
      }
    return mirrored ? (w - 1 - turned.x, turned.y) : turned
  }

  @Test(arguments: ExactKind.all, Thorough.all(Orientation.allCases, or: 3))
  func `every pixel moves to its place and keeps its value`(
    kind: ExactKind, orientation: Orientation
  ) throws {
    // These files are upright; most decoders ignore the orientation.
    guard orientation == .up || !kind.format.isTurnedByDecoder else { return }
    let source = Raster.coordinates(
      width: width, height: height, bands: kind.bands, isWide: kind.isWide)
    let isTransposed = [.leftMirrored, .right, .rightMirrored, .left].contains(orientation)
    let (w, h) = isTransposed ? (height, width) : (width, height)
    for (turns, isMirrored) in [(0, false), (1, false), (2, true), (3, true), (0, true)] {
      let frame = turns % 2 == 0 ? (w, h) : (h, w)
      // Not centered, so that swapped sides are noticed.
      let rect = (x: 2, y: 3, width: frame.0 - 5, height: frame.1 - 4)
      let recipe = CropRecipe(
        rect: FrameRect(
          x: Double(rect.x), y: Double(rect.y), width: Double(rect.width),
          height: Double(rect.height)),
        quarterTurns: turns, isMirrored: isMirrored)
      let (result, found) = try cropped(
        source, kind.format, recipe, orientation: orientation, isInks: kind.isInks)
      let expected = source.mapped(width: rect.width, height: rect.height) { x, y in
        let place = upright(
          mirrored: isMirrored, turns: turns, x + rect.x, y + rect.y, w, h)
        return stored(orientation, place.x, place.y)
      }
      #expect(found == expected, "\(turns) turns, mirrored \(isMirrored)")
      #expect(result.isLossless)
      #expect(result.size == FrameSize(width: rect.width, height: rect.height))
    }
  }

  @Test(arguments: [ImageFormat.png, .gif])
  func `a palette stays a palette with the same colors`(format: ImageFormat) throws {
    var source = Raster.coordinates(width: 12, height: 12, bands: 3)
    source.samples = source.samples.map { $0 * 7 % 256 / 64 * 64 }
    let recipe = CropRecipe(rect: FrameRect(x: 3, y: 2, width: 7, height: 9), quarterTurns: 1)
    let (result, found) = try cropped(source, format, recipe, color: .palette)
    let again = try CropEngine(backend: VipsBackend()).info(
      ImageSource(bytes: result.bytes, name: "result"))
    #expect(again.color == .palette)
    #expect(result.isLossless)
    let expected = source.mapped(width: 7, height: 9) { x, y in
      upright(mirrored: false, turns: 1, x + 3, y + 2, 12, 12)
    }
    for y in 0..<9 {
      for x in 0..<7 {
        #expect(Array(found[x, y].prefix(3)) == expected[x, y])
        // GIF's decoder adds alpha if a color is reserved for it.
        #expect(found[x, y].dropFirst(3).allSatisfy { $0 == 255 })
      }
    }
  }

  @Test func `a CMYK JPEG stays one`() throws {
    var source = Raster.coordinates(width: 64, height: 48, bands: 4)
    for index in source.samples.indices { source.samples[index] = [30, 60, 90, 20][index % 4] }
    let recipe = CropRecipe(rect: FrameRect(x: 8, y: 8, width: 30, height: 20))
    let (result, found) = try cropped(source, .jpeg, recipe, isInks: true)
    let again = try CropEngine(backend: VipsBackend()).info(
      ImageSource(bytes: result.bytes, name: "result"))
    #expect(again.color == .cmyk)
    #expect(found.bands == 4)
    for (value, wanted) in zip(found[15, 10], [30, 60, 90, 20]) {
      #expect(abs(Int(value) - wanted) <= 2)
    }
  }

  @Test(arguments: ImageFormat.allCases.filter(\.hasExactCoding))
  func `what is coded without loss is coded with loss where it has to be smaller`(
    format: ImageFormat
  ) throws {
    var source = Raster.coordinates(width: 90, height: 70, bands: 3)
    // Noise, which compresses worst losslessly.
    var state: UInt32 = 1
    for index in source.samples.indices {
      state = state &* 1_664_525 &+ 1_013_904_223
      source.samples[index] = UInt16(state >> 24)
    }
    let file = try source.file(format)
    let recipe = CropRecipe(rect: FrameRect(x: 3, y: 2, width: 80, height: 60))
    func crop(_ options: ResultOptions) throws -> CropResult {
      try CropEngine(backend: VipsBackend()).crop(
        ImageSource(bytes: file, name: "coordinates"), recipe: recipe, options: options)
    }
    let exact = try crop(ResultOptions())
    #expect(exact.isLossless)
    let never = try crop(ResultOptions(quality: 30, lossless: .never))
    #expect(!never.isLossless)
    let smaller = try crop(ResultOptions(maxBytes: never.byteCount))
    #expect(!smaller.isLossless && smaller.byteCount <= never.byteCount)
  }

  @Test func `sixteen bits become eight by rounding where the format has no more`() throws {
    let source = Raster.coordinates(width: 20, height: 20, bands: 3, isWide: true)
    var options = ResultOptions(format: .jpeg, quality: 100, subsampling: .s444)
    options.metadata = .stripAll
    let (result, found) = try cropped(source, .png, CropRecipe(), options: options)
    #expect(!result.isLossless)
    for (value, wide) in zip(found.samples, source.samples) {
      #expect(abs(Int(value) - Int(wide) / 257) <= 24)
    }
  }
}
