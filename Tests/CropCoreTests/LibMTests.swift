import Foundation
import TestMaterial
import Testing

@testable import CropCore

/// The core's functions compared with the system's.
@Suite struct LibMTests {
  /// How far `ours` is from `theirs`, in units of the last place of the larger of `theirs` and
  /// `scale`.
  private func distance(_ ours: Double, _ theirs: Double, scale: Double = 0) -> Double {
    ours == theirs ? 0 : abs(ours - theirs) / max(abs(theirs), scale).ulp
  }

  private func worst(_ count: Int = 100_000, _ check: (inout Seeded) -> Double) -> Double {
    var random = Seeded(seed: 0x0011_B300)
    return (0..<count).reduce(0.0) { worst, _ in max(worst, check(&random)) }
  }

  @Test func `sines and cosines of every tilt are the system's but for the last bits`() {
    for tenths in -450...450 {
      let radians = CropAngle(degrees: Double(tenths) / 10).radians
      #expect(distance(LibM.sine(radians), sin(radians)) <= 2)
      #expect(distance(LibM.cosine(radians), cos(radians)) <= 2)
    }
  }

  @Test func `sines and cosines keep their exactness for a hundred thousand radians`() {
    let found = worst { random in
      let x = random.double(-1e5...1e5)
      return max(
        distance(LibM.sine(x), sin(x), scale: 1), distance(LibM.cosine(x), cos(x), scale: 1))
    }
    #expect(found <= 2)
  }

  @Test func `beyond a billion radians, an angle counts as zero`() {
    for x in [1e9, -1e17, 1e300, .infinity, .nan] {
      #expect(LibM.sine(x) == 0)
      #expect(LibM.cosine(x) == 1)
    }
  }

  @Test func `the arc tangent is the system's in every direction`() {
    let found = worst { random in
      let (y, x) = (random.double(-1e3...1e3), random.double(-1e3...1e3))
      return distance(LibM.arcTangent(y: y, x: x), atan2(y, x))
    }
    #expect(found <= 8)
    for y in [-1.0, 0, 1] {
      for x in [-1.0, 0, 1] {
        #expect(distance(LibM.arcTangent(y: y, x: x), atan2(y, x)) <= 4)
      }
    }
  }

  @Test func `logarithms and exponentials are the system's but for the last bits`() {
    #expect(LibM.logarithm(1) == 0)
    #expect(LibM.exponential(0) == 1)
    let logarithms = worst { random in
      let x = exp(random.double(-700...700))
      return distance(LibM.logarithm(x), log(x))
    }
    #expect(logarithms <= 3)
    let nearOne = worst { random in
      let x = random.double(0.5...2)
      return distance(LibM.logarithm(x), log(x))
    }
    #expect(nearOne <= 3)
    let exponentials = worst { random in
      let x = random.double(-700...700)
      return distance(LibM.exponential(x), exp(x))
    }
    #expect(exponentials <= 3)
  }

  @Test func `a power is right to a part in ten million million`() {
    #expect(LibM.power(1, 1e9) == 1)
    #expect(LibM.power(7, 0) == 1)
    let found = worst { random in
      let (base, exponent) = (exp(random.double(-10...10)), random.double(-10...10))
      return abs(LibM.power(base, exponent) / pow(base, exponent) - 1)
    }
    #expect(found <= 1e-13)
  }

  @Test func `beyond what a number holds an exponential is none or infinite`() {
    #expect(LibM.exponential(-1e9) == 0)
    #expect(LibM.exponential(-.infinity) == 0)
    #expect(LibM.exponential(1e9) == .infinity)
    #expect(LibM.power(1e-3, -1e12) == .infinity)
    #expect(LibM.power(1e-3, 1e12) == 0)
  }
}
