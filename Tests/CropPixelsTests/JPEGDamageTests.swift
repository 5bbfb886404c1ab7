import CropCore
import Foundation
import TestMaterial
import Testing

@testable import CropImaging
@testable import CropPixels

/// Damage in a JPEG is reported equally for all results, and valid files are never rejected.
@Suite struct `Damage in a JPEG` {
  private let engine = CropEngine.inProcess()

  /// A JPEG of shapes and noise.
  private static func file(_ width: Int, _ height: Int, _ arguments: [String] = []) throws -> Data {
    var random = Seeded(seed: UInt64(width))
    var picture = Array("P6 \(width) \(height) 255\n".utf8)
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<3 {
          let shape = ((x * (channel + 2) / 23 + y / (11 + channel)) % 6) * 40
          picture.append(UInt8(clamping: shape + Int(random.next() >> 59)))
        }
      }
    }
    return Data(try #require(Peer.run("cjpeg", ["-quality", "90"] + arguments, on: picture)))
  }

  /// The start of the first scan's data.
  private static func dataStart(_ file: Data) throws -> Int {
    let at = try #require(file.firstRange(of: Data([0xFF, 0xDA, 0])))
    return at.lowerBound + 2 + Int(file[at.lowerBound + 3])
  }

  /// The file with zeros in the middle of its data.
  private static func zeroed(_ file: Data, _ count: Int, at share: Double) throws -> Data {
    var file = file
    let start = try dataStart(file)
    let place = start + Int(Double(file.count - start) * share)
    file.replaceSubrange(place..<place + count, with: Data(count: count))
    return file
  }

  /// The code of a crop's error or, on success, the codes of its warnings.
  private func verdict(
    _ file: Data, _ recipe: CropRecipe, _ options: ResultOptions, isReplacing: Bool = false
  ) -> String {
    let source = ImageSource(bytes: file, name: "picture")
    do throws(CropError) {
      let picture = try engine.open(source, isLenient: options.isLenient)
      let result = try engine.crop(
        picture, recipe: recipe, options: options, isReplacing: isReplacing)
      return result.warnings.map(\.code).joined(separator: " ")
    } catch {
      return error.code
    }
  }

  private static let jpeg = ResultOptions(lossless: .never)
  /// Ways to make a result from some pixels of a JPEG.
  private static let ways = [
    jpeg, ResultOptions(format: .png), ResultOptions(format: .webp), ResultOptions(format: .tiff),
    ResultOptions(lossless: .never, convertsToSRGB: true),
  ]

  @Test func `zeros in nearly all of a picture are reported in every format`() throws {
    let file = try Self.zeroed(Self.file(640, 480), 512, at: 0.4)
    // On the grid, without the last row.
    let nearly = CropRecipe(rect: FrameRect(x: 16, y: 16, width: 608, height: 448))
    for options in Self.ways + [ResultOptions()] {
      #expect(["corrupt", "truncated"].contains(verdict(file, nearly, options)), "\(options)")
      var lenient = options
      lenient.isLenient = true
      let warnings = verdict(file, nearly, lenient)
      #expect(["damaged", "truncated"].contains(warnings), "\(options)")
    }
  }

  @Test func `an invalid marker is damage in every format`() throws {
    var file = try Self.file(300, 200, ["-progressive"])
    let place = try (Self.dataStart(file) + file.count) / 2
    file.replaceSubrange(place..<place + 4, with: [9, 0xFF, 0x02, 9])
    for recipe in [
      CropRecipe(rect: FrameRect(x: 3, y: 3, width: 290, height: 190)), CropRecipe(quarterTurns: 1),
    ] {
      for options in Self.ways + [ResultOptions()] {
        #expect(verdict(file, recipe, options) == "corrupt", "\(options)")
      }
    }
  }

  @Test func `leniency reports nothing about a valid image`() throws {
    let file = try Self.file(300, 200)
    for options in Self.ways + [ResultOptions()] {
      var lenient = options
      lenient.isLenient = true
      for recipe in [CropRecipe(), CropRecipe(output: .maxSide(9))] {
        #expect(verdict(file, recipe, lenient) == "", "\(options)")
      }
    }
  }

  @Test(arguments: [[], ["-optimize"], ["-restart", "2"], ["-sample", "4x1"], ["-progressive"]])
  func `each format reports the same for the same part`(coding: [String]) throws {
    let whole = try Self.file(333, 410, coding)
    let start = try Self.dataStart(whole)
    var random = Seeded(seed: 41)
    var reported = Set<String>()
    // None of its edges is on a sample's edge, so every way needs the same surrounding pixels.
    let part = CropRecipe(rect: FrameRect(x: 65, y: 99, width: 101, height: 103))
    let turned = CropRecipe(
      rect: FrameRect(x: 99, y: 65, width: 103, height: 101), quarterTurns: 1)
    for _ in 0..<10 * Soak.factor {
      var file = whole
      let length = random.element([1, 40, 300])
      // Half of what a crop in the middle reads.
      let place = random.int(start...(start + file.count) / 2)
      if length == 1 {
        file[place] ^= 1 << UInt8(random.int(0...7))
      } else {
        file.replaceSubrange(place..<place + length, with: Data(count: length))
      }
      for recipe in [part, turned] {
        let first = verdict(file, recipe, Self.jpeg)
        reported.insert(first)
        for options in Self.ways.dropFirst() {
          #expect(verdict(file, recipe, options) == first, "\(random.comment), at \(place)")
        }
        let options = ResultOptions(format: .png)
        let source = ImageSource(bytes: file, name: "picture")
        if let picture = try? engine.open(source, for: [recipe, CropRecipe()]) {
          let isWhole = (try? engine.crop(picture, recipe: recipe, options: options)) != nil
          #expect(isWhole == first.isEmpty, "shared; \(random.comment), at \(place)")
        }
      }
    }
    #expect(reported.count > 1 && reported.contains(""), "\(reported)")
  }

  @Test func `a lossless crop of a damaged progressive picture can be read`() throws {
    let whole = try Self.file(333, 410, ["-progressive"])
    let start = try Self.dataStart(whole)
    let end = try #require(whole[start...].firstRange(of: Data([0xFF, 0xC4]))).lowerBound
    let onGrid = CropRecipe(rect: FrameRect(x: 64, y: 96, width: 96, height: 96))
    var cuts = 0
    // Differences that add up to impossible DC values.
    for place in stride(from: start, to: end, by: 23) {
      var file = whole
      file[place] ^= 0x10
      guard
        let cut = try? engine.crop(ImageSource(bytes: file, name: "picture"), recipe: onGrid)
      else { continue }
      cuts += 1
      #expect(cut.isLossless)
      #expect(verdict(cut.bytes, CropRecipe(), ResultOptions(format: .png)) == "", "at \(place)")
    }
    #expect(cuts > 0)
  }

  @Test(
    arguments: [[0], [0, 0, 0, 0, 0, 0, 0], [0xFF], [0xFF, 0, 0xFF, 0], [9, 8, 7]] as [[UInt8]])
  func `padding is not damage in any format`(filling: [UInt8]) throws {
    let clean = try Self.file(100, 75)
    let file = clean.dropLast(2) + filling + clean.suffix(2)
    let warning = filling == [0xFF] ? "" : "extra-bytes"
    let bottom = CropRecipe(rect: FrameRect(x: 16, y: 48, width: 32, height: 27))
    let top = CropRecipe(rect: FrameRect(x: 0, y: 0, width: 17, height: 15))
    for options in Self.ways + [ResultOptions()] {
      #expect(verdict(file, bottom, options) == warning, "\(options)")
      #expect(verdict(file, top, options) == "", "\(options)")
      let results = try [file, clean].map {
        try engine.crop(ImageSource(bytes: $0, name: ""), recipe: bottom, options: options).bytes
      }
      #expect(results[0] == results[1], "\(options)")
    }
    // A copy of the complete file is damaged too, without the bytes that are not needed.
    #expect(verdict(file, CropRecipe(), ResultOptions()) == warning)
    #expect(verdict(file, top, ResultOptions(), isReplacing: true) == warning)
  }

  @Test(arguments: [[], ["-progressive"]])
  func `a copy of the whole is looked at like a crop`(coding: [String]) throws {
    let sound = try Self.file(300, 200, coding)
    let file = try Self.zeroed(sound, 64, at: 0.5)
    #expect(verdict(sound, CropRecipe(), ResultOptions()) == "")
    let crop = verdict(file, CropRecipe(), Self.jpeg)
    #expect(["corrupt", "truncated"].contains(crop))
    #expect(verdict(file, CropRecipe(), ResultOptions()) == crop)
    let lenient = verdict(file, CropRecipe(), ResultOptions(isLenient: true))
    #expect(["damaged", "truncated"].contains(lenient))
  }

  @Test(arguments: [ResultOptions(), ResultOptions(format: .png)])
  func `before a picture is replaced all its data are read`(options: ResultOptions) throws {
    let sound = try Self.file(300, 400)
    let file = try Self.zeroed(sound, 64, at: 0.9)
    let top = CropRecipe(rect: FrameRect(x: 0, y: 0, width: 64, height: 64))
    #expect(verdict(file, top, options) == "")
    #expect(verdict(sound, top, options, isReplacing: true) == "")
    #expect(["corrupt", "truncated"].contains(verdict(file, top, options, isReplacing: true)))
    var lenient = options
    lenient.isLenient = true
    let warnings = verdict(file, top, lenient, isReplacing: true)
    #expect(["damaged", "truncated"].contains(warnings))
  }
}
