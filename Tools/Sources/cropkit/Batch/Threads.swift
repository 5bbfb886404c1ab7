import Glibc

/// A mutex with a condition: threads wait until another one says that something changed.
final class Condition: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` while no other thread is in it.
  func withLock<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Wakes all that wait.
  func broadcast() { pthread_cond_broadcast(condition) }

  /// Lets others in until one calls ``broadcast()``, or for 0.2 s: a signal wakes nobody.
  ///
  /// To be called inside ``withLock(_:)``.
  func wait() {
    var until = timespec()
    clock_gettime(CLOCK_REALTIME, &until)
    until.tv_nsec += 200_000_000
    if until.tv_nsec >= 1_000_000_000 {
      until.tv_sec += 1
      until.tv_nsec -= 1_000_000_000
    }
    pthread_cond_timedwait(condition, mutex, &until)
  }
}

/// A thread of this process that runs one function.
struct WorkThread {
  private let id: pthread_t

  /// Starts `body` in a thread of its own; nil leaves the reason in `errno`.
  init?(_ body: @escaping @Sendable () -> Void) {
    final class Box {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let box = Unmanaged.passRetained(Box(body))
    var id = pthread_t()
    let error = pthread_create(
      &id, nil,
      { box in
        guard let box else { return nil }
        Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    guard error == 0 else {
      box.release()
      errno = error
      return nil
    }
    self.id = id
  }

  /// Waits until the function has returned.
  func join() { pthread_join(id, nil) }
}
