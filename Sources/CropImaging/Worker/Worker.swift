import CropSystem
import Glibc

/// A running worker process, as its pool sees it.
final class Worker: Sendable {
  private let process: WorkerProcess
  /// The modules of libvips that it has loaded.
  let modules: Set<String>
  var channel: WorkerChannel { process.channel }

  /// Starts `executable` with `modules` of libvips, as a copy of `template` if there is one, and
  /// waits until it is ready: for `secondsToStart`, or for as long as an image may take if that is
  /// longer. `file` is the name in messages.
  ///
  /// - Throws: `CropError.componentMissing` if it does not exist or is another program,
  ///   `CropError.resourceUnavailable` if the system can't start more processes,
  ///   `CropError.workerDied` if it dies.
  init(
    _ executable: String, from template: WorkerTemplate?, limits: Limits, secondsToStart: Int,
    pictures: Int, file: String, modules: Set<String>
  ) throws(CropError) {
    self.modules = modules
    let names = modules.sorted().joined(separator: ",")
    let start = TimeLimit(
      seconds: max(secondsToStart, limits.seconds), of: CLOCK_MONOTONIC)
    if let copy = template?.worker(modules: names, within: start) {
      process = copy
    } else {
      process = try WorkerProcess(
        executable, environment: ["\(ImageFormat.modulesWanted)=\(names)"])
    }
    let answer: WorkerReply?
    var isLate = false
    do throws(WorkerChannel.Failure) {
      try channel.send(WorkerRequest.begin(limits, pictures: pictures))
      answer = try channel.receive(WorkerReply.self, until: start).message
    } catch {
      answer = nil
      isLate = error == .timedOut
    }
    switch answer {
    case .ready: return
    case .failed(let error): throw error
    case .done, .copied, nil:
      let end = finish()
      switch end.shortage {
      case .threads: throw .threadsExhausted("a thread of a worker process")
      case .memory, .outerMemory: throw .memoryExhausted("a worker process")
      case nil: break
      }
      if let library = end.missingLibrary {
        throw .componentMissing(
          component: "the library \(library)",
          advice: "it comes with libvips 8.14 or later: install libvips42 (Debian, Ubuntu), "
            + "vips (Fedora) or libvips (Arch)")
      }
      let words = isLate ? "it was not ready in time" : end.words
      guard isLate || end.isDeath else {
        throw .componentMissing(
          component: "a working \(executable)", advice: "install CropKit again (\(words))")
      }
      throw .workerDied(file: file, detail: "while starting: \(words)")
    }
  }

  /// A limit for what the process does from now on; see ``WorkerProcess/timeLimit(seconds:)``.
  func timeLimit(seconds: Int) -> TimeLimit { process.timeLimit(seconds: seconds) }

  /// Kills the process if it still runs, and returns how it exited.
  @discardableResult
  func finish() -> WorkerExit { process.finish() }
}
