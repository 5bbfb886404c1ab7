import Glibc

/// The cost of one run of a program.
struct Cost {
  /// Seconds from start to end.
  var wall: Double
  /// Seconds of CPU time, in the program and in the kernel.
  var cpu: Double
  /// The peak memory in MiB; never less than that of this program.
  var peak: Double
}

/// Runs a program without its output; nil if it can't be run or fails.
func cost(of arguments: [String]) -> Cost? {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
  var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
  defer { for word in words { free(word) } }
  words.append(nil)
  var child: pid_t = 0
  let start = seconds()
  guard posix_spawnp(&child, arguments[0], &actions, nil, words, environ) == 0 else { return nil }
  var status: Int32 = 0
  var usage = rusage()
  guard wait4(child, &status, 0, &usage) == child, status == 0 else { return nil }
  let wall = seconds() - start
  func value(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
  return Cost(
    wall: wall, cpu: value(usage.ru_utime) + value(usage.ru_stime),
    peak: Double(usage.ru_maxrss) / 1024)
}

/// A monotonic clock.
func seconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The median of each figure.
func median(_ costs: [Cost]) -> Cost {
  func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
  return Cost(
    wall: middle(costs.map(\.wall)), cpu: middle(costs.map(\.cpu)), peak: middle(costs.map(\.peak)))
}

/// A number with this many decimals.
func fixed(_ value: Double, _ digits: Int) -> String {
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let whole = Int((value * scale).rounded())
  guard digits > 0 else { return "\(whole)" }
  let tail = "\(whole % Int(scale))"
  return "\(whole / Int(scale))." + String(repeating: "0", count: digits - tail.count) + tail
}
