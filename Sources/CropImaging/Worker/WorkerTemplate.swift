import CropSystem
import Glibc

/// A process that has loaded libvips, never has an image, and starts workers as copies of itself:
/// that takes a few milliseconds, loading libvips and all that it links about 30.
final class WorkerTemplate: Sendable {
  private let executable: String
  private let process = Monitor<WorkerProcess?>(nil)

  /// A template of `executable`, which is started for the first worker.
  init(_ executable: String) { self.executable = executable }

  /// A new worker that loads these modules of libvips; nil if it can't be started in this way.
  func worker(modules: String, within limit: TimeLimit) -> WorkerProcess? {
    process.change { process in
      if process == nil { process = started(within: limit) }
      guard let channel = process?.channel else { return nil }
      let worker = WorkerProcess { socket, errors in
        let isSent: Void? = try? channel.send(
          WorkerRequest.copy(modules: modules), with: [socket, errors])
        let reply =
          isSent == nil ? nil : try? channel.receive(WorkerReply.self, until: limit).message
        guard case .copied(let number)? = reply else { return nil }
        return number
      }
      // The next worker gets another template.
      if worker == nil { process = nil }
      return worker
    }
  }

  private func started(within limit: TimeLimit) -> WorkerProcess? {
    guard
      let process = try? WorkerProcess(
        executable, environment: ["\(ImageFormat.modulesWanted)="]),
      (try? process.channel.send(WorkerRequest.prepare)) != nil,
      case .ready? = try? process.channel.receive(WorkerReply.self, until: limit).message
    else { return nil }
    return process
  }
}
