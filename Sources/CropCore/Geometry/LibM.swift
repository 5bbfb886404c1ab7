#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif hasFeature(Embedded)
  // Embedded Swift has no module for the C library; the linker finds these in its libm.
  @_extern(c) private func sin(_ x: Double) -> Double
  @_extern(c) private func cos(_ x: Double) -> Double
  @_extern(c) private func atan2(_ y: Double, _ x: Double) -> Double
  @_extern(c) private func pow(_ x: Double, _ y: Double) -> Double
  @_extern(c) private func exp(_ x: Double) -> Double
  @_extern(c) private func log(_ x: Double) -> Double
#endif

/// The functions of the C math library that the core uses; all else is arithmetic.
enum LibM {
  static func sine(_ radians: Double) -> Double { sin(radians) }
  static func cosine(_ radians: Double) -> Double { cos(radians) }
  static func arcTangent(y: Double, x: Double) -> Double { atan2(y, x) }
  static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
  static func logarithm(_ value: Double) -> Double { log(value) }
  static func exponential(_ exponent: Double) -> Double { exp(exponent) }
}
