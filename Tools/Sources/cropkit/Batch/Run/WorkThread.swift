import Glibc

/// A thread of this process that runs one function.
struct WorkThread {
  private let id: pthread_t

  /// Runs `body` in a new thread; nil if it can't be started, with the reason in `errno`.
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
