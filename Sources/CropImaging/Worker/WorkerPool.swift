import CropCore
import FoundationEssentials
import Glibc

/// A backend that hands each picture to one of a few limited processes, so that a picture that kills
/// its decoder is one error and nothing else.
///
/// The processes run `cropkit-worker`. They are started when first needed, take one picture at a time,
/// are replaced after `recycleAfter` pictures and end with this object or with this process, however
/// it ends. Calls block until a process is free, or until their `CropStop` is cancelled; that time does
/// not count towards the limit.
public final class WorkerPool: PixelBackend, Sendable {
  private let executable: String?
  private let recycleAfter: Int
  private let limits: Limits
  private let size: Int
  private let state: Monitor<State>

  /// A worker, and what it did.
  private struct Idle {
    let worker: Worker
    var served: Int
    /// What the orders share that it had last, and still has the pixels of.
    var key: UInt64?
  }

  private struct State {
    var idle: [Idle] = []
    /// How many more workers may be started or taken.
    var free: Int
    /// How many calls wait for one.
    var waiting = 0
  }

  /// A pool of at most `size` processes (nil: one a core) that run `executable` (nil: the
  /// `cropkit-worker` beside the running program, then in `../libexec/cropkit`).
  ///
  /// `limits` are the most any call can ask for.
  public init(
    executable: String? = nil, size: Int? = nil, recycleAfter: Int = 64, limits: Limits = Limits()
  ) {
    self.executable = executable ?? OwnProgram.helper("cropkit-worker")
    self.recycleAfter = max(1, recycleAfter)
    self.limits = limits
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    self.size = max(1, size ?? cores)
    state = Monitor(State(free: self.size))
  }

  /// How many processes have a picture or are being started for one.
  public var busyCount: Int { size - state.change { $0.free } }

  /// How many calls wait for a process.
  public var waitingCount: Int { state.change { $0.waiting } }

  /// The running program itself, as an `executable` that asks ``WorkerLoop/isCalled``.
  public static let thisProgram: String = {
    let link = "/proc/self/exe"
    return access(link, X_OK) == 0 ? link : OwnProgram.path ?? link
  }()

  /// See ``PixelBackend/crop(_:)``.
  public func crop(_ request: PixelRequest) throws(CropError) -> CropResult {
    let source = request.source
    return try serve(
      source,
      WorkerOrder(
        name: source.name, info: request.info, crop: CropFields(request.crop),
        map: request.map.map(GainMapFields.init),
        options: request.options, provenance: request.options.provenance, limits: request.limits,
        shared: source.pixels.map(SharedFields.init)))
  }

  /// See ``PixelBackend/preview(_:info:maxSide:options:limits:)``.
  public func preview(
    _ source: PictureSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    try serve(
      source,
      WorkerOrder(
        name: source.name, info: info, maxSide: maxSide, options: options, limits: limits))
  }

  /// See ``PixelBackend/check(_:info:limits:)``.
  public func check(
    _ source: PictureSource, info: ImageInfo, limits: Limits
  ) throws(CropError) -> [CropWarning] {
    try serve(
      source,
      WorkerOrder(name: source.name, info: info, options: ResultOptions(), limits: limits)
    ).warnings
  }

  /// Starts one process, so that the first picture does not wait for it and a missing program is reported now.
  public func warmUp() throws(CropError) {
    giveBack(try take(for: executable ?? ""))
  }
}

extension WorkerPool {
  private func serve(
    _ source: PictureSource, _ order: WorkerOrder
  ) throws(CropError) -> CropResult {
    let file = try source.forWorker()
    var order = order
    order.limits = order.limits.capped(by: limits)
    order.capacity = min(order.limits.memory, Int(clamping: ResultFile.largest))
    while true {
      let taken = try take(for: source.name, key: order.shared?.key)
      guard let room = MemoryFile.empty(capacity: order.capacity) else {
        giveBack(taken)
        throw .resourceUnavailable(errno, "a file in memory")
      }
      // Once taken, a result can't be changed by any process.
      defer { MemoryFile.discard(room) }
      let isSent: Void? = try? taken.worker.channel.send(
        WorkerRequest.picture(order), with: [file, room])
      if isSent == nil {
        drop(taken.worker)
      } else if let result = try answer(of: taken, order, in: room) {
        return result
      }
      // It died before it had read the order: the picture is not to blame.
      if taken.served == 0 {
        throw .workerDied(file: source.name, detail: "before it saw the file")
      }
    }
  }

  /// The worker's answer, after which it is idle again or gone; nil if it died before it was asked.
  private func answer(
    of taken: Idle, _ order: WorkerOrder, in room: Descriptor
  ) throws(CropError) -> CropResult? {
    let worker = taken.worker
    // The worker's own deadline comes first: it can report it without being killed.
    let (span, _) = order.limits.seconds.multipliedReportingOverflow(by: 1000)
    let deadline = Moment(millisecondsFromNow: span &+ 250)
    let answer: WorkerAnswer
    do throws(WorkerChannel.Failure) {
      answer = try worker.channel.receive(
        WorkerAnswer.self, until: deadline, stop: CropStop.current
      ).message
    } catch {
      if error == .unread {
        drop(worker)
        return nil
      }
      throw death(of: worker, error, order)
    }
    let used = Idle(worker: worker, served: taken.served + 1, key: order.shared?.key)
    switch answer {
    case .done(let result):
      guard let bytes = MemoryFile.take(room, count: result.byteCount) else {
        throw death(of: worker, .garbled, order)
      }
      giveBack(used)
      var made = CropResult(
        bytes: bytes, format: result.format, size: result.size.size(), warnings: result.warnings,
        isLossless: result.isLossless, rect: result.rect?.rect(), obstacle: result.obstacle)
      made.quality = result.quality.map { min(max($0, 1), 100) }
      made.requantized = result.requantized
      return made
    case .failed(let error):
      giveBack(used)
      throw error
    case .ready: throw death(of: worker, .garbled, order)
    }
  }

  /// Ends the worker and returns what its end means for the picture it had.
  private func death(
    of worker: Worker, _ failure: WorkerChannel.Failure, _ order: WorkerOrder
  ) -> CropError {
    let end = worker.finish()
    drop(worker)
    switch failure {
    case .timedOut: return .timedOut(file: order.name, seconds: order.limits.seconds)
    case .garbled: return .workerDied(file: order.name, detail: "its answer can't be read")
    case .stopped: return .workerDied(file: order.name, detail: "it was told to stop")
    case .closed, .unread: break
    }
    if end.signal == SIGXCPU { return .timedOut(file: order.name, seconds: order.limits.seconds) }
    switch end.shortage {
    case nil: return .workerDied(file: order.name, detail: end.words)
    case let shortage?: return order.refusal(for: shortage)
    }
  }

  /// An idle worker, or a new one, as soon as there may be one more; rather one that had an order of
  /// the same `key`.
  private func take(for file: String, key: UInt64? = nil) throws(CropError) -> Idle {
    guard let executable else {
      throw .componentMissing(
        component: "the program cropkit-worker",
        advice: "put it beside this program or in ../libexec/cropkit (make build makes it)")
    }
    if let idle = try place(for: key) { return idle }
    do throws(CropError) {
      return Idle(
        worker: try Worker(executable, limits: limits, pictures: recycleAfter, file: file),
        served: 0)
    } catch {
      state.change { $0.free += 1 }
      throw error
    }
  }

  /// A place for a picture, as soon as there is one, and an idle worker if there is any.
  ///
  /// - Throws: `CropError.workerDied` if the call's stop is cancelled before.
  private func place(for key: UInt64?) throws(CropError) -> Idle? {
    let stop = CropStop.current
    stop?.onCancel { [state] in state.wakeAll() }
    var isWaiting = false
    let (isStopped, idle): (Bool, Idle?) = state.wait { state in
      let isStopped = stop?.isCancelled == true
      guard isStopped || state.free > 0 else {
        if !isWaiting { state.waiting += 1 }
        isWaiting = true
        return nil
      }
      if isWaiting { state.waiting -= 1 }
      if isStopped { return (true, nil) }
      state.free -= 1
      let known = key.flatMap { key in state.idle.firstIndex { $0.key == key } }
      return (false, known.map { state.idle.remove(at: $0) } ?? state.idle.popLast())
    }
    if isStopped {
      // The wake-up may have been meant for another that waits.
      state.wakeAll()
      try CropStop.check()
    }
    return idle
  }

  private func giveBack(_ taken: Idle) {
    let isWorn = taken.served >= recycleAfter
    if isWorn { taken.worker.finish() }
    state.change { state in
      state.free += 1
      if !isWorn { state.idle.append(taken) }
    }
  }

  private func drop(_ worker: Worker) {
    worker.finish()
    state.change { $0.free += 1 }
  }
}

extension Limits {
  /// Each limit, at most that of `most`.
  fileprivate func capped(by most: Limits) -> Limits {
    Limits(
      pixels: min(pixels, most.pixels), bytes: min(bytes, most.bytes),
      scans: min(scans, most.scans), seconds: min(seconds, most.seconds),
      memory: min(memory, most.memory))
  }
}

extension CropEngine {
  /// An engine that decodes in separate processes without network or files. Share one between all who need one.
  ///
  /// - Parameters:
  ///   - worker: the program `cropkit-worker`; nil looks beside the running program.
  ///   - size: the most processes; nil is one per core.
  ///   - limits: what one picture may cost.
  public static func sandboxed(
    worker: String? = nil, size: Int? = nil, limits: Limits = Limits()
  ) -> CropEngine {
    let pool = WorkerPool(executable: worker, size: size, limits: limits)
    return CropEngine(backend: JPEGBackend(before: pool), limits: limits)
  }
}
