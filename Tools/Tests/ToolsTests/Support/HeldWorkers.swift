import Foundation
import Glibc
import Testing

/// Worker processes that are stopped for as long as a test wants, so that their requests take that
/// long on any machine.
final class HeldWorkers: Sendable {
  let processes: [pid_t]

  /// Stops workers.
  init(_ processes: [pid_t]) async throws {
    self.processes = processes
    for process in processes {
      kill(process, SIGSTOP)
      try await eventually("the worker stands still") {
        let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return state?.contains(") T ") == true
      }
    }
  }

  deinit { release() }

  /// Whether none of them has exited, so that an image sent to a worker waits.
  var areHeld: Bool { processes.allSatisfy { kill($0, 0) == 0 } }

  /// Lets them continue.
  func release() { for process in processes { kill(process, SIGCONT) } }

  /// Waits until one of them has exited, and lets the others continue.
  func endOne() async throws {
    try await eventually("the worker is ended") { processes.contains { kill($0, 0) != 0 } }
    release()
  }
}

extension RunningServer {
  /// Makes an idle server start a worker for this client, and stops all its workers: the client's
  /// next image that must be decoded is sent to one of them, unless its formats need modules of
  /// libvips: then a new worker gets it.
  func heldWorkers() async throws -> HeldWorkers {
    let picture = Data(PNGBomb.bytes(side: 8))
    #expect(try await send("POST /api/preview", body: picture).status == 200)
    var workers: [pid_t] = []
    // A look may miss a worker whose parent is a thread that ends at the same time.
    try await eventually("a worker waits") {
      // The process of which they are copies leads their group, and goes on.
      workers = Processes.children(of: process).filter { getpgid($0) != $0 }
      return !workers.isEmpty
    }
    return try await HeldWorkers(workers)
  }

  /// Waits until this many images were sent to workers.
  func pictures(atWork count: Int) async throws {
    try await eventually("\(count) pictures at work") {
      Processes.picturesAtWork(of: process) == count
    }
  }
}

/// The system's information about processes.
enum Processes {
  /// Whether a process has exited, with all its threads; its parent may not have waited for it yet.
  static func isOver(_ process: pid_t) -> Bool {
    let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
    let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    guard let threads, let state else { return true }
    return threads.count <= 1 && state.contains(") Z ")
  }

  /// The children of a process.
  static func children(of process: pid_t) -> [pid_t] {
    let tasks =
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    return tasks.flatMap { task -> [pid_t] in
      let path = "/proc/\(process)/task/\(task)/children"
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return text.split(separator: " ").compactMap { pid_t($0) }
    }
  }

  /// The open files of a process, as the system names them.
  static func openFiles(of process: pid_t) -> [String] {
    let folder = "/proc/\(process)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }
  }

  /// The contents of a file that reports no size: one read returns only its first page.
  static func text(of path: String) throws -> String {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
  }

  /// The number of connections that a server on this machine has not closed, whether its clients
  /// have or not.
  static func connections(to port: UInt16) throws -> Int {
    let table = try text(of: "/proc/net/tcp")
    let hexadecimal = String(port, radix: 16, uppercase: true)
    let own = ":" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
    return table.split(separator: "\n").count { line in
      let fields = line.split(separator: " ")
      // Established, or closed by the client only.
      return fields.count > 3 && fields[1].hasSuffix(own) && ["01", "08"].contains(fields[3])
    }
  }

  /// The number of images that a process has sent to workers: each result is returned in a memory
  /// file.
  static func picturesAtWork(of process: pid_t) -> Int {
    openFiles(of: process).count { $0.hasPrefix("/memfd:cropkit") }
  }
}
