import CropCore
import CropSystem
import FoundationEssentials
import Glibc

/// The worker's side of a ``WorkerPool``: the main loop of the program `cropkit-worker`.
public enum WorkerLoop {
  /// Handles images with `backend` until the pool closes; never returns.
  ///
  /// Before the first image, the process drops every privilege that it does not need. It can then
  /// only compute, use the memory that it is allowed, and read the one image that it receives.
  public static func run(_ backend: any PixelBackend) -> Never {
    guard let channel = OwnWorker.begin() else {
      let words = "cropkit-worker is started by cropkit; it does nothing when you run it\n"
      _ = words.withCString { write(STDERR_FILENO, $0, strlen($0)) }
      exit(64)
    }
    do throws(WorkerChannel.Failure) {
      let (most, pictures) = try beginning(backend, channel)
      OwnWorker.endWithPool(channel)
      let bounds = try prepare(backend, most, pictures: pictures, channel)
      try channel.send(WorkerReply.ready)
      var last: PictureSource?
      while true { try serveOne(backend, bounds, channel, last: &last) }
    } catch {
      exit(0)
    }
  }

  /// The limits of this worker. A process that starts workers returns in each copy of it.
  private static func beginning(
    _ backend: any PixelBackend, _ channel: WorkerChannel
  ) throws(WorkerChannel.Failure) -> (Limits, pictures: Int) {
    switch try channel.receive(WorkerRequest.self).message {
    case .begin(let most, let pictures): return (most, pictures)
    case .prepare:
      try warmUp(backend, channel)
      try channel.send(WorkerReply.ready)
      try serveCopies(channel)
      return try beginning(backend, channel)
    case .copy, .picture: throw .garbled
    }
  }

  /// Starts workers until the pool closes; returns in each of them.
  ///
  /// This process never has an image, and one thread.
  private static func serveCopies(_ channel: WorkerChannel) throws(WorkerChannel.Failure) {
    while true {
      let (request, descriptors) = try channel.receive(WorkerRequest.self)
      guard case .copy(let modules) = request, descriptors.count == 2 else { throw .garbled }
      let process = OwnWorker.copy(to: descriptors[0], errors: descriptors[1])
      if process == 0 {
        setenv(PictureFormat.modulesWanted, modules, 1)
        return
      }
      try channel.send(WorkerReply.copied(process: process))
    }
  }

  /// Whether a pool started this process as a worker.
  ///
  /// A program that can be its own worker calls this before anything else.
  public static var isCalled: Bool { OwnWorker.isCalled }

  /// Loads everything that the worker needs, then drops the privilege to open files.
  private static func prepare(
    _ backend: any PixelBackend, _ most: Limits, pictures: Int, _ channel: WorkerChannel
  ) throws(WorkerChannel.Failure) -> WorkerBounds {
    try warmUp(backend, channel)
    return OwnWorker.confine(to: most, pictures: pictures)
  }

  private static func warmUp(
    _ backend: any PixelBackend, _ channel: WorkerChannel
  ) throws(WorkerChannel.Failure) {
    do throws(CropError) {
      try backend.warmUp()
    } catch {
      try channel.send(WorkerReply.failed(error))
      exit(69)
    }
  }

  private static func serveOne(
    _ backend: any PixelBackend, _ bounds: WorkerBounds, _ channel: WorkerChannel,
    last: inout PictureSource?
  ) throws(WorkerChannel.Failure) {
    let (request, descriptors) = try channel.receive(WorkerRequest.self)
    guard case .picture(let order) = request, descriptors.count == 2 else { throw .garbled }
    let (file, room) = (descriptors[0], order.room(in: descriptors[1]))
    bounds.apply(order.limits)
    Shortage.forget()
    let answer: WorkerReply
    do throws(CropError) {
      // Frees the pixels of another image before decoding new ones.
      if last?.pixels?.key != order.shared?.key { last = nil }
      let source: PictureSource
      if let last {
        source = last
      } else {
        source = try PictureSource(file, name: order.name, limits: order.limits)
          .forSeveralCrops(sharing: order.shared?.pixels)
        if order.shared != nil { last = source }
      }
      let result = try carryOut(order, source, backend, into: room)
      if result.file !== room { try room.hold(result.bytes) }
      answer = .done(WorkerResult(result))
    } catch {
      answer = .failed(order.explained(error))
    }
    try channel.send(answer)
    OwnWorker.trim()
  }

  private static func carryOut(
    _ order: WorkerTask, _ source: PictureSource, _ backend: any PixelBackend,
    into room: ResultFile
  ) throws(CropError) -> CropResult {
    guard let fields = order.crop else {
      guard let side = order.maxSide else {
        let warnings = try backend.check(source, info: order.info, limits: order.limits)
        return CropResult(
          bytes: Data(), format: order.info.format, size: FrameSize(width: 0, height: 0),
          warnings: warnings)
      }
      return try backend.preview(
        source, info: order.info, maxSide: side, options: order.options, limits: order.limits)
    }
    let crop: ResolvedCrop
    do throws(RecipeError) {
      crop = try fields.crop(of: order.info.shown)
    } catch {
      throw .invalidRecipe(file: order.name, detail: error.message(for: order.info.shown))
    }
    var options = order.options
    options.provenance = order.provenance
    var request = PixelRequest(
      source, info: order.info, crop: crop, options: options, limits: order.limits, sink: room)
    if let tolerance = order.tolerance {
      let inside = try backend.insideBorder(request, tolerance: tolerance)
      return CropResult(
        bytes: Data(), format: order.info.format, size: FrameSize(width: 0, height: 0),
        rect: inside.map { PixelRect(x: $0.x, y: $0.y, width: $0.width, height: $0.height) })
    }
    if let fields = order.map {
      guard let map = fields.cut else {
        throw .usage(detail: "\(order.name): a gain map can't be cropped this way")
      }
      (request.map, request.mapItem) = (map, fields.item)
    }
    return try backend.crop(request)
  }
}

extension WorkerTask {
  /// The file for its result.
  fileprivate func room(in file: Descriptor) -> ResultFile {
    let excess: CropError =
      capacity < limits.memory
      ? .writeFailed(path: name, detail: words(for: EFBIG))
      : .outOfMemory(file: name, allowed: limits.memory)
    return ResultFile(file, path: name, bound: (capacity, excess))
  }

  /// The actual cause of a failure: decoders that run out of memory may report a bad image.
  fileprivate func explained(_ error: CropError) -> CropError {
    switch (Shortage.noted, error) {
    case (nil, _), (_, .limitExceeded), (_, .timedOut), (.threads, .outOfMemory): error
    case (let shortage?, _): refusal(for: shortage)
    }
  }

  /// The error for a resource that the worker was denied.
  func refusal(for shortage: Shortage) -> CropError {
    switch shortage {
    case .memory: .outOfMemory(file: name, allowed: limits.memory)
    case .outerMemory: .memoryRefused(file: name, allowed: limits.memory)
    case .threads: .threadsExhausted("a thread of a worker process")
    }
  }
}
