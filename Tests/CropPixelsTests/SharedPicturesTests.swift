import CropCore
import CropImaging
import Foundation
import TestMaterial
import Testing

@testable import CropPixels

@Suite struct `Shared pictures` {
  private let engine = CropEngine(backend: VipsBackend())

  /// The middle half of the image, turned.
  private func recipe(for size: ImageSize, turns: Int = 1) -> CropRecipe {
    let (w, h) = turns % 2 == 0 ? (size.width, size.height) : (size.height, size.width)
    return CropRecipe(
      rect: FrameRect(
        x: Double(w / 4), y: Double(h / 4), width: Double(max(1, w / 2)),
        height: Double(max(1, h / 2))),
      quarterTurns: turns)
  }

  @Test(arguments: SharedPictures.rows.filter { $0.expected == "valid" })
  func `a good picture crops to the right size, upright, with nothing left of the rest`(
    row: SharedPictures.Row
  ) throws {
    let source = try ImageSource(path: row.path)
    let info = try engine.info(source)
    let recipe = recipe(for: info.shown)
    let result = try engine.crop(source, recipe: recipe)
    let crop = try recipe.resolved(for: info.shown)
    let size = crop.output
    #expect(result.size == size)
    let made = try engine.info(ImageSource(bytes: result.bytes, name: "result"))
    #expect(made.shown == ImageSize(width: size.width, height: size.height))
    // The middle half of one pixel is the complete image: an AVIF is turned without being
    // re-encoded.
    #expect(made.orientation == .up || crop.isTurn)
    #expect(made.format == info.format)
    #expect(info.profileName == nil || made.profileName != nil)
    #expect(!made.metadata.contains(.thumbnail))
    #expect(!made.metadata.contains(.trailer))
    // Only the image, and its gain map if it has one.
    let pictures = made.gainMap == nil ? 1 : 2
    if info.format == .jpeg { #expect(startsOfJPEG(in: result.bytes) == pictures) }
  }

  private func startsOfJPEG(in bytes: Data) -> Int {
    var (last, count): (UInt32, Int) = (0, 0)
    for byte in bytes {
      last = last << 8 & 0xFF_FFFF | UInt32(byte)
      if last == 0xFF_D8FF { count += 1 }
    }
    return count
  }

  @Test(arguments: SharedPictures.rows.filter { $0.expected == "valid" })
  func `a preview is upright and small, and holds no metadata`(row: SharedPictures.Row) throws {
    let source = try ImageSource(path: row.path)
    let info = try engine.info(source)
    let result = try engine.preview(source, maxSide: 100)
    #expect(max(result.size.width, result.size.height) <= 100)
    let ratio = Double(info.shown.width) / Double(info.shown.height)
    let found = Double(result.size.width) / Double(result.size.height)
    #expect(abs(ratio - found) <= 0.02 * ratio + 0.02)
    let made = try engine.info(ImageSource(bytes: result.bytes, name: "preview"))
    #expect(made.metadata.isEmpty)
    #expect(made.format == (info.hasAlpha ? .png : .jpeg))
  }

  @Test(arguments: SharedPictures.rows.filter { $0.expected != "valid" })
  func `a bad picture is refused in the same words every time`(row: SharedPictures.Row) throws {
    var answers: [CropError] = []
    for _ in 0..<5 {
      do throws(CropError) {
        let source = try ImageSource(path: row.path)
        _ = try engine.crop(
          source, recipe: CropRecipe(rect: FrameRect(x: 0, y: 0, width: 1, height: 1)))
        Issue.record("was cropped")
      } catch {
        answers.append(error)
      }
    }
    #expect(Set(answers.map(\.description)).count == 1)
    #expect(answers.allSatisfy { $0.exitStatus == 65 })
    #expect(answers.first?.description.contains(row.file) == true)
  }

  @Test(arguments: SharedPictures.rows.filter { $0.expected == "soft" })
  func `a damaged picture is cropped with a warning when that is asked for`(
    row: SharedPictures.Row
  ) throws {
    let source = try ImageSource(path: row.path)
    let result = try engine.crop(
      source, recipe: CropRecipe(rect: FrameRect(x: 0, y: 0, width: 2, height: 2)),
      options: ResultOptions(isLenient: true))
    #expect(!result.warnings.isEmpty)
  }

  @Test(arguments: SharedPictures.rows.filter { $0.file == "camera-nikon-gps-422.jpg" })
  func `the place can be left out, and so can everything but the colors`(
    row: SharedPictures.Row
  ) throws {
    let source = try ImageSource(path: row.path)
    let recipe = CropRecipe(rect: FrameRect(x: 9, y: 9, width: 90, height: 70))
    func kinds(_ policy: MetadataPolicy) throws -> [MetadataKind] {
      let result = try engine.crop(
        source, recipe: recipe, options: ResultOptions(metadata: policy))
      return try engine.info(ImageSource(bytes: result.bytes, name: "result")).metadata
    }
    #expect(try kinds(.keep).contains(.location))
    #expect(try kinds(.stripLocation).contains(.exif))
    #expect(try !kinds(.stripLocation).contains(.location))
    #expect(try kinds(.stripAll).isEmpty)
  }

  @Test(arguments: SharedPictures.rows.filter { $0.file == "icc-adobergb-canon7d.jpg" })
  func `a profile survives a strip and goes with a conversion`(row: SharedPictures.Row) throws {
    let source = try ImageSource(path: row.path)
    let recipe = CropRecipe(rect: FrameRect(x: 200, y: 300, width: 64, height: 64))
    func profile(_ options: ResultOptions) throws -> String? {
      let result = try engine.crop(source, recipe: recipe, options: options)
      return try engine.info(ImageSource(bytes: result.bytes, name: "result")).profileName
    }
    #expect(try profile(ResultOptions(metadata: .stripAll)) == "Adobe RGB (1998)")
    #expect(try profile(ResultOptions(convertsToSRGB: true)) == nil)
    // In a PNG, the profile is compressed; only its name can be read from the header.
    #expect(try profile(ResultOptions(format: .png)) != nil)
    for format in [ImageFormat.webp, .tiff, .avif] {
      #expect(try profile(ResultOptions(format: format)) == "Adobe RGB (1998)", "\(format)")
    }
  }

  @Test(
    arguments: Thorough.all(
      SharedPictures.rows.filter { $0.expected == "valid" && $0.format != "jpeg" }, or: 8),
    ImageFormat.allCases)
  func `every format goes into every other`(row: SharedPictures.Row, format: ImageFormat) throws {
    let source = try ImageSource(path: row.path)
    let info = try engine.info(source)
    // The phone's photo takes seconds to encode as AV1.
    let recipe = CropRecipe(
      rect: FrameRect(
        x: 0, y: 0, width: Double(min(64, info.shown.width)),
        height: Double(min(48, info.shown.height))))
    do throws(CropError) {
      let result = try engine.crop(source, recipe: recipe, options: ResultOptions(format: format))
      #expect(result.format == format)
    } catch {
      // A missing encoder is reported.
      guard case .componentMissing = error else { throw error }
      print("SKIPPED: \(format) can't be written here")
    }
  }

  @Test(arguments: SharedPictures.rows.filter { $0.file.hasPrefix("heic-") })
  func `exceeding the memory limit is detected before decoding`(
    row: SharedPictures.Row
  ) throws {
    let small = CropEngine(backend: VipsBackend(), limits: Limits(memory: 32 << 20))
    let source = try ImageSource(path: row.path)
    #expect(throws: CropError.self) {
      try small.crop(source, recipe: CropRecipe(rect: FrameRect(x: 0, y: 0, width: 1, height: 1)))
    }
  }
}
