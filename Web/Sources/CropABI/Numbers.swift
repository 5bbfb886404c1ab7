import CropCore

/// The list of numbers that JavaScript wrote for a call, read from the front. Messages.swift has a
/// function for each type. What an invalid list contains does not matter, so nothing throws.
struct Numbers {
  private var at = 0
  /// Whether all that was read is there, and valid.
  private(set) var isValid = true

  /// The maximum length of a list.
  private static var most: Int { 128 }

  /// The memory in which JavaScript writes: the count, then the numbers.
  nonisolated(unsafe) static let list: UnsafeMutablePointer<Double> = {
    let list = UnsafeMutablePointer<Double>.allocate(capacity: most + 1)
    list.initialize(repeating: 0, count: most + 1)
    return list
  }()

  private var isAtEnd: Bool { at >= Self.most || Double(at) >= Self.list[0] }

  /// Returns a value, and notes whether it is missing.
  mutating func checked<Value>(_ value: Value?) -> Value? {
    if value == nil { isValid = false }
    return value
  }

  @inline(never) mutating func number() -> Double {
    if isAtEnd {
      isValid = false
      return 0
    }
    at += 1
    return Self.list[at]
  }

  @inline(never) mutating func whole() -> Int { checked(Int(exactly: number())) ?? 0 }

  mutating func byte() -> UInt8 { checked(UInt8(exactly: number())) ?? 0 }

  @inline(never) mutating func flag() -> Bool { number() == 1 }

  /// An integer from 0 to less than `count`.
  @inline(never) mutating func choice(_ count: Int) -> Int {
    let code = whole()
    if code < 0 || code >= count { isValid = false }
    return code
  }

  /// The rest of the list.
  @inline(never) mutating func bytes() -> [UInt8] {
    var bytes: [UInt8] = []
    while !isAtEnd { bytes.append(byte()) }
    return bytes
  }

  /// A size of at least 1 × 1; nil for 0 × 0.
  @inline(never) mutating func sizeLimit() -> FrameSize? {
    let (width, height) = (whole(), whole())
    if width == 0, height == 0 { return nil }
    return checked(width > 0 && height > 0 ? FrameSize(width: width, height: height) : nil)
  }

  /// A length of at least 1; nil for 0.
  mutating func sideLimit() -> Int? {
    let side = whole()
    return side == 0 ? nil : checked(side > 0 ? side : nil)
  }

  /// An element; nil for an unknown one.
  mutating func focused() -> ElementKey? {
    let code = whole()
    at -= 1
    return code < 0 ? nil : element()
  }
}
