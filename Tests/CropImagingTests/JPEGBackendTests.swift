import CJPEG
import Foundation
import TestMaterial
import Testing

@testable import CropCore
@testable import CropFormats
@testable import CropImaging
@testable import CropJPEG
@testable import CropMetadata
@testable import CropSystem

/// Samples of a decoded JPEG, row by row.
struct DecodedSamples: Equatable {
  var width: Int
  var height: Int
  var channels: Int
  var samples: [UInt8]
}

extension DecodedSamples {
  /// All samples of `file`, by default in the stored color space.
  init(_ file: Data, as pixels: ckc_jpeg_pixels = CKC_JPEG_STORED) throws {
    let bytes = JPEGBytes()
    _ = file.withUnsafeBytes { bytes.append($0) }
    let decoding = try JPEGDecoding(bytes, as: pixels)
    width = Int(decoding.picture.width)
    height = Int(decoding.picture.height)
    channels = Int(decoding.picture.channels)
    var all = [UInt8](repeating: 0, count: decoding.stride * height)
    let rows = height
    try all.withUnsafeMutableBufferPointer { buffer in
      if let start = buffer.baseAddress { try decoding.read(start, rows: rows) }
    }
    samples = all
  }

  /// The part `rect` of these samples, oriented by `turn` pixel by pixel.
  func part(_ rect: PixelRect<FrameSpace>, after turn: Orientation) -> Self {
    let back = OrientationMap<ImageSpace, FrameSpace>(
      turn, of: ImageSize(width: width, height: height)
    ).inverse
    var result: [UInt8] = []
    for y in rect.y..<rect.y + rect.height {
      for x in rect.x..<rect.x + rect.width {
        let at = back(PixelRect<FrameSpace>(x: x, y: y, width: 1, height: 1))
        let offset = (at.y * width + at.x) * channels
        result += samples[offset..<offset + channels]
      }
    }
    return Self(width: rect.width, height: rect.height, channels: channels, samples: result)
  }

  /// Luma only.
  var luma: [UInt8] { stride(from: 0, to: samples.count, by: channels).map { samples[$0] } }
}

/// The samples of a JPEG as stored, those of subsampled channels repeated.
struct StoredSamples {
  var finest: DecodedSamples

  /// All samples of `file`.
  init(_ file: Data) throws {
    let bytes = JPEGBytes()
    _ = file.withUnsafeBytes { bytes.append($0) }
    let decoding = try JPEGDecoding(bytes, as: CKC_JPEG_PLANES)
    let picture = decoding.picture
    let (width, height) = (Int(picture.width), Int(picture.height))
    let factors = [picture.sampling.0, picture.sampling.1, picture.sampling.2]
      .map { (across: Int($0.horizontal), down: Int($0.vertical)) }
    let most = (across: factors.map(\.across).max() ?? 1, down: factors.map(\.down).max() ?? 1)
    var samples = [UInt8](repeating: 0, count: width * height * 3)
    let pitch = width + 64
    let room = UnsafeMutablePointer<UInt8>.allocate(capacity: 3 * 32 * pitch)
    defer { room.deallocate() }
    for top in stride(from: 0, to: height, by: 8 * most.down) {
      try decoding.read(
        (0..<3).map { ckc_jpeg_plane(start: room + $0 * 32 * pitch, stride: pitch) })
      for y in top..<min(height, top + 8 * most.down) {
        for x in 0..<width {
          for (channel, factor) in factors.enumerated() {
            let line = channel * 32 + (y - top) * factor.down / most.down
            samples[(y * width + x) * 3 + channel] =
              room[line * pitch + x * factor.across / most.across]
          }
        }
      }
    }
    finest = DecodedSamples(width: width, height: height, channels: 3, samples: samples)
  }
}

/// JPEGs generated for a test.
enum MadeJPEG {
  /// Shapes and noise, different everywhere, as PPM.
  static func ppm(_ width: Int, _ height: Int) -> [UInt8] {
    var bytes = Array("P6 \(width) \(height) 255\n".utf8)
    var state: UInt32 = 77
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<3 {
          state = state &* 1_664_525 &+ 1_013_904_223
          let shape = ((x * (channel + 2) / 9 + y / (5 + channel)) % 6) * 40
          bytes.append(UInt8(clamping: shape + Int(state >> 28)))
        }
      }
    }
    return bytes
  }

  /// A JPEG from cjpeg.
  static func make(
    _ width: Int, _ height: Int, _ arguments: [String] = [], orientation: Orientation = .up
  ) throws -> [UInt8] {
    let file = try #require(
      Peer.run("cjpeg", ["-quality", "92"] + arguments, on: ppm(width, height)))
    guard orientation != .up else { return file }
    let exif = HandMade.exifSegment(EXIFBlock.block(orientation))
    return Array(file[..<2]) + exif + Array(file[2...])
  }

  /// The result of the JPEG code path.
  static func crop(
    _ file: [UInt8], _ recipe: CropRecipe, _ options: ResultOptions = ResultOptions()
  ) throws(CropError) -> CropResult {
    let engine = CropEngine(backend: JPEGBackend.jpegOnly)
    return try engine.crop(
      ImageSource(bytes: Data(file), name: "picture"), recipe: recipe, options: options)
  }

  /// The information in the header of a result.
  static func info(_ file: Data) throws(CropError) -> ImageInfo {
    try CropEngine(backend: JPEGBackend.jpegOnly).info(ImageSource(bytes: file, name: "result"))
  }
}

/// All mirrors and turns of a recipe.
let everyTurn = Orientation.allCases

extension CropRecipe {
  init(_ x: Int, _ y: Int, _ width: Int, _ height: Int, turn: Orientation = .up) {
    self.init(
      rect: FrameRect(
        x: Double(x), y: Double(y), width: Double(width), height: Double(height)))
    orientation = turn
  }
}

@Suite struct `The JPEG path` {
  @Test(arguments: Orientation.allCases, everyTurn)
  func `a cut without loss shows the same pixels, however it is turned`(
    stored: Orientation, turn: Orientation
  ) throws {
    let file = try MadeJPEG.make(100, 75, ["-sample", "2x1"], orientation: stored)
    let result = try MadeJPEG.crop(
      file, CropRecipe(21, 18, 40, 37, turn: turn), ResultOptions(lossless: .outward))
    #expect(result.isLossless)
    let cut = try #require(result.rect)
    #expect(cut.rect.contains(FrameRect(x: 21, y: 18, width: 40, height: 37)))
    let info = try MadeJPEG.info(result.bytes)
    #expect(info.orientation == stored.followed(by: turn))
    let whole = try DecodedSamples(Data(file))
    let made = try DecodedSamples(result.bytes)
    let bounds = PixelRect<FrameSpace>(x: 0, y: 0, width: cut.width, height: cut.height)
    #expect(
      made.part(bounds, after: info.orientation).luma
        == whole.part(cut, after: stored.followed(by: turn)).luma)
  }

  @Test(arguments: ["1x1", "2x1", "2x2", "1x2", "4x1"], Thorough.all(everyTurn, or: 2))
  func `re-encoded pixels are those of a complete decoding`(
    sampling: String, turn: Orientation
  ) throws {
    for coding in [[], ["-progressive"], ["-restart", "1"]] {
      let file = try MadeJPEG.make(130, 99, ["-sample", sampling] + coding)
      let rect = PixelRect<FrameSpace>(x: 33, y: 35, width: 47, height: 41)
      let recipe = CropRecipe(33, 35, 47, 41, turn: turn)
      let result = try MadeJPEG.crop(
        file, recipe, ResultOptions(lossless: .never, metadata: .stripAll))
      #expect(!result.isLossless)
      let info = try MadeJPEG.info(result.bytes)
      #expect(info.orientation == .up)
      let source = try MadeJPEG.info(Data(file)).subsampling
      let turned: [ChromaSubsampling: ChromaSubsampling] = [.s422: .s440, .s440: .s422]
      if turn.isTransposing, source == .s411 {
        #expect(info.subsampling == .other)
      } else {
        #expect(info.subsampling == source.map { turn.isTransposing ? turned[$0] ?? $0 : $0 })
      }
      let wanted = try DecodedSamples(Data(file)).part(rect, after: turn)
      #expect(try DecodedSamples(result.bytes) == coded(wanted, like: result.bytes))
    }
  }

  @Test(arguments: Thorough.all(["1x1", "2x1", "2x2", "1x2", "4x1", "1x4"], or: 2))
  func `colors on the grid of their samples are coded as they are stored`(
    sampling: String
  ) throws {
    for coding in [[], ["-progressive"], ["-restart", "1"]] {
      let file = try MadeJPEG.make(131, 99, ["-sample", sampling] + coding)
      // In the middle of blocks, on the grid of MCUs, up to the borders, the complete image, and
      // narrow.
      for (x, y, width, height) in [
        (36, 40, 44, 36), (32, 32, 64, 32), (20, 52, 111, 47), (0, 0, 131, 99), (124, 4, 4, 92),
      ] {
        let result = try MadeJPEG.crop(
          file, CropRecipe(x, y, width, height),
          ResultOptions(lossless: .never, metadata: .stripAll))
        let rect = PixelRect<FrameSpace>(x: x, y: y, width: width, height: height)
        let wanted = try StoredSamples(Data(file)).finest.part(rect, after: .up)
        let expected = try self.file(of: wanted, like: result.bytes)
        // Block by block: pixels beyond the border only repeat the last samples.
        let plain = ["-copy", "none", "-optimize"]
        let blocks = try #require(Peer.run("jpegtran", plain, on: [UInt8](expected)))
        #expect(
          Peer.run("jpegtran", plain, on: [UInt8](result.bytes)) == blocks, "\(rect), \(coding)")
      }
    }
  }

  @Test func `planes have room for the channels of the header and no others`() throws {
    func picture(_ file: [UInt8]) throws -> ckc_jpeg_picture {
      let bytes = JPEGBytes()
      _ = file.withUnsafeBytes { bytes.append($0) }
      return try JPEGDecoding(bytes, as: CKC_JPEG_PLANES).picture
    }
    func header(_ file: [UInt8]) throws -> JPEGHeader {
      let source = ImageSource(bytes: Data(file), name: "picture")
      return try JPEGHeader(
        reading: JPEGSourceInput(source, until: TimeLimit(seconds: 900), seconds: 900).input)
    }
    let files = try [["-sample", "2x2"], ["-sample", "2x1"], ["-sample", "1x1"], ["-grayscale"]]
      .map { try MadeJPEG.make(64, 48, $0) }
    for (i, reported) in files.enumerated() {
      for (j, found) in files.enumerated() {
        #expect(try picture(found).isSampled(as: header(reported).frame) == (i == j))
      }
    }
  }

  /// `samples`, encoded at quality 90 with the subsampling of `file`, and decoded again.
  private func coded(_ samples: DecodedSamples, like file: Data) throws -> DecodedSamples {
    try DecodedSamples(self.file(of: samples, like: file))
  }

  /// The file of `samples`, encoded at quality 90 with the subsampling of `file`.
  private func file(of samples: DecodedSamples, like file: Data) throws -> Data {
    let bytes = JPEGBytes()
    _ = file.withUnsafeBytes { bytes.append($0) }
    var picture = try JPEGDecoding(bytes).picture
    picture.width = Int32(samples.width)
    picture.height = Int32(samples.height)
    let encoding = try JPEGEncoding(
      picture, quality: 90, isProgressive: false, segments: JPEGSegmentList())
    try samples.samples.withUnsafeBufferPointer { all in
      if let start = all.baseAddress {
        try encoding.write(
          start, stride: samples.width * samples.channels, rows: samples.height)
      }
    }
    return try encoding.finish().take()
  }

  @Test(arguments: ["1x1", "2x1", "2x2", "1x2", "4x1", "1x4"])
  func `a part with a margin decodes as djpeg decodes the whole`(sampling: String) throws {
    for coding in [[], ["-progressive"], ["-arithmetic"], ["-optimize", "-restart", "2B"]] {
      let file = try MadeJPEG.make(141, 117, ["-sample", sampling] + coding)
      let whole = try #require(Peer.run("djpeg", ["-pnm"], on: file))
      let expected = DecodedSamples(
        width: 141, height: 117, channels: 3, samples: Array(whole.suffix(141 * 117 * 3)))
      let source = ImageSource(bytes: Data(file), name: "picture")
      var work = JPEGJob(
        source, info: try MadeJPEG.info(Data(file)), options: ResultOptions(), limits: Limits(),
        permit: JPEGBackend.jpegOnly.permit)
      for rect in [
        BitmapRect(x: 37, y: 35, width: 41, height: 43),
        BitmapRect(x: 0, y: 0, width: 1, height: 1),
        BitmapRect(x: 64, y: 64, width: 77, height: 53),
      ] {
        let (around, part) = try #require(try work.partWithMargin(rect))
        let made = try DecodedSamples(part.take(), as: CKC_JPEG_RGB)
        let inner = PixelRect<FrameSpace>(
          x: rect.x - around.x, y: rect.y - around.y, width: rect.width, height: rect.height)
        let outer = PixelRect<FrameSpace>(
          x: rect.x, y: rect.y, width: rect.width, height: rect.height)
        #expect(made.part(inner, after: .up) == expected.part(outer, after: .up))
      }
    }
  }

  @Test(arguments: ["1x1", "2x1", "2x2", "1x2", "4x1"], Thorough.all(everyTurn, or: 2))
  func `upright blocks are those of jpegtran`(sampling: String, turn: Orientation) throws {
    let names: [Orientation: [String]] = [
      .up: ["-crop", "160x128+0+0"], .upMirrored: ["-flip", "horizontal"],
      .down: ["-rotate", "180"], .downMirrored: ["-flip", "vertical"],
      .leftMirrored: ["-transpose"], .right: ["-rotate", "90"], .rightMirrored: ["-transverse"],
      .left: ["-rotate", "270"],
    ]
    for coding in [[], ["-progressive"], ["-arithmetic"]] {
      let file = try MadeJPEG.make(200, 200, ["-sample", sampling] + coding)
      let cut = try #require(
        Peer.run("jpegtran", ["-copy", "none", "-crop", "160x128+32+32"], on: file))
      let theirs = try #require(
        Peer.run("jpegtran", ["-copy", "none", "-perfect"] + (names[turn] ?? []), on: cut))
      let map = OrientationMap<ImageSpace, FrameSpace>(
        turn, of: ImageSize(width: 200, height: 200))
      let rect = map(PixelRect<ImageSpace>(x: 32, y: 32, width: 160, height: 128))
      let result = try MadeJPEG.crop(
        file, CropRecipe(rect.x, rect.y, rect.width, rect.height, turn: turn),
        ResultOptions(isBaked: true, metadata: .stripAll))
      #expect(result.isLossless)
      let plain = ["-copy", "none", "-optimize"]
      #expect(
        Peer.run("jpegtran", plain, on: [UInt8](result.bytes))
          == Peer.run("jpegtran", plain, on: theirs))
    }
  }

  @Test func `the reason for re-encoding is reported`() throws {
    let file = try MadeJPEG.make(100, 90, ["-sample", "2x2"])
    func obstacle(
      _ recipe: CropRecipe, _ options: ResultOptions = ResultOptions()
    ) throws -> LosslessObstacle? {
      let result = try MadeJPEG.crop(file, recipe, options)
      #expect(result.isLossless == (result.obstacle == nil && options.lossless != .never))
      return result.obstacle
    }
    #expect(try obstacle(CropRecipe(16, 16, 32, 48)) == nil)
    #expect(try obstacle(CropRecipe(16, 16, 84, 74)) == nil, "up to the borders")
    #expect(try obstacle(CropRecipe(16, 16, 32, 47)) == nil, "quantized again")
    #expect(
      try obstacle(CropRecipe(16, 16, 32, 47), ResultOptions(lossless: .strict)) == .offGrid)
    #expect(try obstacle(CropRecipe(16, 17, 32, 47)) == .offGrid)
    #expect(try obstacle(CropRecipe(16, 17, 32, 47), ResultOptions(lossless: .snap)) == nil)
    #expect(try obstacle(CropRecipe(16, 17, 32, 47), ResultOptions(lossless: .never)) == nil)
    #expect(
      try obstacle(CropRecipe(16, 16, 32, 48), ResultOptions(subsampling: .s444)) == .subsampling)
    // When mirrored, the partial block at the right border would be at the left one.
    #expect(
      try obstacle(CropRecipe(0, 0, 84, 48, turn: .upMirrored), ResultOptions(isBaked: true))
        == .partialBlocks)
  }

  @Test func `the subsampling asked for is written`() throws {
    let file = try MadeJPEG.make(100, 90, ["-sample", "2x2"])
    for kind in [ChromaSubsampling.s444, .s422, .s420, .s440, .s411] {
      let recipe = CropRecipe(5, 5, 50, 51, turn: .right)
      let result = try MadeJPEG.crop(file, recipe, ResultOptions(subsampling: kind))
      #expect(try MadeJPEG.info(result.bytes).subsampling == kind)
    }
  }

  @Test func `progressive is written when asked for, without loss too`() throws {
    let file = try MadeJPEG.make(100, 90)
    for rect in [CropRecipe(16, 16, 32, 48), CropRecipe(17, 16, 32, 48)] {
      let result = try MadeJPEG.crop(file, rect, ResultOptions(isProgressive: true))
      let info = try MadeJPEG.info(result.bytes)
      #expect(info.isProgressive)
      #expect(result.isLossless == (rect.rect?.x == 16))
    }
  }

  @Test func `a cancelled encoding frees its memory once`() throws {
    var picture = ckc_jpeg_picture()
    (picture.width, picture.height, picture.channels) = (1000, 200, 1)
    (picture.color_space, picture.pixels) = (1, CKC_JPEG_STORED)  // gray, in libjpeg's numbering
    picture.sampling.0 = ckc_jpeg_sampling(horizontal: 1, vertical: 1)
    var chance = Seeded(seed: 368)
    let noise = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &chance) }
    // Far more than the size of libjpeg's first buffer; only the last one is finished.
    for rows in [199, 199, 199, 200] {
      let encoding = try JPEGEncoding(
        picture, quality: 95, isProgressive: false, segments: JPEGSegmentList())
      try noise.withUnsafeBufferPointer { all in
        try encoding.write(#require(all.baseAddress), stride: 1000, rows: rows)
      }
      guard rows == 200 else { continue }
      let info = try MadeJPEG.info(encoding.finish().take())
      #expect(info.stored == BitmapSize(width: 1000, height: 200))
    }
  }
}
