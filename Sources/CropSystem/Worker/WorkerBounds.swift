import CSystemCalls
import Glibc

/// The resource limits of a worker process.
package struct WorkerBounds {
  private let most: Limits
  private let pictures: Int
  /// The address space in use before the first image, in bytes.
  private let base: Int
  /// The limit from outside, in bytes.
  private let outer: UInt

  /// An allowance, in bytes, for address space that uses no memory: thread stacks and the
  /// allocator's reserves.
  private static let slack = 128 << 20

  init(_ most: Limits, pictures: Int) {
    self.most = most
    self.pictures = pictures
    base = Self.addressSpace
    outer = OuterLimit.memory.map { UInt($0.bytes) } ?? .max
  }

  /// Permanently sets the limits that no image may exceed; false if the kernel refuses.
  func apply() -> Bool {
    let time = Self.clamped(most.seconds, times: 2 * max(pictures, 1), plus: 60)
    return Self.limit(RLIMIT_CORE, soft: 0, hard: 0)
      && Self.limit(RLIMIT_NOFILE, soft: 64, hard: 64)
      && Self.limit(RLIMIT_FSIZE, soft: UInt(most.memory), hard: UInt(most.memory))
      && Self.limit(RLIMIT_AS, soft: min(addresses(most), outer), hard: addresses(most))
      && Self.limit(RLIMIT_CPU, soft: time, hard: time)
  }

  /// Sets the limits for the next image.
  package func apply(_ limits: Limits) {
    var used = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &used)
    let spent = used.ru_utime.tv_sec + used.ru_stime.tv_sec
    // The pool's timeout comes first; this one applies while the pool is suspended.
    let time = Self.clamped(limits.seconds, times: 2, plus: spent + 2)
    _ = Self.limit(RLIMIT_CPU, soft: time, hard: nil)
    let own = addresses(limits)
    _ = Self.limit(RLIMIT_AS, soft: min(own, outer), hard: nil)
    ckc_shortage_bounds_itself(own < outer ? 1 : 0)
  }

  private func addresses(_ limits: Limits) -> UInt {
    Self.clamped(limits.memory, times: 1, plus: base + Self.slack)
  }

  private static func clamped(_ number: Int, times factor: Int, plus more: Int) -> UInt {
    let (product, first) = max(number, 0).multipliedReportingOverflow(by: factor)
    let (sum, second) = product.addingReportingOverflow(more)
    return first || second ? UInt(Int.max) : UInt(sum)
  }

  /// Sets a limit. Without `hard`, the hard limit stays and caps the soft one.
  private static func limit(_ kind: __rlimit_resource, soft: UInt, hard: UInt?) -> Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(kind.rawValue), &limit) == 0 else { return false }
    limit.rlim_max = min(hard ?? limit.rlim_max, limit.rlim_max)
    limit.rlim_cur = min(soft, limit.rlim_max)
    return setrlimit(__rlimit_resource_t(kind.rawValue), &limit) == 0
  }

  private static var addressSpace: Int {
    guard let file = Descriptor(opening: "/proc/self/statm", flags: O_RDONLY) else {
      return 1 << 30
    }
    var text = [UInt8](repeating: 0, count: 64)
    let count = read(file.raw, &text, text.count)
    let pages = Int(
      String(decoding: text.prefix(max(count, 0)).prefix { $0 > 0x20 }, as: UTF8.self))
    return (pages ?? 1 << 18) * sysconf(Int32(_SC_PAGESIZE))
  }
}
