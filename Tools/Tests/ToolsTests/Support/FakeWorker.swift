import Foundation
import Testing

/// A program that replaces a worker and misbehaves as specified when it has read a request.
struct FakeWorker {
  /// The program.
  let path: String
  /// Contains a line for each request that was read.
  private let log: String

  /// What it does when it has read a request.
  enum Deed: String {
    /// It is killed; the next one started is the real worker.
    case die = "kill -KILL $$"
    /// It never responds, and ends with its pool.
    case hang = "exec /bin/cat <&3 >/dev/null"
  }

  /// Writes one to `folder`.
  init(_ deed: Deed, in folder: Folder, as name: String = "fake-worker") async throws {
    log = folder.path("\(name).orders")
    // A message is its length, least significant byte first, then JSON (WorkerChannel).
    let next = deed == .die ? "[ -e '\(log)' ] && exec '\(Program.folder)/cropkit-worker'" : ""
    let lines = """
      #!/bin/sh
      \(next)
      take() {
        count=$(/usr/bin/od -An -tu4 -N4 <&3)
        message=$(/usr/bin/head -c $count <&3)
      }
      take
      case $message in *prepare*) exit 1 ;; esac
      printf '\\014\\0\\0\\0{"ready":{}}' >&3
      take
      echo one >>'\(log)'
      \(deed.rawValue)

      """
    path = try await folder.writeScript(lines, as: name)
  }

  /// The number of requests that were read.
  var orders: Int {
    ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n").count
  }
}
