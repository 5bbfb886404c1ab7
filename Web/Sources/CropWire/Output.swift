/// A list of numbers in the module's memory: the count, then the numbers. JavaScript reads it there.
public struct Output: ~Copyable {
  private var storage: UnsafeMutablePointer<Double>
  private var capacity: Int
  private var count = 0

  /// An empty list.
  public init() {
    capacity = 1024
    storage = .allocate(capacity: capacity)
  }

  deinit { storage.deallocate() }

  /// Makes the list empty.
  public mutating func start() { count = 0 }

  /// Appends a number.
  @inline(never)
  public mutating func append(_ value: Double) {
    if count + 1 == capacity {
      let larger = UnsafeMutablePointer<Double>.allocate(capacity: capacity * 2)
      larger.update(from: storage, count: capacity)
      storage.deallocate()
      (storage, capacity) = (larger, capacity * 2)
    }
    count += 1
    storage[count] = value
  }

  /// Appends an integer.
  public mutating func append(_ value: Int) { append(Double(value)) }

  /// Appends a byte.
  public mutating func append(_ value: UInt8) { append(Double(value)) }

  /// Appends 1 or 0.
  public mutating func append(_ value: Bool) { append(value ? 1 : 0) }

  /// Returns the address of the list, which is valid until the next one is written.
  public mutating func finish() -> UnsafePointer<Double> {
    storage[0] = Double(count)
    return UnsafePointer(storage)
  }
}
