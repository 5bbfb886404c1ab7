import Glibc

/// Whether a condition comes true; it is asked again and again, for five minutes at most.
///
/// For what another process or thread brings about in its own time, however busy the machine is.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<30_000 {
    if try condition() { return true }
    usleep(10_000)
  }
  return try condition()
}
