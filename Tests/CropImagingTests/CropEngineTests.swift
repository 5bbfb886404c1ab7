import CropCore
import CropImaging
import Foundation
import Glibc
import TestMaterial
import Testing

/// Records requests, and returns a PNG of the requested size.
final class RecordingBackend: PixelBackend, @unchecked Sendable {
  private let lock = NSLock()
  private var calls: [(source: Data, options: ResultOptions)] = []
  /// The bytes to return instead.
  let answer: [UInt8]?

  init(answer: [UInt8]? = nil) { self.answer = answer }

  var sources: [Data] { lock.withLock { calls.map(\.source) } }
  var options: [ResultOptions] { lock.withLock { calls.map(\.options) } }

  func crop(_ request: PixelRequest) throws(CropError) -> CropResult {
    try record(request.source, request.options)
    let size = request.crop.output
    let bytes = answer ?? HandMade.png(size.width, size.height)
    return CropResult(bytes: Data(bytes), format: request.options.format ?? .png, size: size)
  }

  func preview(
    _ source: ImageSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    try record(source, options)
    return CropResult(
      bytes: Data(HandMade.png()), format: .png, size: FrameSize(width: 4, height: 3))
  }

  private func record(_ source: ImageSource, _ options: ResultOptions) throws(CropError) {
    let bytes = try source.allBytes()
    lock.withLock { calls.append((bytes, options)) }
  }
}

@Suite struct `The engine` {
  private func crop(
    _ bytes: [UInt8], _ recipe: CropRecipe, options: ResultOptions = ResultOptions(),
    backend: RecordingBackend = RecordingBackend()
  ) throws(CropError) -> CropResult {
    try CropEngine(backend: backend).crop(
      ImageSource(bytes: Data(bytes), name: "picture"), recipe: recipe, options: options)
  }

  private let part = CropRecipe(rect: FrameRect(x: 0, y: 0, width: 2, height: 1))

  @Test func `edges instead of a size are recognized, if they are inside the picture`() {
    let image = ImageSize(width: 227, height: 149)
    func message(_ rect: FrameRect) -> String? {
      failure { () throws(CropError) in
        _ = try CropRecipe(rect: rect).resolved(for: image, file: "a")
      }?.description
    }
    let edges = message(FrameRect(x: 150, y: 50, width: 200, height: 120))
    let advice =
      "left, top, right and bottom, use 150,50,50,70; the part inside is 150,50,77,99: use that"
    #expect(edges?.contains(advice) == true)
    let size = message(FrameRect(x: 150, y: 50, width: 100, height: 20))
    #expect(
      size?.contains("the image is 227 × 149 pixels; the part inside is 150,50,77,20") == true)
    let outside = message(FrameRect(x: 250, y: 50, width: 100, height: 20))
    #expect(outside?.hasSuffix("the image is 227 × 149 pixels") == true)
  }

  @Test func `a recipe that does not fit names the picture's size`() {
    let outside = CropRecipe(rect: FrameRect(x: 3, y: 0, width: 2, height: 1))
    let error = failure { () throws(CropError) in _ = try crop(HandMade.png(4, 3), outside) }
    #expect(error?.code == "invalid-recipe")
    #expect(error?.exitStatus == 64)
    #expect(error?.httpStatus == 422)
    #expect(
      error?.description
        == "picture: the rectangle 2 × 1 at 3,0 is partly outside the image; "
        + "the image is 4 × 3 pixels; the part inside is 3,0,1,1: "
        + "use that, or CropRecipe.clamped(to:)")
    #expect(error?.message(for: .command).hasSuffix("3,0,1,1: use that, or --clamp") == true)
    #expect(error?.message(for: .http).hasSuffix("; the part inside is 3,0,1,1") == true)
    #expect(
      error?.message(for: .python).hasSuffix("use that, or outside=\"clamp\"") == true)
  }

  @Test func `a recipe that changes nothing copies the file, once it is sure that it decodes`()
    throws
  {
    let backend = RecordingBackend()
    let bytes = HandMade.png(after: [1, 2])
    let result = try crop(bytes, CropRecipe(), backend: backend)
    #expect(result.bytes == Data(bytes))
    #expect(result.isLossless)
    #expect(backend.sources.count == 1)
  }

  @Test func `a file that the options change is not copied`() throws {
    let exif = HandMade.png(before: HandMade.chunk("eXIf", HandMade.exif(1)))
    for options in [
      ResultOptions(quality: 50), ResultOptions(convertsToSRGB: true),
      ResultOptions(page: .only(1)),
    ] {
      let backend = RecordingBackend()
      #expect(try !crop(exif, CropRecipe(), options: options, backend: backend).isLossless)
      #expect(backend.options == [options])
    }
  }

  @Test func `an image is copied without the removed metadata`() throws {
    func stripped(_ bytes: [UInt8], _ policy: MetadataPolicy) throws -> Data {
      let result = try crop(bytes, CropRecipe(), options: ResultOptions(metadata: policy))
      #expect(result.isLossless)
      return result.bytes
    }
    let private1 = HandMade.chunk("prVt", [1, 2, 3])
    let texts =
      HandMade.chunk("eXIf", HandMade.exif(1)) + HandMade.chunk("tEXt", Array("A\0b".utf8))
    let png = HandMade.png(before: private1 + texts, after: [9])
    #expect(try stripped(png, .stripAll) == Data(HandMade.png()))
    #expect(try stripped(png, .keep) == Data(png))
    let exif = PNGChunk.encoded("eXIf", HandMade.exif(1))
    #expect(
      try stripped(png, .stripLocation) == Data(HandMade.png(before: private1 + exif, after: [9])))
    // The orientation is needed to show the image.
    let turned = HandMade.png(before: HandMade.chunk("eXIf", HandMade.exif(6)))
    #expect(try inspect(Array(stripped(turned, .stripAll))).orientation == .right)

    let webp = HandMade.riff(
      HandMade.lossless(4, 4) + HandMade.webpChunk("EXIF", HandMade.exif(1))
        + HandMade.webpChunk("JUNK", [1]))
    #expect(try stripped(webp, .stripAll) == Data(HandMade.riff(HandMade.lossless(4, 4))))

    let frame = HandMade.gifFrame(0, 0, 4, 4)
    let comment: [UInt8] = [0x21, 0xFE, 2, 65, 66, 0]
    let gif = HandMade.gif(4, 4, [comment, frame])
    #expect(try stripped(gif, .stripAll) == Data(HandMade.gif(4, 4, [frame])))
    #expect(try stripped(gif, .keep) == Data(gif))
  }

  @Test func `a decoder never sees bytes outside the structure`() throws {
    let comment = HandMade.segment(0xFE, [7])
    let backend = RecordingBackend()
    let result = try crop(
      HandMade.jpeg(comment + [1, 2, 3] + comment + [4]), part,
      options: ResultOptions(format: .png),
      backend: backend)
    #expect(backend.sources == [Data(HandMade.jpeg(comment + comment))])
    #expect(result.warnings.map(\.code) == ["extra-bytes"])
  }

  @Test func `a result other than requested is rejected`() {
    for answer in [HandMade.png(3, 1), HandMade.jpeg(), Array(HandMade.png(2, 1).dropLast(5)), []] {
      let backend = RecordingBackend(answer: answer)
      let error = failure { () throws(CropError) in
        _ = try crop(HandMade.png(), part, backend: backend)
      }
      #expect(error?.code == "worker-died")
    }
  }

  @Test func `a file too short even for leniency is damaged`() {
    let source = ImageSource(bytes: Data(HandMade.png()), name: "picture")
    let engine = CropEngine(backend: NoBackend(error: .truncated(file: "picture", detail: "x")))
    for (isLenient, code) in [(false, "truncated"), (true, "corrupt")] {
      let error = failure { () throws(CropError) in
        _ = try engine.crop(source, recipe: part, options: ResultOptions(isLenient: isLenient))
      }
      #expect(error?.code == code)
    }
  }

  @Test func `losses are reported`() throws {
    let moving = HandMade.animation(frames: 7)
    let still = HandMade.jpeg(frame: HandMade.frame(2, 1))
    let result = try crop(
      HandMade.png(depth: 16, before: moving, after: [0]), part,
      options: ResultOptions(format: .jpeg), backend: RecordingBackend(answer: still))
    #expect(
      result.warnings.map(\.code) == ["frames-dropped", "depth-reduced", "metadata-dropped"])
  }

  @Test func `an animation keeps all its frames where the format has them`() throws {
    let moving = HandMade.png(before: HandMade.animation(frames: 7))
    let answer = HandMade.png(2, 1, before: HandMade.animation(frames: 7, width: 2, height: 1))
    #expect(try crop(moving, part, backend: RecordingBackend(answer: answer)).warnings == [])
    let short = RecordingBackend(answer: HandMade.png(2, 1))
    let lost = failure { () throws(CropError) in _ = try crop(moving, part, backend: short) }
    #expect(lost?.code == "worker-died")
    var one = ResultOptions(page: .only(3))
    #expect(try crop(moving, part, options: one).warnings == [])
    one.page = .all
    #expect(try crop(moving, CropRecipe(), options: one).isLossless)
  }

  @Test func `all pages are refused where the format holds one, and pages that are not there`() {
    let moving = HandMade.png(before: HandMade.animation(frames: 7))
    for options in [
      ResultOptions(format: .jpeg, page: .all), ResultOptions(page: .only(8)),
      ResultOptions(page: .only(0)),
    ] {
      let error = failure { () throws(CropError) in
        _ = try crop(moving, part, options: options)
      }
      #expect(error?.exitStatus == 64 && error?.httpStatus == 422)
    }
  }

  @Test func `frames have no more pixels together than a picture may`() {
    let backend = RecordingBackend()
    // A frame of 4 × 3 counts as 64 × 64.
    let many = HandMade.png(before: HandMade.animation(frames: 300))
    let engine = CropEngine(backend: backend, limits: Limits(pixels: 299 * 64 * 64))
    let error = failure { () throws(CropError) in
      _ = try engine.crop(ImageSource(bytes: Data(many), name: "many"), recipe: part)
    }
    #expect(error?.code == "limit-pixels")
    #expect(backend.sources.isEmpty)
  }

  @Test func `a result larger than its format is refused before any work`() {
    let backend = RecordingBackend()
    let wide = HandMade.png(20_000, 1)
    let error = failure { () throws(CropError) in
      _ = try crop(wide, CropRecipe(), options: ResultOptions(format: .webp), backend: backend)
    }
    #expect(error?.code == "usage")
    #expect(error?.description.contains("16383") == true)
    #expect(backend.sources.isEmpty)
  }

  @Test func `a JPEG that is too large to encode can still be cropped`() throws {
    let backend = RecordingBackend(answer: HandMade.jpeg(frame: HandMade.frame(65_510, 8)))
    let wide = HandMade.png(65_510, 8)
    let error = failure { () throws(CropError) in
      _ = try crop(wide, CropRecipe(), options: ResultOptions(format: .jpeg), backend: backend)
    }
    #expect(error?.code == "usage")
    #expect(error?.description.contains("65500") == true)
    #expect(backend.sources.isEmpty)
    let jpeg = HandMade.jpeg(frame: HandMade.frame(65_520, 8))
    let recipe = CropRecipe(rect: FrameRect(x: 0, y: 0, width: 65_510, height: 8))
    let result = try crop(jpeg, recipe, options: ResultOptions(format: .jpeg), backend: backend)
    #expect(result.size.width == 65_510)
  }

  @Test func `a result with more pixels than a picture may have is refused before any work`() {
    let backend = RecordingBackend()
    let engine = CropEngine(backend: backend, limits: Limits(pixels: 1_000_000))
    let recipe = CropRecipe(output: .exact(width: 2000, height: 1000))
    let error = failure { () throws(CropError) in
      _ = try engine.crop(
        ImageSource(bytes: Data(HandMade.png(4, 2)), name: "small"), recipe: recipe)
    }
    #expect(
      error
        == .limitExceeded(
          file: "the result of small", limit: .pixels, actual: 2_000_000, allowed: 1_000_000))
    #expect(backend.sources.isEmpty)
  }

  @Test func `a result has at most four times the image's pixels unless more are allowed`() throws {
    func refusal(_ width: Int, _ height: Int, _ limits: Limits = Limits()) -> CropError? {
      let backend = RecordingBackend()
      let recipe = CropRecipe(
        rect: FrameRect(x: 0, y: 0, width: 1000, height: 1000),
        output: .exact(width: width, height: height))
      let error = failure { () throws(CropError) in
        _ = try CropEngine(backend: backend, limits: limits).crop(
          ImageSource(bytes: Data(HandMade.png(5000, 4000)), name: "a"), recipe: recipe)
      }
      #expect(backend.sources.isEmpty == (error?.code == "limit-output"))
      return error
    }
    #expect(
      refusal(16_000, 16_000)
        == .limitExceeded(
          file: "the result of a", limit: .output, actual: 256_000_000, allowed: 80_000_000))
    #expect(
      refusal(16_000, 16_000)?.description.contains("raise Limits.output to allow it") == true)
    #expect(refusal(8944, 8944)?.code != "limit-output")
    #expect(refusal(8945, 8945)?.code == "limit-output")
    #expect(refusal(16_000, 16_000, Limits(output: 256_000_000))?.code != "limit-output")
    #expect(refusal(1001, 1001, Limits(output: 1_000_000))?.code == "limit-output")
  }

  @Test func `a small image may become one of 16 megapixels`() {
    #expect(Limits().outputPixels(from: 100) == 16_000_000)
    #expect(Limits().outputPixels(from: 4_000_001) == 16_000_004)
    #expect(Limits().outputPixels(from: 200_000_000) == 300_000_000)
    #expect(Limits(pixels: 1000).outputPixels(from: 10) == 1000)
    #expect(Limits(output: 7).outputPixels(from: .max) == 7)
    #expect(Limits(pixels: .max).outputPixels(from: .max) == .max)
  }

  @Test func `an image that was opened with other options is refused`() throws {
    let engine = CropEngine(backend: RecordingBackend())
    let picture = try engine.open(ImageSource(bytes: Data(HandMade.png()), name: "a"))
    for options in [ResultOptions(isLenient: true), ResultOptions(page: .only(2))] {
      let error = failure { () throws(CropError) in
        _ = try engine.crop(picture, recipe: CropRecipe(), options: options)
      }
      #expect(error?.code == "usage")
      #expect(error?.description.contains("open it again") == true)
    }
  }

  // HandMade.png is 4 × 3 pixels.
  @Test(arguments: [
    (CropRecipe(), ResultOptions(maxSide: 2), FrameSize(width: 2, height: 2)),
    (
      CropRecipe(output: .exact(width: 40, height: 30)), ResultOptions(maxSide: 8),
      FrameSize(width: 8, height: 6)
    ),
    (CropRecipe(output: .maxSide(2)), ResultOptions(maxSide: 3), FrameSize(width: 2, height: 2)),
    (
      CropRecipe(output: .maxSide(2)), ResultOptions(size: .pixels(FrameSize(width: 8, height: 6))),
      FrameSize(width: 8, height: 6)
    ),
  ])
  func `options may limit or replace the size of a recipe`(
    recipe: CropRecipe, options: ResultOptions, size: FrameSize
  ) throws {
    let engine = CropEngine(backend: RecordingBackend())
    let picture = try engine.open(
      ImageSource(bytes: Data(HandMade.png()), name: "a"), options: options)
    let planned = PlannedCrop(recipe, of: picture, options: options)
    #expect(try planned.size() == size)
    #expect(try planned.result(by: engine).size == size)
  }

  @Test func `a limit that an image meets does not prevent a copy, and two sizes are refused`()
    throws
  {
    let engine = CropEngine(backend: RecordingBackend())
    let source = ImageSource(bytes: Data(HandMade.png()), name: "a")
    let copy = try engine.crop(source, recipe: CropRecipe(), options: ResultOptions(maxSide: 4))
    #expect(copy.isLossless && copy.bytes == Data(HandMade.png()))
    let both = failure { () throws(CropError) in
      _ = try engine.crop(
        source, recipe: CropRecipe(),
        options: ResultOptions(maxSide: 4, size: .pixels(FrameSize(width: 4, height: 3))))
    }
    #expect(both?.code == "usage")
  }

  @Test func `a page that is not there is refused`() {
    let error = failure { () throws(CropError) in
      _ = try crop(HandMade.png(), part, options: ResultOptions(page: .only(2)))
    }
    #expect(error?.exitStatus == 64)
  }

  @Test func `sources say why they can't be read`() throws {
    let scratch = try Scratch()
    let missing = scratch.file("none.jpg")
    #expect(
      failure { () throws(CropError) in _ = try ImageSource(path: missing) }
        == .inputMissing(file: missing))
    let folder = failure { () throws(CropError) in _ = try ImageSource(path: scratch.path) }
    #expect(folder?.exitStatus == 66)
    #expect(folder?.description.contains("folder") == true)
    let large = try scratch.write("12345", to: "a")
    #expect(
      failure { () throws(CropError) in
        _ = try ImageSource(path: large, limits: Limits(bytes: 4))
      } == .limitExceeded(file: large, limit: .bytes, actual: 5, allowed: 4))
    let endless = failure { () throws(CropError) in
      _ = try ImageSource(path: "/dev/zero", limits: Limits(bytes: 1 << 20))
    }
    #expect(endless?.code == "limit-bytes")
    let pipe = scratch.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let unwritten = failure { () throws(CropError) in
      _ = try ImageSource(path: pipe, limits: Limits(seconds: 0))
    }
    #expect(unwritten == .timedOut(file: pipe, seconds: 0))
  }

  @Test func `a file that shrinks while it is read is an error`() throws {
    let scratch = try Scratch()
    try Data(HandMade.png()).write(to: URL(fileURLWithPath: scratch.file("a")))
    let source = try ImageSource(path: scratch.file("a"))
    #expect(truncate(scratch.file("a"), 40) == 0)
    let error = failure { () throws(CropError) in
      _ = try CropEngine(backend: NoBackend()).info(source)
    }
    #expect(error?.exitStatus == 65)
    #expect(failure { () throws(CropError) in _ = try source.allBytes() }?.code == "read-failed")
  }

  @Test func `messages are one line, whatever the name`() {
    let error = CropError.empty(file: "a\nb\u{1B}[31m\u{202E}c.jpg")
    #expect(error.description == "a?b?[31m?c.jpg: the file is empty; choose another")
  }

  @Test func `errors and information survive JSON`() throws {
    let errors: [CropError] = [
      .usage(detail: "x"), .limitExceeded(file: "f", limit: .memory, actual: 3, allowed: 2),
      .unsupportedFormat(file: "f", found: nil), .timedOut(file: "f", seconds: 3),
    ]
    let copy = try JSONDecoder().decode([CropError].self, from: JSONEncoder().encode(errors))
    #expect(copy == errors)
    let info = try inspect(HandMade.jpeg(HandMade.exifSegment(HandMade.exif(6)) + [1]))
    #expect(try JSONDecoder().decode(ImageInfo.self, from: JSONEncoder().encode(info)) == info)
  }
}
