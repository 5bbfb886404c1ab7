/// A list of numbers in the module's memory: the count, then the numbers. JavaScript reads it there.
public struct Output: ~Copyable {
  private var list: UnsafeMutablePointer<Double>
  private var next: UnsafeMutablePointer<Double>
  private var end: UnsafeMutablePointer<Double>

  /// More than any value has.
  private static var leastCapacity: Int { 1024 }

  /// An empty list.
  public init() {
    list = .allocate(capacity: Self.leastCapacity)
    (next, end) = (list + 1, list + Self.leastCapacity)
  }

  deinit { list.deallocate() }

  /// Makes the list empty.
  public mutating func start() { next = list + 1 }

  /// Appends `count` numbers, at most 100, which the caller writes at the returned place.
  @inline(never)
  public mutating func room(_ count: Int) -> UnsafeMutablePointer<Double> {
    if end - next < count { grow() }
    let place = next
    next += count
    return place
  }

  private mutating func grow() {
    let (count, capacity) = (next - list, 2 * (end - list))
    let larger = UnsafeMutablePointer<Double>.allocate(capacity: capacity)
    larger.update(from: list, count: count)
    list.deallocate()
    (list, next, end) = (larger, larger + count, larger + capacity)
  }

  /// Appends a number.
  @inline(never)
  public mutating func append(_ value: Double) { room(1).pointee = value }

  /// Appends an integer.
  public mutating func append(_ value: Int) { append(Double(value)) }

  /// Appends a byte.
  public mutating func append(_ value: UInt8) { append(Double(value)) }

  /// Appends 1 or 0.
  public mutating func append(_ value: Bool) { append(value ? 1 : 0) }

  /// Returns the address of the list, which is valid until the next one is written.
  public mutating func finish() -> UnsafePointer<Double> {
    list.pointee = Double(next - list - 1)
    return UnsafePointer(list)
  }
}

// How a value that is one number is written. Messages.swift has functions for other types.
extension Output {
  /// The number itself.
  public static func number(_ value: Double) -> Double { value }
  /// An integer.
  public static func number(_ value: Int) -> Double { Double(value) }
  /// A byte.
  public static func number(_ value: UInt8) -> Double { Double(value) }
  /// 1 or 0.
  public static func number(_ value: Bool) -> Double { value ? 1 : 0 }
}
