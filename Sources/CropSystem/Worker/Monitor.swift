import Glibc

/// A value that one thread at a time can access, and whose changes threads can wait for: a mutex
/// with a condition variable.
public final class Monitor<State>: @unchecked Sendable {
  fileprivate let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  fileprivate let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  /// A monitor that protects `state`.
  public init(_ state: State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Calls `body` with exclusive access to the state, then wakes one waiting thread.
  package func change<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_signal(condition)
      pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Wakes all waiting threads because something other than the state has changed.
  package func wakeAll() {
    pthread_mutex_lock(mutex)
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Calls `body`, and again after each change, until it returns a result.
  package func wait<Result>(for body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }
}

extension Monitor<Void> {
  /// A monitor without a value: the caller's own state is protected.
  public convenience init() { self.init(()) }

  /// Calls `body` with exclusive access to the state.
  public func withLock<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Wakes all waiting threads.
  public func broadcast() { pthread_cond_broadcast(condition) }

  /// Waits, unlocked, until another thread calls ``broadcast()``. Call this only inside
  /// ``withLock(_:)``.
  public func wait() { pthread_cond_wait(condition, mutex) }

  /// Waits like ``wait()``, but at most `milliseconds`, 0 to 999.
  public func wait(atMost milliseconds: Int) {
    var until = timespec()
    clock_gettime(CLOCK_REALTIME, &until)
    until.tv_nsec += milliseconds * 1_000_000
    if until.tv_nsec >= 1_000_000_000 {
      until.tv_sec += 1
      until.tv_nsec -= 1_000_000_000
    }
    pthread_cond_timedwait(condition, mutex, &until)
  }
}
