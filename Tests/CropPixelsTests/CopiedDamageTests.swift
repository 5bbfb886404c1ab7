import Foundation
import TestMaterial
import Testing

@testable import CropCore
@testable import CropFormats
@testable import CropImaging
@testable import CropPixels

/// The code of a crop's error or, on success, the codes of its warnings.
private func verdict(
  _ file: Data, _ recipe: CropRecipe = CropRecipe(), _ options: ResultOptions = ResultOptions()
) -> String {
  let engine = CropEngine.inProcess()
  do throws(CropError) {
    let source = ImageSource(bytes: file, name: "picture")
    let result = try engine.crop(source, recipe: recipe, options: options)
    // A part whose name is unknown because of damage stays in a copy; a crop drops it with a
    // warning.
    let codes = result.warnings.map(\.code).filter { $0 != "metadata-dropped" }
    return codes.joined(separator: " ")
  } catch {
    return error.code
  }
}

@Suite struct `Damage in a picture that is copied whole` {
  @Test(arguments: [ImageFormat.png, .webp, .gif, .tiff])
  func `is reported as for a crop of it`(format: ImageFormat) throws {
    let sound = try Raster.coordinates(width: 140, height: 90, bands: 3).file(format)
    #expect(verdict(sound) == "")
    var random = Seeded(seed: 5)
    var reported = Set<String>()
    for _ in 0..<20 * Soak.factor {
      var file = sound
      let place = random.int(60...file.count - 40)
      if random.int(0...1) == 0 {
        file[place] ^= 1 << UInt8(random.int(0...7))
      } else {
        file.replaceSubrange(place..<place + 30, with: Data(count: 30))
      }
      let copied = verdict(file)
      reported.insert(copied)
      let crop = verdict(file, CropRecipe(), ResultOptions(format: format == .png ? .webp : .png))
      #expect(copied == crop, "\(random.comment), at \(place)")
    }
    #expect(reported.contains("corrupt"))
  }

  @Test func `may be in any page; leniency leaves the copy for a crop of what is asked for`()
    throws
  {
    var pages = TIFFPages()
    let page = try Raster.coordinates(width: 60, height: 40, bands: 3).file(.tiff)
    for _ in 0..<3 where !pages.append(page) { Issue.record("a page was refused") }
    let sound = pages.bytes
    #expect(verdict(sound) == "")
    var file = sound
    // A strip of the last page does not match its compressed data.
    let start = sound.count - page.count + 20
    file.replaceSubrange(start..<start + 40, with: Data(repeating: 0xFF, count: 40))
    #expect(verdict(file) == "corrupt")
    #expect(verdict(file, CropRecipe(), ResultOptions(isLenient: true)) == "frames-dropped")
  }
}

/// A TIFF whose strips are JPEGs.
@Suite struct `Damage in a JPEG inside a TIFF` {
  private static let (width, rows) = (304, 112)

  private static func strip(_ seed: UInt64) throws -> [UInt8] {
    var random = Seeded(seed: seed)
    var picture = Array("P6 \(width) \(rows) 255\n".utf8)
    for index in 0..<width * rows * 3 {
      picture.append(UInt8(clamping: index / 60 % 200 + Int(random.next() >> 59)))
    }
    return try #require(Peer.run("cjpeg", ["-quality", "85"], on: picture))
  }

  /// Two strips, and the position of the second one's bytes; their tables come first if `isShared`.
  private static func file(isShared: Bool) throws -> (bytes: Data, second: Range<Int>) {
    var strips = [try strip(1), try strip(2)]
    var tables: [UInt8] = []
    if isShared {
      // From the first table to the first frame, and from there to the scan.
      let file = Data(strips[0])
      let first = try #require(file.firstRange(of: Data([0xFF, 0xDB]))).lowerBound
      let frame = try #require(file.firstRange(of: Data([0xFF, 0xC0]))).lowerBound
      let codes = try #require(file.firstRange(of: Data([0xFF, 0xC4]))).lowerBound
      let scan = try #require(file.firstRange(of: Data([0xFF, 0xDA]))).lowerBound
      tables = [0xFF, 0xD8] + strips[0][first..<frame] + strips[0][codes..<scan] + [0xFF, 0xD9]
      strips = strips.map { [0xFF, 0xD8] + $0[frame..<codes] + $0[scan...] }
    }
    var bytes: [UInt8] = [0x49, 0x49, 42, 0, 0, 0, 0, 0]
    func place(_ data: [UInt8]) -> Int {
      if bytes.count % 2 == 1 { bytes.append(0) }
      bytes += data
      return bytes.count - data.count
    }
    let places = strips.map(place)
    let shared = place(tables)
    func numbers(_ values: [Int], _ size: Int) -> [UInt8] {
      values.flatMap { value in (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }
    var fields: [(tag: Int, type: Int, values: [Int], place: Int?)] = [
      (256, 3, [width], nil), (257, 3, [2 * rows], nil),
      (258, 3, [8, 8, 8], place(numbers([8, 8, 8], 2))), (259, 3, [7], nil), (262, 3, [6], nil),
      (273, 4, places, place(numbers(places, 4))), (277, 3, [3], nil), (278, 3, [rows], nil),
      (279, 4, strips.map(\.count), place(numbers(strips.map(\.count), 4))),
    ]
    if isShared { fields.append((347, 7, tables.map(Int.init), shared)) }
    fields.append((530, 3, [2, 2], nil))
    let directory = place(numbers([fields.count], 2))
    for field in fields {
      bytes += numbers([field.tag, field.type], 2) + numbers([field.values.count], 4)
      bytes +=
        field.place.map { numbers([$0], 4) }
        ?? Array((numbers(field.values, field.type == 3 ? 2 : 4) + [0, 0, 0, 0]).prefix(4))
    }
    bytes += numbers([0], 4)
    bytes.replaceSubrange(4..<8, with: numbers([directory], 4))
    return (Data(bytes), places[1]..<places[1] + strips[1].count)
  }

  private static let ways = [ResultOptions(format: .png), ResultOptions(lossless: .never)]

  @Test(arguments: [true, false]) func `is reported as in a JPEG`(isShared: Bool) throws {
    var (file, second) = try Self.file(isShared: isShared)
    let top = CropRecipe(rect: FrameRect(x: 8, y: 9, width: 200, height: 60))
    let both = CropRecipe(rect: FrameRect(x: 8, y: 90, width: 200, height: 60))
    for recipe in [CropRecipe(), top, both] {
      for options in Self.ways { #expect(verdict(file, recipe, options) == "") }
    }
    let place = (second.lowerBound + second.upperBound) / 2
    file.replaceSubrange(place..<place + 300, with: Data(count: 300))
    #expect(verdict(file) == "corrupt")
    for options in Self.ways {
      #expect(verdict(file, CropRecipe(), options) == "corrupt")
      #expect(verdict(file, both, options) == "corrupt")
      // Its strip is not read.
      #expect(verdict(file, top, options) == "")
      var lenient = options
      lenient.isLenient = true
      #expect(verdict(file, both, lenient) == "damaged")
    }
  }

  @Test(arguments: [true, false])
  func `never traps, and is not reported for unused parts`(isShared: Bool) throws {
    let (sound, second) = try Self.file(isShared: isShared)
    let top = CropRecipe(rect: FrameRect(x: 0, y: 0, width: 300, height: 112))
    var random = Seeded(seed: 12)
    for _ in 0..<60 * Soak.factor {
      var file = sound
      file[random.int(second.lowerBound...second.upperBound - 1)] = random.element([
        0, 0xFF, 0xD9, 0x80,
      ])
      #expect(verdict(file, top) == "", "\(random.comment)")
      // Invalid lengths, positions and tables.
      file[random.int(second.upperBound...file.count - 1)] ^= 1 << UInt8(random.int(0...7))
      _ = verdict(file)
    }
  }
}
