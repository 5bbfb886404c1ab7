import FoundationEssentials
import Glibc

/// A program that runs beside this one, without input and output.
final class BackgroundProgram {
  private let id: pid_t
  private var waitStatus: Int32?

  /// Starts a program, which is looked up in `PATH` unless its name contains a slash.
  ///
  /// - Returns: nil if it can't be started.
  init?(_ words: [String]) {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    for descriptor in STDIN_FILENO...STDERR_FILENO {
      posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
    }
    // glibc ignores descriptors that are closed by then, such as that of the listing.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
      posix_spawn_file_actions_addclose(&files, descriptor)
    }
    // Its own group: an interrupt from the terminal is not for it.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var started = pid_t()
    guard let name = words.first,
      posix_spawnp(&started, name, &files, &attributes, &arguments, environ) == 0
    else { return nil }
    id = started
  }

  /// Whether it has not ended yet.
  var isRunning: Bool {
    var status: Int32 = 0
    if waitStatus == nil, waitpid(id, &status, WNOHANG) == id { waitStatus = status }
    return waitStatus == nil
  }

  /// Its exit status, or the number of the signal that ended it; 0 while it runs.
  var terminationStatus: Int32 {
    guard let waitStatus else { return 0 }
    return waitStatus & 0x7F == 0 ? waitStatus >> 8 & 0xFF : waitStatus & 0x7F
  }
}
