import CSystemCalls
import CropCore
import Glibc

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A backend that hands each picture to one of a few limited processes, so that a picture that kills
/// its decoder is one error and nothing else.
///
/// The processes run `cropkit-worker`. They are started when first needed, take one picture at a time,
/// are replaced after `recycleAfter` pictures and end with this object or with this process, however
/// it ends. Calls block until a process is free; that time does not count towards the limit.
public final class WorkerPool: PixelBackend, Sendable {
  private let executable: String?
  private let recycleAfter: Int
  private let limits: Limits
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
  }

  /// A pool of at most `size` processes (nil: one a core) that run `executable` (nil: the
  /// `cropkit-worker` beside the running program, then in `../libexec/cropkit`).
  ///
  /// `limits` are the most any call can ask for.
  public init(
    executable: String? = nil, size: Int? = nil, recycleAfter: Int = 64, limits: Limits = Limits()
  ) {
    self.executable = executable ?? Self.installedWorker
    self.recycleAfter = max(1, recycleAfter)
    self.limits = limits
    let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    state = Monitor(State(free: max(1, size ?? cores)))
  }

  /// The running program itself, as an `executable` that asks ``WorkerLoop/isCalled``.
  public static let thisProgram = "/proc/self/exe"

  /// Where the program `cropkit-worker` is: beside the running program, then in `../libexec/cropkit`;
  /// nil if it is in neither place.
  public static var installedWorker: String? {
    guard let program = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(program) }
    let path = String(cString: program)
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    let places = ["\(folder)/cropkit-worker", "\(folder)/../libexec/cropkit/cropkit-worker"]
    return places.first { access($0, X_OK) == 0 }
  }

  /// See ``PixelBackend/crop(_:info:crop:options:limits:)``.
  public func crop(
    _ source: PictureSource, info: ImageInfo, crop: ResolvedCrop, options: ResultOptions,
    limits: Limits
  ) throws(CropError) -> CropResult {
    try serve(
      source,
      WorkerOrder(
        name: source.name, info: info, recipe: CropRecipe(crop), options: options, limits: limits,
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

  /// Starts one process, so that the first picture need not wait and a missing one is told now.
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
    while true {
      let taken = try take(for: source.name, key: order.shared?.key)
      let isSent: Void? = try? taken.worker.channel.send(WorkerRequest.picture(order), with: [file])
      if isSent == nil {
        drop(taken.worker)
      } else if let result = try answer(of: taken, order) {
        return result
      }
      // It died before it had read what to do: no picture's fault.
      if taken.served == 0 {
        throw .workerDied(file: source.name, detail: "before it saw the file")
      }
    }
  }

  /// The worker's answer, after which it is idle again or gone; nil if it died before it was asked.
  private func answer(
    of taken: Idle, _ order: WorkerOrder
  ) throws(CropError) -> CropResult? {
    let worker = taken.worker
    // The backend's own clock, which need not kill it, goes first.
    let (span, _) = order.limits.seconds.multipliedReportingOverflow(by: 1000)
    let deadline = Moment(millisecondsFromNow: span &+ 250)
    let answer: (message: WorkerAnswer, descriptors: [Descriptor])
    do throws(WorkerChannel.Failure) {
      answer = try worker.channel.receive(
        WorkerAnswer.self, until: deadline, stop: CropStop.current)
    } catch {
      if error == .unread {
        drop(worker)
        return nil
      }
      throw death(of: worker, error, order)
    }
    let used = Idle(worker: worker, served: taken.served + 1, key: order.shared?.key)
    switch answer.message {
    case .done(let result):
      guard answer.descriptors.count == 1,
        let bytes = MemoryFile.map(answer.descriptors[0], count: result.byteCount)
      else { throw death(of: worker, .garbled, order) }
      giveBack(used)
      return CropResult(
        bytes: bytes, format: result.format, size: result.size.size(), warnings: result.warnings,
        isLossless: result.isLossless, rect: result.rect?.rect(), obstacle: result.obstacle)
    case .failed(let error):
      giveBack(used)
      throw error
    case .ready: throw death(of: worker, .garbled, order)
    }
  }

  /// Ends the worker and tells what its end means for the picture it had.
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
    // Libraries that find no memory give up; what they used before tells why.
    let gaveUp = [SIGABRT, SIGTRAP, SIGILL, SIGKILL, SIGXFSZ].contains { $0 == end.signal }
    if gaveUp, end.peak > order.limits.memory / 2 {
      return .outOfMemory(file: order.name, allowed: order.limits.memory)
    }
    if end.signal == SIGXFSZ {
      return .writeFailed(path: order.name, detail: words(for: EFBIG))
    }
    return .workerDied(file: order.name, detail: end.words)
  }

  /// An idle worker, or a new one, as soon as there may be one more; rather one that had an order of
  /// the same `key`.
  private func take(for file: String, key: UInt64? = nil) throws(CropError) -> Idle {
    guard let executable else {
      throw .componentMissing(
        component: "the program cropkit-worker",
        advice: "put it beside this program or in ../libexec/cropkit (make build makes it)")
    }
    let idle: Idle? = state.wait { state in
      guard state.free > 0 else { return nil }
      state.free -= 1
      let known = key.flatMap { key in state.idle.firstIndex { $0.key == key } }
      return .some(known.map { state.idle.remove(at: $0) } ?? state.idle.popLast())
    }
    if let idle { return idle }
    do throws(CropError) {
      return Idle(
        worker: try Worker(executable, limits: limits, pictures: recycleAfter, file: file),
        served: 0)
    } catch {
      state.change { $0.free += 1 }
      throw error
    }
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

extension PictureSource {
  /// An open file that a worker can read and do nothing else with.
  fileprivate func forWorker() throws(CropError) -> Descriptor {
    switch storage {
    case .file(let file):
      let flags = ckc_system_fcntl(file.raw, F_GETFL, 0)
      guard flags & O_ACCMODE != O_RDONLY else { return file }
      guard let copy = Descriptor(opening: "/proc/self/fd/\(file.raw)", flags: O_RDONLY) else {
        throw .readFailed(file: name, detail: words(for: errno))
      }
      return copy
    case .memory(let bytes):
      guard let file = MemoryFile.make(bytes) else {
        throw .outOfMemory(file: name, allowed: bytes.count)
      }
      return file
    }
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
