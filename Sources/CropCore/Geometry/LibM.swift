#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif hasFeature(Embedded)
  import CropLibM
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
