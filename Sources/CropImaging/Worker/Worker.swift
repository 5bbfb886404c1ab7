import CropSystem

/// A running worker process, as its pool sees it.
final class Worker: Sendable {
  private let process: WorkerProcess
  /// The line to it.
  var channel: WorkerChannel { process.channel }

  /// Starts `executable` for the sake of `file` and waits until it is ready.
  ///
  /// - Throws: `CropError.componentMissing` if there is none or it is another
  ///   program, `CropError.resourceUnavailable` if the system starts no more,
  ///   `CropError.workerDied` if it dies.
  init(_ executable: String, limits: Limits, pictures: Int, file: String) throws(CropError) {
    process = try WorkerProcess(executable)
    let answer: WorkerAnswer?
    var isLate = false
    do throws(WorkerChannel.Failure) {
      try channel.send(WorkerRequest.begin(limits, pictures: pictures))
      let start = Moment(millisecondsFromNow: Self.millisecondsToStart)
      answer = try channel.receive(WorkerAnswer.self, until: start).message
    } catch {
      answer = nil
      isLate = error == .timedOut
    }
    switch answer {
    case .ready: return
    case .failed(let error): throw error
    case .done, nil:
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

  /// Kills the process, if it still runs, and returns how it ended.
  @discardableResult
  func finish() -> WorkerEnd { process.finish() }

  /// How long a worker may take to load its libraries.
  private static let millisecondsToStart = 20_000
}
