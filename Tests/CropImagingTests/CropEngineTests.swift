import CropCore
import CropImaging
import Foundation
import Glibc
import Testing

/// Remembers what it was asked, answers with a PNG of the size asked for.
final class RecordingBackend: PixelBackend, @unchecked Sendable {
  private let lock = NSLock()
  private var calls: [(source: Data, options: ResultOptions)] = []
  /// What the answer is instead.
  let answer: [UInt8]?

  init(answer: [UInt8]? = nil) { self.answer = answer }

  var sources: [Data] { lock.withLock { calls.map(\.source) } }
  var options: [ResultOptions] { lock.withLock { calls.map(\.options) } }

  func crop(
    _ source: PictureSource, info: ImageInfo, crop: ResolvedCrop, options: ResultOptions,
    limits: Limits
  ) throws(CropError) -> CropResult {
    try record(source, options)
    let bytes = answer ?? HandMade.png(crop.output.width, crop.output.height)
    return CropResult(bytes: Data(bytes), format: .png, size: crop.output)
  }

  func preview(
    _ source: PictureSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    try record(source, options)
    return CropResult(
      bytes: Data(HandMade.png()), format: .png, size: FrameSize(width: 4, height: 3))
  }

  private func record(_ source: PictureSource, _ options: ResultOptions) throws(CropError) {
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
      PictureSource(bytes: Data(bytes), name: "picture"), recipe: recipe, options: options)
  }

  private let part = CropRecipe(rect: FrameRect(x: 0, y: 0, width: 2, height: 1))

  @Test func `a recipe that does not fit names the picture's size`() {
    let outside = CropRecipe(rect: FrameRect(x: 3, y: 0, width: 2, height: 1))
    let error = failure { () throws(CropError) in _ = try crop(HandMade.png(4, 3), outside) }
    #expect(error?.code == "invalid-recipe")
    #expect(error?.exitStatus == 64)
    #expect(error?.httpStatus == 422)
    #expect(
      error?.message
        == "picture: the rectangle 2 × 1 at 3,0 reaches past the picture; "
        + "the picture is 4 × 3 pixels")
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

  @Test func `what the options change is not copied`() throws {
    let exif = HandMade.png(before: HandMade.chunk("eXIf", HandMade.exif(1)))
    for options in [
      ResultOptions(quality: 50), ResultOptions(metadata: .stripAll),
      ResultOptions(convertsToSRGB: true), ResultOptions(page: 1),
    ] {
      let backend = RecordingBackend()
      #expect(try !crop(exif, CropRecipe(), options: options, backend: backend).isLossless)
      #expect(backend.options == [options])
    }
  }

  @Test func `a decoder never sees the bytes that belong to nothing`() throws {
    let comment = HandMade.segment(0xFE, [7])
    let backend = RecordingBackend()
    let result = try crop(
      HandMade.jpeg(comment + [1, 2, 3] + comment + [4]), part,
      options: ResultOptions(format: .png),
      backend: backend)
    #expect(backend.sources == [Data(HandMade.jpeg(comment + comment))])
    #expect(result.warnings.map(\.code) == ["extra-bytes"])
  }

  @Test func `a result that is not what was asked for is refused`() {
    for answer in [HandMade.png(3, 1), HandMade.jpeg(), Array(HandMade.png(2, 1).dropLast(5)), []] {
      let backend = RecordingBackend(answer: answer)
      let error = failure { () throws(CropError) in
        _ = try crop(HandMade.png(), part, backend: backend)
      }
      #expect(error?.code == "worker-died")
    }
  }

  @Test func `a file too short even for leniency is damaged`() {
    let source = PictureSource(bytes: Data(HandMade.png()), name: "picture")
    let engine = CropEngine(backend: NoBackend(error: .truncated(file: "picture", detail: "x")))
    for (isLenient, code) in [(false, "truncated"), (true, "corrupt")] {
      let error = failure { () throws(CropError) in
        _ = try engine.crop(source, recipe: part, options: ResultOptions(isLenient: isLenient))
      }
      #expect(error?.code == code)
    }
  }

  @Test func `what is lost is said`() throws {
    let moving = HandMade.chunk("acTL", HandMade.big32(7) + HandMade.big32(0))
    let result = try crop(HandMade.png(depth: 16, before: moving, after: [0]), part)
    #expect(
      result.warnings.map(\.code) == ["frames-dropped", "depth-reduced", "metadata-dropped"])
  }

  @Test func `a result larger than its format is refused before any work`() {
    let backend = RecordingBackend()
    let wide = HandMade.png(20_000, 1)
    let error = failure { () throws(CropError) in
      _ = try crop(wide, CropRecipe(), options: ResultOptions(format: .webp), backend: backend)
    }
    #expect(error?.code == "usage")
    #expect(error?.message.contains("16383") == true)
    #expect(backend.sources.isEmpty)
  }

  @Test func `a page that is not there is refused`() {
    let error = failure { () throws(CropError) in
      _ = try crop(HandMade.png(), part, options: ResultOptions(page: 2))
    }
    #expect(error?.exitStatus == 64)
  }

  @Test func `sources say why they can't be read`() throws {
    let scratch = try Scratch()
    let missing = scratch.file("none.jpg")
    #expect(
      failure { () throws(CropError) in _ = try PictureSource(path: missing) }
        == .inputMissing(file: missing))
    let folder = failure { () throws(CropError) in _ = try PictureSource(path: scratch.path) }
    #expect(folder?.exitStatus == 66)
    #expect(folder?.message.contains("folder") == true)
    let large = try scratch.write("12345", to: "a")
    #expect(
      failure { () throws(CropError) in
        _ = try PictureSource(path: large, limits: Limits(bytes: 4))
      } == .limitExceeded(file: large, limit: .bytes, actual: 5, allowed: 4))
    let endless = failure { () throws(CropError) in
      _ = try PictureSource(path: "/dev/zero", limits: Limits(bytes: 1 << 20))
    }
    #expect(endless?.code == "limit-bytes")
    let pipe = scratch.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(try PictureSource(path: pipe).byteCount == 0)
  }

  @Test func `a file that shrinks while it is read is an error`() throws {
    let scratch = try Scratch()
    try Data(HandMade.png()).write(to: URL(fileURLWithPath: scratch.file("a")))
    let source = try PictureSource(path: scratch.file("a"))
    #expect(truncate(scratch.file("a"), 40) == 0)
    let error = failure { () throws(CropError) in
      _ = try CropEngine(backend: NoBackend()).info(source)
    }
    #expect(error?.exitStatus == 65)
    #expect(failure { () throws(CropError) in _ = try source.allBytes() }?.code == "read-failed")
  }

  @Test func `messages are one line, whatever the name`() {
    let error = CropError.empty(file: "a\nb\u{1B}[31m\u{202E}c.jpg")
    #expect(error.message == "a?b?[31m?c.jpg: the file is empty; choose another")
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
