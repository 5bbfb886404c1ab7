// On processors without a rounding instruction, rounding calls the C library; this links it.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// The transcendental functions that the core uses.
///
/// They are implemented here so that every platform returns the same bits and the WebAssembly
/// module needs no tables. An identity moves the argument near zero, where the Taylor series is
/// summed until the next term is below 2⁻⁵³. Results are within a few units in the last place.
package enum LibM {
  /// The sine of an angle in radians. The error grows with the angle beyond 10⁵; beyond 10⁹, the
  /// angle counts as 0.
  package static func sine(_ radians: Double) -> Double { sine(radians, quartersAhead: 0) }

  /// The cosine of an angle in radians. The error grows with the angle beyond 10⁵; beyond 10⁹, the
  /// angle counts as 0.
  package static func cosine(_ radians: Double) -> Double { sine(radians, quartersAhead: 1) }

  /// The sine of an angle plus `quartersAhead` quarter turns.
  @inline(never)
  private static func sine(_ radians: Double, quartersAhead: Int) -> Double {
    // π/2 in two parts; the high one ends in zero bits, so that small multiples of it are exact.
    let radians = abs(radians) < 1e9 ? radians : 0
    let quarters = (radians * 2 / .pi).rounded(.toNearestOrEven)
    let rest = radians - quarters * 0x1.921fb544p+0 - quarters * 0x1.0b4611a626331p-34
    let turns = Int(quarters) + quartersAhead
    let isCosine = turns & 1 == 1
    let square = rest * rest
    var sum = 1.0
    var term = isCosine ? 18.0 : 19.0
    while term > 1 {
      sum = 1 - sum * square / (term * (term - 1))
      term -= 2
    }
    if !isCosine { sum *= rest }
    return turns & 2 == 2 ? -sum : sum
  }

  /// The angle of the point (x, y) from the positive x axis, −π to π; 0 at the origin.
  @inline(never)
  static func arcTangent(y: Double, x: Double) -> Double {
    let (across, up) = (abs(x), abs(y))
    let largest = max(across, up)
    guard largest > 0 else { return 0 }
    // tan(a/2) = tan a / (1 + √(1 + tan² a)), three times: 45° become 5.6°.
    var tangent = min(across, up) / largest
    for _ in 0..<3 { tangent /= 1 + (1 + tangent * tangent).squareRoot() }
    let square = tangent * tangent
    var sum = 0.0
    var term = 17.0
    while term > 1 {
      sum = square * (1 / term - sum)
      term -= 2
    }
    var angle = 8 * (tangent - tangent * sum)
    if up > across { angle = .pi / 2 - angle }
    if x < 0 { angle = .pi - angle }
    return y < 0 ? -angle : angle
  }

  /// `base` to the power of `exponent`, for a positive base.
  static func power(_ base: Double, _ exponent: Double) -> Double {
    exponential(exponent * logarithm(base))
  }

  /// The natural logarithm of a positive normal number.
  @inline(never)
  static func logarithm(_ value: Double) -> Double {
    // log(2ⁿ·m) = n·log 2 + 2·artanh((m − 1)/(m + 1)), m between √½ and √2.
    let bits = Int64(bitPattern: value.bitPattern)
    let exponent = (bits - Int64(bitPattern: (0x1.6a09e667f3bcdp-1).bitPattern)) >> 52
    let m = Double(bitPattern: UInt64(bitPattern: bits - exponent << 52))
    let s = (m - 1) / (m + 1)
    let square = s * s
    var sum = 0.0
    var term = 21.0
    while term > 1 {
      sum = square * (1 / term + sum)
      term -= 2
    }
    let n = Double(exponent)
    return n * log2High + (2 * (s + s * sum) + n * log2Low)
  }

  /// e to the power of a number; 0 below −708 and infinity above 709.
  @inline(never)
  package static func exponential(_ exponent: Double) -> Double {
    // exp(n·log 2 + r) = 2ⁿ·exp(r), |r| ≤ log 2 / 2.
    guard exponent > -708 else { return 0 }
    guard exponent < 709 else { return .infinity }
    let n = (exponent / (log2High + log2Low)).rounded(.toNearestOrEven)
    let r = exponent - n * log2High - n * log2Low
    var sum = 1.0
    var term = 14.0
    while term > 0 {
      sum = 1 + sum * r / term
      term -= 1
    }
    return sum * Double(bitPattern: UInt64(Int64(n) + 1023) << 52)
  }

  // log 2 in two parts; the high one ends in zero bits, so that small multiples of it are exact.
  private static var log2High: Double { 0x1.62e42feep-1 }
  private static var log2Low: Double { 0x1.a39ef35793c76p-33 }
}
