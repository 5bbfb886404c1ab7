import CropCore
import CropImaging
import Foundation
import TestMaterial
import Testing

/// A backend whose crops block their threads until the test releases them.
private final class HeldBackend: PixelBackend, @unchecked Sendable {
  private let condition = NSCondition()
  private var isReleased = false
  private var finished = 0
  private let start: AsyncStream<Void>.Continuation
  /// An element for each crop that starts.
  let started: AsyncStream<Void>

  init() { (started, start) = AsyncStream.makeStream(of: Void.self) }

  /// How many crops have ended.
  var finishedCount: Int { condition.withLock { finished } }

  func release() {
    condition.withLock {
      isReleased = true
      condition.broadcast()
    }
  }

  func crop(_ request: PixelRequest) throws(CropError) -> CropResult {
    start.yield()
    // If the crops held all threads, the test could not release them: it fails instead.
    let patience = Date(timeIntervalSinceNow: 60)
    condition.lock()
    defer { condition.unlock() }
    while !isReleased, condition.wait(until: patience) {}
    finished += 1
    guard isReleased else { throw .usage(detail: "nothing released the crop") }
    let size = request.crop.output
    return CropResult(
      bytes: Data(HandMade.png(size.width, size.height)), format: .png, size: size)
  }

  func preview(
    _ source: ImageSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    throw .usage(detail: "no preview")
  }
}

@Suite struct `Awaited crops` {
  private static let source = ImageSource(bytes: Data(HandMade.png(4, 3)), name: "picture")
  private static let part = CropRecipe(rect: FrameRect(x: 0, y: 0, width: 2, height: 1))

  private static let probe: String = {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return program.deletingLastPathComponent().appendingPathComponent("WorkerProbe").path
  }()

  /// An engine whose workers do what the image's name says. The time limit allows for a busy machine.
  private func probing(size: Int) throws -> CropEngine {
    try .sandboxed(
      worker: Self.probe, size: size, limits: Limits(seconds: 600), servesOne: true)
  }

  /// Asks a worker for a crop that has the bytes of the image.
  private func ask(_ engine: CropEngine, _ name: String) async throws(CropError) -> CropResult {
    try await engine.crop(
      ImageSource(bytes: Data(HandMade.png(4, 3)), name: name), recipe: CropRecipe(),
      options: ResultOptions(convertsToSRGB: true))
  }

  @Test func `crops that take long leave other tasks running`() async throws {
    let backend = HeldBackend()
    // As many as Swift has threads for tasks.
    let count = max(2, ProcessInfo.processInfo.activeProcessorCount)
    let engine = CropEngine(backend: backend, scheduler: CropScheduler(places: count))
    try await withThrowingTaskGroup(of: FrameSize.self) { crops in
      for _ in 0..<count {
        crops.addTask { try await engine.crop(Self.source, recipe: Self.part).size }
      }
      var starts = backend.started.makeAsyncIterator()
      for _ in 0..<count { _ = await starts.next() }
      let sum = await withTaskGroup(of: Int.self) { others in
        for number in 1...100 { others.addTask { number } }
        return await others.reduce(0, +)
      }
      #expect(sum == 5050)
      #expect(backend.finishedCount == 0)
      backend.release()
      for try await size in crops { #expect(size == FrameSize(width: 2, height: 1)) }
    }
  }

  @Test func `a crop that finds no room is refused, with a time to try again`() async throws {
    let backend = HeldBackend()
    let engine = CropEngine(backend: backend, scheduler: CropScheduler(places: 1, queueLength: 0))
    async let first = engine.crop(Self.source, recipe: Self.part)
    var starts = backend.started.makeAsyncIterator()
    _ = await starts.next()
    let error = await #expect(throws: CropError.self) {
      try await engine.crop(Self.source, recipe: Self.part)
    }
    #expect(error == .busy(retryAfter: 1))
    #expect(error?.retryAfter == 1 && error?.httpStatus == 429)
    backend.release()
    #expect(try await first.size == FrameSize(width: 2, height: 1))
    // There is room again.
    _ = try await engine.crop(Self.source, recipe: Self.part)
  }

  @Test func `cancelling the task ends the worker that has the image`() async throws {
    let engine = try probing(size: 1)
    let task = Task { try await ask(engine, "sleep") }
    // The only place is taken, so the crop is not waiting for its turn.
    while engine.scheduler.counts.active == 0 { await Task.yield() }
    task.cancel()
    await #expect(throws: CropError.cancelled) { try await task.value }
    // Its place is free.
    #expect(try await ask(engine, "echo").bytes == Data(HandMade.png(4, 3)))
  }

  @Test func `a task that was cancelled before does not crop`() async throws {
    let backend = HeldBackend()
    let engine = CropEngine(backend: backend)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await engine.crop(Self.source, recipe: Self.part)
    }
    task.cancel()
    await #expect(throws: CropError.cancelled) { try await task.value }
    #expect(backend.finishedCount == 0)
  }

  @Test func `a stop cancels all crops that are awaited under it`() async throws {
    let engine = try probing(size: 2)
    let stop = CropStop()
    let errors = await CropStop.$current.withValue(stop) {
      await withTaskGroup(of: CropError?.self) { crops in
        for _ in 0..<2 {
          crops.addTask {
            do throws(CropError) {
              _ = try await ask(engine, "sleep")
              return nil
            } catch {
              return error
            }
          }
        }
        while engine.scheduler.counts.active < 2 { await Task.yield() }
        stop.cancel()
        return await crops.reduce(into: [CropError?]()) { $0.append($1) }
      }
    }
    #expect(errors == [.cancelled, .cancelled])
  }

  @Test func `a JPEG that is cut in this process stops too`() throws {
    let stop = CropStop()
    stop.cancel()
    let file = try MadeJPEG.make(64, 48)
    let error = CropStop.$current.withValue(stop) {
      failure { () throws(CropError) in _ = try MadeJPEG.crop(file, CropRecipe(8, 8, 16, 16)) }
    }
    #expect(error == .cancelled)
  }
}
