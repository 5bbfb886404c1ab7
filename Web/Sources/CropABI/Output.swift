/// A list of numbers in the module's memory: the count, then the numbers. JavaScript reads it there.
struct Output: ~Copyable {
  private var storage: UnsafeMutablePointer<Double>
  private var capacity: Int
  private var count = 0

  init() {
    capacity = 1024
    storage = .allocate(capacity: capacity)
  }

  deinit { storage.deallocate() }

  mutating func start() { count = 0 }

  @inline(never)
  mutating func append(_ value: Double) {
    if count + 1 == capacity {
      let larger = UnsafeMutablePointer<Double>.allocate(capacity: capacity * 2)
      larger.update(from: storage, count: capacity)
      storage.deallocate()
      (storage, capacity) = (larger, capacity * 2)
    }
    count += 1
    storage[count] = value
  }

  mutating func append(_ value: Int) { append(Double(value)) }

  mutating func append(_ value: UInt8) { append(Double(value)) }

  mutating func append(_ value: Bool) { append(value ? 1 : 0) }

  /// Returns the address of the list, which is valid until the next one is written.
  mutating func finish() -> UnsafePointer<Double> {
    storage[0] = Double(count)
    return UnsafePointer(storage)
  }
}
