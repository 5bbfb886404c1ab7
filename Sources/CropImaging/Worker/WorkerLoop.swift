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
      var last: ImageSource?
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
        setenv(ImageFormat.modulesWanted, modules, 1)
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
    last: inout ImageSource?
  ) throws(WorkerChannel.Failure) {
    let (request, descriptors) = try channel.receive(WorkerRequest.self)
    guard case .picture(let task) = request, descriptors.count == 2 else { throw .garbled }
    let (file, room) = (descriptors[0], task.room(in: descriptors[1]))
    bounds.apply(task.limits)
    Shortage.forget()
    let answer: WorkerReply
    do throws(CropError) {
      // Frees the pixels of another image before decoding new ones.
      if last?.pixels?.key != task.shared?.key { last = nil }
      let source: ImageSource
      if let last {
        source = last
      } else {
        source = try ImageSource(file, name: task.name, limits: task.limits)
          .forSeveralCrops(sharing: task.shared?.pixels)
        if task.shared != nil { last = source }
      }
      let result = try carryOut(task, source, backend, into: room)
      if result.file !== room { try room.hold(result.bytes) }
      answer = .done(WorkerResult(result))
    } catch {
      answer = .failed(task.explained(error))
    }
    try channel.send(answer)
    OwnWorker.trim()
  }

  private static func carryOut(
    _ task: WorkerTask, _ source: ImageSource, _ backend: any PixelBackend,
    into room: ResultFile
  ) throws(CropError) -> CropResult {
    switch task.operation {
    case .crop(let fields, let map):
      var request = try task.request(fields, source, into: room)
      if let map {
        guard let cut = map.cut else {
          throw .usage(detail: "\(task.name): a gain map can't be cropped this way")
        }
        (request.map, request.mapItem) = (cut, map.item)
      }
      return try backend.crop(request)
    case .border(let fields, let tolerance):
      let request = try task.request(fields, source, into: room)
      var result = task.resultWithoutBytes
      result.rect = try backend.insideBorder(request, tolerance: tolerance).map {
        PixelRect(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
      }
      return result
    case .sheet:
      var result = task.resultWithoutBytes
      result.quad = try backend.sheet(
        in: source, info: task.info, options: task.options, limits: task.limits)
      return result
    case .preview(let maxSide):
      return try backend.preview(
        source, info: task.info, maxSide: maxSide, options: task.options, limits: task.limits)
    case .check:
      var result = task.resultWithoutBytes
      result.warnings = try backend.check(source, info: task.info, limits: task.limits)
      return result
    }
  }
}

extension WorkerTask {
  /// The crop as its backend takes it, after a check that it fits the image.
  fileprivate func request(
    _ fields: CropFields, _ source: ImageSource, into room: ResultFile
  ) throws(CropError) -> PixelRequest {
    var options = options
    options.provenance = provenance
    do throws(RecipeError) {
      var request = PixelRequest(
        source, info: info, crop: try fields.crop(of: info.shown), options: options, limits: limits,
        sink: room)
      request.density = density
      return request
    } catch {
      throw .invalidRecipe(file: name, detail: error.message(for: info.shown))
    }
  }

  /// The result of an operation that writes no file.
  fileprivate var resultWithoutBytes: CropResult {
    CropResult(bytes: Data(), format: info.format, size: FrameSize(width: 0, height: 0))
  }

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
