import CropCore
import FoundationEssentials
import Glibc

/// A backend that passes each image to one of several processes with limited privileges. If an
/// image crashes its decoder, only that call fails.
///
/// The processes run `cropkit-worker`. A process is started when it is first needed, handles one
/// image at a time, all for the same `CropPrincipal`, and is replaced after `recycleAfter` images.
/// All of them end with this object or with this process, even if it is killed. A call blocks until
/// a process is free or its `CropStop` is cancelled; this wait does not count towards the time
/// limit.
public final class WorkerPool: PixelBackend, Sendable {
  private let executable: String?
  /// Starts workers; nil if so few are needed that each starts separately.
  private let template: WorkerTemplate?
  private let recycleAfter: Int
  private let limits: Limits
  /// The time in which a worker must load its libraries, unless the limit per image is longer.
  private let secondsToStart: Int
  private let size: Int
  /// For whom calls without a principal are; nil if each call is its own.
  private let everyone: CropPrincipal?
  private let places: Monitor<WorkerPlaces>

  /// A pool of at most `size` processes that run `executable`. If `size` is nil, it is the number
  /// of cores. If `executable` is nil, it is the `cropkit-worker` in the folder of the running
  /// program or in `../libexec/cropkit`.
  ///
  /// `limits` are the largest that a call can request. With `servesOne`, all calls without a
  /// `CropPrincipal` are for the same one: the user of a program on a desktop, or a job.
  public convenience init(
    executable: String? = nil, size: Int? = nil, recycleAfter: Int = 64, limits: Limits = Limits(),
    servesOne: Bool = false
  ) {
    self.init(
      executable: executable, size: size, recycleAfter: recycleAfter, limits: limits,
      servesOne: servesOne, secondsToStart: 20)
  }

  init(
    executable: String?, size: Int?, recycleAfter: Int, limits: Limits, servesOne: Bool = false,
    secondsToStart: Int
  ) {
    let executable = executable ?? OwnProgram.helper(Self.program)
    self.executable = executable
    template = servesOne ? nil : executable.map(WorkerTemplate.init)
    self.recycleAfter = max(1, recycleAfter)
    self.limits = limits
    self.secondsToStart = secondsToStart
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    self.size = max(1, size ?? cores)
    everyone = servesOne ? CropPrincipal("") : nil
    places = Monitor(WorkerPlaces(count: self.size))
  }

  /// The name of the program that the processes run.
  static let program = "cropkit-worker"

  /// The number of processes that handle an image, or are being started for one.
  public var busyCount: Int { size - places.change { $0.free } }

  /// The number of calls that wait for a process.
  public var waitingCount: Int { places.change { $0.waiting } }

  /// Whether workers can only make the system calls that decoding needs (seccomp). If the kernel
  /// or the processor does not support that, they are separate processes with limits on memory and
  /// time, and can't gain privileges.
  public static var filtersSystemCalls: Bool { OwnWorker.canFilter }

  /// The path of the running program, to be used as an `executable` that checks
  /// ``WorkerLoop/isCalled``.
  public static let thisProgram: String = {
    let link = "/proc/self/exe"
    return access(link, X_OK) == 0 ? link : OwnProgram.path ?? link
  }()

  /// Crops an image in a worker; see ``PixelBackend/crop(_:)``.
  public func crop(_ request: PixelRequest) throws(CropError) -> CropResult {
    let source = request.source
    return try serve(
      source,
      WorkerTask(
        name: source.name, info: request.info,
        operation: .crop(
          CropFields(request.crop),
          map: request.map.map { GainMapFields($0, item: request.mapItem) }),
        options: request.options, provenance: request.options.provenance, limits: request.limits,
        density: request.density, shared: source.pixels.map(SharedFields.init)))
  }

  /// Makes a preview in a worker; see ``PixelBackend/preview(_:info:maxSide:options:limits:)``.
  public func preview(
    _ source: ImageSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    try serve(
      source,
      WorkerTask(
        name: source.name, info: info, operation: .preview(maxSide: maxSide), options: options,
        limits: limits))
  }

  /// Checks an image in a worker; see ``PixelBackend/check(_:info:limits:)``.
  public func check(
    _ source: ImageSource, info: ImageInfo, limits: Limits
  ) throws(CropError) -> [CropWarning] {
    try serve(
      source,
      WorkerTask(
        name: source.name, info: info, operation: .check, options: ResultOptions(), limits: limits)
    ).warnings
  }

  /// Searches for a border in a worker; see ``PixelBackend/insideBorder(_:tolerance:)``.
  public func insideBorder(
    _ request: PixelRequest, tolerance: Int
  ) throws(CropError) -> ImageRect? {
    let source = request.source
    let result = try serve(
      source,
      WorkerTask(
        name: source.name, info: request.info,
        operation: .border(CropFields(request.crop), tolerance: tolerance),
        options: request.options, limits: request.limits,
        shared: source.pixels.map(SharedFields.init)))
    return result.rect.map {
      ImageRect(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
    }
  }

  /// Searches for a sheet in a worker; see ``PixelBackend/sheet(in:info:options:limits:)``.
  public func sheet(
    in source: ImageSource, info: ImageInfo, options: ResultOptions, limits: Limits
  ) throws(CropError) -> Quad? {
    try serve(
      source,
      WorkerTask(
        name: source.name, info: info, operation: .sheet, options: options, limits: limits)
    ).quad
  }

  /// Starts one process, so that the first image does not wait for it and a missing program is
  /// reported early.
  public func warmUp() throws(CropError) {
    giveBack(try take(.call, for: executable ?? ""))
  }

  /// Ends the idle processes of a principal that will not come again; nil for those of all.
  public func end(servingOnly principal: CropPrincipal? = nil) {
    let ended = places.change { $0.remove(of: principal.map(WorkerOwner.principal)) }
    for idle in ended { idle.worker.finish() }
  }
}

extension WorkerPool {
  private func serve(
    _ source: ImageSource, _ task: WorkerTask
  ) throws(CropError) -> CropResult {
    let file = try source.forWorker()
    var task = task
    task.limits = task.limits.capped(by: limits)
    task.capacity = min(task.limits.memory, Int(clamping: ResultFile.largest))
    let owner = owner(of: task)
    while true {
      let taken = try take(
        owner, for: source.name, key: task.shared?.key,
        modules: Set([task.info.format, task.options.format].compactMap { $0?.module }))
      guard let room = MemoryFile.empty(capacity: task.capacity) else {
        giveBack(taken)
        throw .resourceUnavailable(errno, "a file in memory")
      }
      // Frees the file's memory; the result was taken over, so no process can change it.
      defer { MemoryFile.discard(room) }
      let isSent: Void? = try? taken.worker.channel.send(
        WorkerRequest.picture(task), with: [file, room])
      if isSent == nil {
        drop(taken.worker)
      } else if let result = try answer(of: taken, task, in: room) {
        return result
      }
      // The worker died before it read the request: the image is not the cause.
      if taken.served == 0 {
        throw .workerDied(file: source.name, detail: "before reading the file")
      }
    }
  }

  private func owner(of task: WorkerTask) -> WorkerOwner {
    if let principal = CropPrincipal.current ?? everyone { return .principal(principal) }
    return task.shared.map { .picture($0.key) } ?? .call
  }

  /// The worker's reply, after which it is idle again or has exited; nil if it died before it
  /// received the task.
  private func answer(
    of taken: WorkerPlaces.Idle, _ task: WorkerTask, in room: Descriptor
  ) throws(CropError) -> CropResult? {
    let worker = taken.worker
    // The worker's limit comes first, so that it can report a timeout itself.
    let limit = worker.timeLimit(seconds: task.limits.seconds)
    let answer: WorkerReply
    do throws(WorkerChannel.Failure) {
      answer = try worker.channel.receive(
        WorkerReply.self, until: limit, stop: CropStop.current
      ).message
    } catch {
      if error == .unread {
        drop(worker)
        return nil
      }
      throw death(of: worker, error, task)
    }
    let used = WorkerPlaces.Idle(
      worker: worker, served: taken.served + 1, owner: owner(of: task), key: task.shared?.key)
    switch answer {
    case .done(let result):
      guard let bytes = MemoryFile.take(room, count: result.byteCount) else {
        throw death(of: worker, .garbled, task)
      }
      giveBack(used)
      var made = CropResult(
        bytes: bytes, format: result.format, size: result.size.size(), warnings: result.warnings,
        isLossless: result.isLossless, rect: result.rect?.rect())
      made.quality = result.quality.map { min(max($0, 1), 100) }
      made.requantized = result.requantized
      made.quad = result.quad
      return made
    case .failed(let error):
      giveBack(used)
      throw error
    case .ready, .copied: throw death(of: worker, .garbled, task)
    }
  }

  /// Ends the worker and returns the error for the image that it handled.
  private func death(
    of worker: Worker, _ failure: WorkerChannel.Failure, _ task: WorkerTask
  ) -> CropError {
    let end = worker.finish()
    drop(worker)
    switch failure {
    case .timedOut: return .timedOut(file: task.name, seconds: task.limits.seconds)
    case .garbled: return .workerDied(file: task.name, detail: "its answer can't be read")
    case .stopped: return .cancelled
    case .closed, .unread: break
    }
    if end.signal == SIGXCPU { return .timedOut(file: task.name, seconds: task.limits.seconds) }
    switch end.shortage {
    case nil: return .workerDied(file: task.name, detail: end.words)
    case let shortage?: return task.refusal(for: shortage)
    }
  }

  /// Waits until a worker may be used, then returns an idle one of `owner` that has loaded
  /// `modules`, or a new one. It prefers one that had a task with the same `key`.
  private func take(
    _ owner: WorkerOwner, for file: String, key: UInt64? = nil, modules: Set<String> = []
  ) throws(CropError) -> WorkerPlaces.Idle {
    guard let executable else {
      throw .componentMissing(
        component: "the program \(Self.program)",
        advice: "put it next to this program or in ../libexec/cropkit (make build makes it)")
    }
    var modules = modules
    let (idle, evicted) = try place(for: owner, key)
    evicted?.worker.finish()
    if let idle {
      if modules.isSubset(of: idle.worker.modules) { return idle }
      // A confined worker can't load more modules.
      modules.formUnion(idle.worker.modules)
      idle.worker.finish()
    }
    do throws(CropError) {
      let worker = try Worker(
        executable, from: template, limits: limits, secondsToStart: secondsToStart,
        pictures: recycleAfter,
        file: file, modules: modules)
      return WorkerPlaces.Idle(worker: worker)
    } catch {
      places.change { $0.giveBack(nil) }
      throw error
    }
  }

  /// Waits for a free place and takes it.
  ///
  /// - Throws: `CropError.cancelled` if the call's stop is cancelled first.
  private func place(
    for owner: WorkerOwner, _ key: UInt64?
  ) throws(CropError) -> (found: WorkerPlaces.Idle?, evicted: WorkerPlaces.Idle?) {
    let stop = CropStop.current
    let handler = stop?.onCancel { [places] in places.wakeAll() }
    defer { if let handler { stop?.remove(handler) } }
    var isWaiting = false
    let taken: (found: WorkerPlaces.Idle?, evicted: WorkerPlaces.Idle?)? = places.wait { places in
      let isStopped = stop?.isCancelled == true
      guard isStopped || places.free > 0 else {
        if !isWaiting { places.waiting += 1 }
        isWaiting = true
        return nil
      }
      if isWaiting { places.waiting -= 1 }
      return isStopped ? .some(nil) : places.take(owner, key: key)
    }
    guard let taken else {
      // The wake-up may have been for another waiter.
      places.wakeAll()
      throw .cancelled
    }
    return taken
  }

  private func giveBack(_ taken: WorkerPlaces.Idle) {
    let stays = taken.served < recycleAfter && taken.owner != .call
    if !stays { taken.worker.finish() }
    places.change { $0.giveBack(stays ? taken : nil) }
  }

  private func drop(_ worker: Worker) {
    worker.finish()
    places.change { $0.giveBack(nil) }
  }
}

extension Limits {
  /// The limits, each at most that of `most`.
  fileprivate func capped(by most: Limits) -> Limits {
    Limits(
      pixels: min(pixels, most.pixels), bytes: min(bytes, most.bytes),
      scans: min(scans, most.scans), seconds: min(seconds, most.seconds),
      memory: min(memory, most.memory), output: output)
  }
}

extension CropEngine {
  /// An engine that decodes in separate processes, which have no access to the network or to files.
  /// Share one engine between all callers, and say for whom each crop is (`CropPrincipal`).
  ///
  /// Bytes of a file reach a C library only in those processes. Sequential JPEGs that stay JPEGs
  /// are cut by `CropJPEG` in this one.
  ///
  /// The processes run the program `cropkit-worker`, a product of this package. With
  /// `.product(name: "cropkit-worker", package: "CropKit")` among the dependencies of your target,
  /// `swift build` puts it into the folder of your program, where it is found. Install both in one
  /// folder, or the worker in `../libexec/cropkit`, or name its path.
  ///
  /// - Parameters:
  ///   - worker: the path of the program `cropkit-worker`; nil for the one that is installed with
  ///     the running program.
  ///   - size: the maximum number of processes, and of crops that are under way if they are awaited;
  ///     nil for one per core.
  ///   - waiting: how many more crops may wait for their turn; see ``CropScheduler``.
  ///   - limits: the limits for one image.
  ///   - servesOne: whether crops without a `CropPrincipal` are all for the same one. Otherwise
  ///     each image is decoded in a separate process, which takes a few milliseconds more.
  /// - Throws: `CropError.componentMissing` if the program or a library that it needs is missing;
  ///   as the start of a process.
  public static func sandboxed(
    worker: String? = nil, size: Int? = nil, waiting: Int = CropScheduler.usualQueue,
    limits: Limits = Limits(), servesOne: Bool = false
  ) throws(CropError) -> CropEngine {
    guard let worker = worker ?? OwnProgram.helper(WorkerPool.program) else {
      throw .componentMissing(
        component: "the program \(WorkerPool.program)",
        advice: "make it a dependency of your target (.product(name: \"\(WorkerPool.program)\", "
          + "package: \"CropKit\")), or name its path with worker:")
    }
    let pool = WorkerPool(executable: worker, size: size, limits: limits, servesOne: servesOne)
    try pool.warmUp()
    return CropEngine(
      backend: JPEGBackend(fallback: pool, limited: pool), limits: limits,
      scheduler: CropScheduler(places: size, queueLength: waiting))
  }
}
