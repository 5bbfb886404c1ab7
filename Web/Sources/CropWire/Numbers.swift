/// The list of numbers that JavaScript wrote for a call, read from the front. Messages.swift has a
/// function for each type. What an invalid list contains does not matter, so nothing throws.
public struct Numbers {
  private var at = 0
  /// Whether all that was read is there, and valid.
  public private(set) var isValid = true

  /// The maximum length of a list.
  private static var most: Int { 128 }

  /// The memory in which JavaScript writes: the count, then the numbers.
  nonisolated(unsafe) fileprivate static let list: UnsafeMutablePointer<Double> = {
    let list = UnsafeMutablePointer<Double>.allocate(capacity: most + 1)
    list.initialize(repeating: 0, count: most + 1)
    return list
  }()

  /// The written list, before its first number.
  public init() {}

  private var isAtEnd: Bool { at >= Self.most || Double(at) >= Self.list[0] }

  /// Whether a negative number comes next.
  public var isBeforeNegative: Bool { !isAtEnd && Self.list[at + 1] < 0 }

  /// Returns a value, and notes whether it is missing.
  public mutating func checked<Value>(_ value: Value?) -> Value? {
    if value == nil { isValid = false }
    return value
  }

  /// The next number.
  @inline(never) public mutating func number() -> Double {
    if isAtEnd {
      isValid = false
      return 0
    }
    at += 1
    return Self.list[at]
  }

  /// The next number, which must be an integer.
  @inline(never) public mutating func whole() -> Int { checked(Int(exactly: number())) ?? 0 }

  /// The next number, which must be an integer from 0 to 255.
  public mutating func byte() -> UInt8 { checked(UInt8(exactly: number())) ?? 0 }

  /// Whether the next number is 1.
  @inline(never) public mutating func flag() -> Bool { number() == 1 }

  /// An integer from 0 to less than `count`.
  @inline(never) public mutating func choice(_ count: Int) -> Int {
    let code = whole()
    if code < 0 || code >= count { isValid = false }
    return code
  }

  /// Values until the end of the list.
  public mutating func rest<Value>(_ read: (inout Numbers) -> Value) -> [Value] {
    var values: [Value] = []
    while !isAtEnd { values.append(read(&self)) }
    return values
  }

  /// The rest of the list.
  @inline(never) public mutating func bytes() -> [UInt8] {
    var bytes: [UInt8] = []
    while !isAtEnd { bytes.append(byte()) }
    return bytes
  }
}

/// The address of the list that JavaScript writes: the count, then the numbers. It never changes.
@_expose(wasm, "ck_list") @_cdecl("ck_list")
public func list() -> UnsafeMutablePointer<Double> { Numbers.list }
