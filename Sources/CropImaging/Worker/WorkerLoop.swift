import CSystemCalls
import CropCore
import Glibc

/// The other side of a ``WorkerPool``: what the program `cropkit-worker` runs.
public enum WorkerLoop {
  /// Serves pictures with `backend` until the pool goes away; never returns.
  ///
  /// The process gives up every right it does not need before the first picture: it can then compute,
  /// use the memory it is allowed, and read the one picture it is handed.
  public static func run(_ backend: any PixelBackend) -> Never {
    guard let channel = poolChannel else {
      let words = "cropkit-worker is started by cropkit and does nothing by itself\n"
      _ = words.withCString { write(STDERR_FILENO, $0, strlen($0)) }
      exit(64)
    }
    // A crash ends the process at once. The runtime's report of it would start another program,
    // which is not allowed, and hang.
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE] { signal(number, SIG_DFL) }
    ckc_system_use_one_arena()
    endWithPool(channel)
    do throws(WorkerChannel.Failure) {
      guard case .begin(let most, let pictures) = try channel.receive(WorkerRequest.self).message
      else { exit(70) }
      let bounds = try prepare(backend, most, pictures: pictures, channel)
      try channel.send(WorkerAnswer.ready)
      var last: PictureSource?
      while true { try serveOne(backend, bounds, channel, last: &last) }
    } catch {
      exit(0)
    }
  }

  /// Whether this process was started by a pool, to be a worker.
  ///
  /// A program that can be its own worker asks before it does anything else.
  public static var isCalled: Bool {
    guard CommandLine.argc == 1, getenv(mark) != nil else { return false }
    var status = stat()
    return fstat(3, &status) == 0 && status.kind == S_IFSOCK
  }

  /// The environment variable that a pool sets for its workers.
  static let mark = "CROPKIT_WORKER"

  /// The line to the pool, nil if this process was not started by one.
  private static var poolChannel: WorkerChannel? {
    let number: Int32 = 3
    var status = stat()
    guard fstat(number, &status) == 0, status.kind == S_IFSOCK else { return nil }
    _ = ckc_system_fcntl(number, F_SETFD, FD_CLOEXEC)
    return WorkerChannel(socket: Descriptor(adopting: number))
  }

  /// Ends this process as soon as the pool's end of the line is closed, as the kernel does when the
  /// pool's process ends in whatever way.
  ///
  /// A death signal (PR_SET_PDEATHSIG) would come when the *thread* that started this process ends.
  private static func endWithPool(_ channel: WorkerChannel) {
    let context = Unmanaged.passRetained(channel.socket).toOpaque()
    var thread = pthread_t()
    let failed = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let socket = Unmanaged<Descriptor>.fromOpaque(context).takeUnretainedValue()
        while true {
          // Without events only the end of the line is told.
          var entry = pollfd(fd: socket.raw, events: 0, revents: 0)
          if poll(&entry, 1, -1) > 0 { _exit(0) }
        }
      }, context)
    if failed != 0 { exit(71) }
  }

  /// Loads what will be needed, then gives up the right to load more.
  private static func prepare(
    _ backend: any PixelBackend, _ most: Limits, pictures: Int, _ channel: WorkerChannel
  ) throws(WorkerChannel.Failure) -> WorkerBounds {
    do throws(CropError) {
      // Libraries can do without the files that they write while they start.
      signal(SIGXFSZ, SIG_IGN)
      defer { signal(SIGXFSZ, SIG_DFL) }
      try backend.warmUp()
    } catch {
      try channel.send(WorkerAnswer.failed(error))
      exit(69)
    }
    let bounds = WorkerBounds(most, pictures: pictures)
    guard ckc_system_renounce() == 0, bounds.apply() else { exit(71) }
    // Processors without a filter of ours keep the other limits.
    guard ckc_system_confine() == 0 || errno == ENOSYS else { exit(71) }
    return bounds
  }

  private static func serveOne(
    _ backend: any PixelBackend, _ bounds: WorkerBounds, _ channel: WorkerChannel,
    last: inout PictureSource?
  ) throws(WorkerChannel.Failure) {
    let (request, descriptors) = try channel.receive(WorkerRequest.self)
    guard case .picture(let order) = request, let file = descriptors.first else {
      throw .garbled
    }
    bounds.apply(order.limits)
    let answer: WorkerAnswer
    var attached: [Descriptor] = []
    do throws(CropError) {
      // Pixels of another picture go before there are new ones.
      if last?.pixels?.key != order.shared?.key { last = nil }
      let source: PictureSource
      if let last {
        source = last
      } else {
        source = try PictureSource(file, name: order.name, limits: order.limits)
          .forSeveralCrops(sharing: order.shared?.pixels)
        if order.shared != nil { last = source }
      }
      let result = try carryOut(order, source, backend)
      guard let bytes = MemoryFile.make(result) else {
        throw .outOfMemory(file: order.name, allowed: order.limits.memory)
      }
      attached = [bytes]
      answer = .done(WorkerResult(result))
    } catch {
      answer = .failed(error)
    }
    try channel.send(answer, with: attached)
    ckc_system_trim()
  }

  private static func carryOut(
    _ order: WorkerOrder, _ source: PictureSource, _ backend: any PixelBackend
  ) throws(CropError) -> CropResult {
    guard let recipe = order.recipe else {
      return try backend.preview(
        source, info: order.info, maxSide: order.maxSide ?? 1, options: order.options,
        limits: order.limits)
    }
    let crop: ResolvedCrop
    do throws(RecipeError) {
      crop = try recipe.resolved(for: order.info.shown)
    } catch {
      throw .invalidRecipe(file: order.name, detail: error.message(for: order.info.shown))
    }
    return try backend.crop(
      source, info: order.info, crop: crop, options: order.options, limits: order.limits,
      into: MemoryFile.empty())
  }
}
