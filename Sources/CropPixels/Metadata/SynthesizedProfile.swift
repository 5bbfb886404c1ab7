import CropImaging
import Glibc

/// An ICC profile (ICC.1:2022, version 4) for a ``ColorCoding``. With it, colors are converted,
/// and kept in formats that only support profiles, as if the file had contained the profile.
struct SynthesizedProfile {
  let bytes: [UInt8]

  /// The profile; nil if the numbers mean sRGB, or are invalid.
  init?(_ coding: ColorCoding, isGray: Bool) {
    switch coding {
    case .sRGB: return nil
    case .codePoints(let points):
      // Unspecified primaries are treated as sRGB's, as viewers do.
      let primaries = points.primaries == 2 ? .sRGB : ColorPrimaries(codePoint: points.primaries)
      guard let primaries else { return nil }
      let curve = Curve(transfer: points.transfer)
      if curve == .sRGB, primaries == .sRGB || isGray { return nil }
      self.init(coding.displayName, curve, primaries, points: points, isGray: isGray)
    case .measured(let color):
      let primaries = color.primaries ?? .sRGB
      // With sRGB's primaries, a gamma of 1/2.2 means sRGB's curve: programs that only write gammas state
      // it like that. With others it is meant: Adobe RGB has it.
      let isUsual = color.gamma.map { abs($0 - 0.45455) < 0.0025 } ?? true
      if isUsual, isGray || primaries.isNear(.sRGB) { return nil }
      let curve = color.gamma.map { Curve.power(1 / $0) } ?? .sRGB
      if case .power(let exponent) = curve, !(0.1...10).contains(exponent) { return nil }
      self.init(coding.displayName, curve, primaries, isGray: isGray)
    }
  }

  private init?(
    _ name: String, _ curve: Curve, _ primaries: ColorPrimaries, points: ColorCodePoints? = nil,
    isGray: Bool
  ) {
    var tags: [(name: String, contents: [UInt8])] = [
      ("desc", Self.text(name)), ("cprt", Self.text("CC0")), ("wtpt", Self.xyz(Self.d50)),
    ]
    if isGray {
      tags.append(("kTRC", curve.contents))
    } else {
      guard let columns = primaries.columns(adaptedTo: Self.d50) else { return nil }
      for (name, column) in zip(["rXYZ", "gXYZ", "bXYZ"], columns) {
        tags.append((name, Self.xyz(column)))
      }
      for name in ["rTRC", "gTRC", "bTRC"] { tags.append((name, curve.contents)) }
      if let points, points.isHighDynamicRange {
        // ICC.1:2022, 9.2.17: programs that support the tag show HDR. The samples are full-range
        // RGB.
        let numbers = [points.primaries, points.transfer, 0, 1].map { UInt8(clamping: $0) }
        tags.append(("cicp", Array("cicp".utf8) + [0, 0, 0, 0] + numbers))
      }
    }
    bytes = Self.file(tags, space: isGray ? "GRAY" : "RGB ")
  }

  /// The white point of the profile connection space.
  private static let d50 = [0.9642, 1, 0.8249]

  private static func file(_ tags: [(name: String, contents: [UInt8])], space: String) -> [UInt8] {
    var table = number(tags.count)
    var data: [UInt8] = []
    var places: [[UInt8]: Int] = [:]
    let start = 128 + 4 + 12 * tags.count
    for tag in tags {
      // Equal contents are stored once.
      let place = places[tag.contents] ?? start + data.count
      if place == start + data.count {
        places[tag.contents] = place
        data += tag.contents + [UInt8](repeating: 0, count: (4 - tag.contents.count % 4) % 4)
      }
      table += Array(tag.name.utf8) + number(place) + number(tag.contents.count)
    }
    var header = number(start + data.count) + number(0) + number(0x0440_0000)
    header += Array("mntr".utf8) + Array(space.utf8) + Array("XYZ ".utf8)
    // A fixed date (2026-01-01), so that equal contents give equal files.
    header += [0x07, 0xEA, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28) + d50.flatMap(fixed)
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + data
  }

  fileprivate static func number(_ value: Int) -> [UInt8] {
    ByteOrder.big.bytes(value, 4)
  }

  /// A number with 16 fractional bits.
  fileprivate static func fixed(_ value: Double) -> [UInt8] {
    number(Int((min(max(value, -32_768), 32_767) * 65_536).rounded()))
  }

  private static func xyz(_ values: [Double]) -> [UInt8] {
    Array("XYZ ".utf8) + number(0) + values.flatMap(fixed)
  }

  private static func text(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    return Array("mluc".utf8) + number(0) + number(1) + number(12) + Array("enUS".utf8)
      + number(units.count) + number(28) + units
  }
}

extension SynthesizedProfile {
  /// The transfer function from values to light, which is 1 at reference white.
  enum Curve: Equatable {
    case sRGB
    case power(Double)
    /// Perceptual quantizer (SMPTE ST 2084), clipped at reference white.
    case quantizer
    /// Hybrid log-gamma (BT.2100) for a screen of 1000 cd/m², clipped at reference white.
    case hybrid

    /// The curve with a number of H.273 (table 3); video curves are treated as sRGB's, as in
    /// viewers.
    init(transfer: Int) {
      switch transfer {
      case 4: self = .power(2.2)
      case 5: self = .power(2.8)
      case 8: self = .power(1)
      case 16: self = .quantizer
      case 18: self = .hybrid
      default: self = .sRGB
      }
    }

    /// Reference white, in cd/m² (BT.2408).
    private static let white = 203.0

    /// The light of a value, 0 to 1.
    private func light(_ value: Double) -> Double {
      switch self {
      case .sRGB:
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      case .power(let exponent): return pow(value, exponent)
      case .quantizer:
        let root = pow(value, 1 / 78.84375)
        let part = max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)
        return min(1, pow(part, 1 / 0.1593017578125) * 10_000 / Self.white)
      case .hybrid:
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        let scene = value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
        return min(1, pow(scene, 1.2) * 1000 / Self.white)
      }
    }

    fileprivate var contents: [UInt8] {
      let head = Array("para".utf8) + [0, 0, 0, 0]
      switch self {
      case .sRGB:
        let numbers = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
        return head + [0, 3, 0, 0] + numbers.flatMap(SynthesizedProfile.fixed)
      case .power(let exponent): return head + [0, 0, 0, 0] + SynthesizedProfile.fixed(exponent)
      case .quantizer, .hybrid:
        let count = 4096
        let values = (0..<count).flatMap { index -> [UInt8] in
          let value = Int((light(Double(index) / Double(count - 1)) * 65_535).rounded())
          return ByteOrder.big.bytes(value, 2)
        }
        return Array("curv".utf8) + [0, 0, 0, 0] + SynthesizedProfile.number(count) + values
      }
    }
  }
}

extension ColorPrimaries {
  /// Whether every chromaticity is equal within the rounding error of five printed digits, and a
  /// little more.
  fileprivate func isNear(_ other: Self) -> Bool {
    zip(places, other.places).allSatisfy { abs($0.x - $1.x) < 0.002 && abs($0.y - $1.y) < 0.002 }
  }

  private var places: [Chromaticity] { [white, red, green, blue] }

  /// The primaries in XYZ, adapted to another white point (Bradford, ICC.1:2022 annex E); nil if
  /// they do not span a plane.
  fileprivate func columns(adaptedTo target: [Double]) -> [[Double]]? {
    guard places.allSatisfy({ $0.y > 0.0001 && $0.x >= 0 && $0.x + $0.y <= 1.0001 }) else {
      return nil
    }
    func xyz(_ place: Chromaticity) -> [Double] {
      [place.x / place.y, 1, (1 - place.x - place.y) / place.y]
    }
    let white = xyz(white)
    let raw = Matrix(columns: [xyz(red), xyz(green), xyz(blue)])
    guard let scale = raw.inverse?.times(white) else { return nil }
    let bradford = Matrix(rows: [
      [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
    ])
    let (from, to) = (bradford.times(white), bradford.times(target))
    guard let back = bradford.inverse, from.allSatisfy({ abs($0) > 0.0001 }) else { return nil }
    return (0..<3).map { index in
      let cones = bradford.times(raw.column(index).map { $0 * scale[index] })
      return back.times((0..<3).map { cones[$0] * to[$0] / from[$0] })
    }
  }
}

/// A 3 × 3 matrix.
private struct Matrix {
  let rows: [[Double]]

  init(rows: [[Double]]) { self.rows = rows }

  init(columns: [[Double]]) {
    rows = (0..<3).map { row in (0..<3).map { columns[$0][row] } }
  }

  func column(_ index: Int) -> [Double] { rows.map { $0[index] } }

  func times(_ vector: [Double]) -> [Double] {
    rows.map { $0[0] * vector[0] + $0[1] * vector[1] + $0[2] * vector[2] }
  }

  var inverse: Self? {
    func minor(_ r: Int, _ c: Int) -> Double {
      let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3)
      return rows[r1][c1] * rows[r2][c2] - rows[r1][c2] * rows[r2][c1]
    }
    let determinant = (0..<3).reduce(0) { $0 + rows[0][$1] * minor(0, $1) }
    guard abs(determinant) > 1e-9 else { return nil }
    return Self(rows: (0..<3).map { r in (0..<3).map { minor($0, r) / determinant } })
  }
}
