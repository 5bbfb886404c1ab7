/// The color space that a file states without an ICC profile.
///
/// PNG stores it in the chunks `cICP`, `sRGB`, `gAMA` and `cHRM`; HEIC and AVIF in a `colr` box of
/// type `nclx`.
public enum ColorCoding: Sendable, Equatable {
  /// The color space is sRGB.
  case sRGB
  /// The color space is given by code points (ITU-T H.273).
  case codePoints(ColorCodePoints)
  /// The color space is given by a gamma, by the chromaticities of the primaries, or by both.
  case measured(MeasuredColor)
}

/// A color space as code points of ITU-T H.273.
public struct ColorCodePoints: Sendable, Hashable, Codable {
  /// The color primaries: 1 for sRGB, 9 for BT.2020, 12 for Display P3; 0 to 65,535.
  public var primaries: Int
  /// The transfer characteristics: 13 for sRGB, 1 for BT.709, 16 for PQ, 18 for HLG; 0 to 65,535.
  public var transfer: Int
  /// The matrix coefficients that convert luma and chroma to RGB; 0 for no conversion; 0 to 65,535.
  public var matrix: Int
  /// Whether the samples use their full range: black is 0 and white is the largest value.
  public var isFullRange: Bool

  /// A color space with the given code points, which are not checked.
  public init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.isFullRange = isFullRange
  }
}

/// A color space as measured numbers, as in PNG's `gAMA` and `cHRM`.
public struct MeasuredColor: Sendable, Hashable, Codable {
  /// The exponent that encodes light as samples, such as 0.45455, greater than 0; nil for the sRGB
  /// curve.
  public var gamma: Double?
  /// The chromaticities of the primaries; nil for those of sRGB.
  public var primaries: ColorPrimaries?

  /// A color space with the given numbers, which are not checked.
  public init(gamma: Double? = nil, primaries: ColorPrimaries? = nil) {
    self.gamma = gamma
    self.primaries = primaries
  }

  /// Writes both keys; a value that is that of sRGB is null.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(gamma, forKey: .gamma)
    try fields.encode(primaries, forKey: .primaries)
  }
}

/// The chromaticities of the white point and the primaries.
public struct ColorPrimaries: Sendable, Hashable, Codable {
  /// A chromaticity: CIE 1931 x and y.
  public struct Chromaticity: Sendable, Hashable, Codable {
    /// CIE 1931 x, 0 to 1.
    public var x: Double
    /// CIE 1931 y, 0 to 1.
    public var y: Double

    /// A chromaticity with the given numbers, which are not checked.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// The white point.
  public var white: Chromaticity
  /// The red primary.
  public var red: Chromaticity
  /// The green primary.
  public var green: Chromaticity
  /// The blue primary.
  public var blue: Chromaticity

  /// Primaries with the given chromaticities, which are not checked.
  public init(white: Chromaticity, red: Chromaticity, green: Chromaticity, blue: Chromaticity) {
    self.white = white
    self.red = red
    self.green = green
    self.blue = blue
  }
}

extension ColorPrimaries {
  private init(
    _ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double),
    white: Chromaticity = .d65
  ) {
    self.init(
      white: white, red: Chromaticity(x: red.0, y: red.1),
      green: Chromaticity(x: green.0, y: green.1), blue: Chromaticity(x: blue.0, y: blue.1))
  }

  /// The primaries of sRGB and BT.709.
  public static let sRGB = Self((0.64, 0.33), (0.3, 0.6), (0.15, 0.06))

  /// The primaries with a code point of H.273 (table 2); nil for unassigned code points.
  public init?(codePoint: Int) {
    switch codePoint {
    case 1: self = .sRGB
    case 4: self.init((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), white: .init(x: 0.31, y: 0.316))
    case 5: self.init((0.64, 0.33), (0.29, 0.6), (0.15, 0.06))
    case 6, 7: self.init((0.63, 0.34), (0.31, 0.595), (0.155, 0.07))
    case 8:
      self.init((0.681, 0.319), (0.243, 0.692), (0.145, 0.049), white: .init(x: 0.31, y: 0.316))
    case 9: self.init((0.708, 0.292), (0.17, 0.797), (0.131, 0.046))
    case 11: self.init((0.68, 0.32), (0.265, 0.69), (0.15, 0.06), white: .init(x: 0.314, y: 0.351))
    case 12: self.init((0.68, 0.32), (0.265, 0.69), (0.15, 0.06))
    case 22: self.init((0.63, 0.34), (0.295, 0.605), (0.155, 0.077))
    default: return nil
    }
  }
}

extension ColorPrimaries.Chromaticity {
  /// Daylight of 6504 K.
  fileprivate static let d65 = Self(x: 0.3127, y: 0.329)
}

extension ColorCoding {
  /// The name for users, such as `Display P3` or `gamma 2.2`.
  public var displayName: String {
    switch self {
    case .sRGB: return "sRGB"
    case .codePoints(let points): return points.displayName
    case .measured(let color):
      let hundredths = color.gamma.map { Int((100 / $0).rounded(.toNearestOrAwayFromZero)) }
      let gamma = hundredths.map { "gamma \($0 / 100).\($0 / 10 % 10)\($0 % 10)" }
      let primaries = color.primaries == nil ? nil : "custom primaries"
      return [gamma, primaries].compactMap { $0 }.joined(separator: ", ")
    }
  }
}

extension ColorCodePoints {
  /// Whether values can be brighter than white: with PQ and HLG.
  public var isHighDynamicRange: Bool { transfer == 16 || transfer == 18 }

  /// The name for users, such as `Display P3`, or the code points if there is none.
  public var displayName: String {
    switch (primaries, transfer) {
    case (1, 13): "sRGB"
    case (1, 1), (1, 6): "BT.709"
    case (5, 6), (6, 6): "BT.601"
    case (9, 14), (9, 15), (9, 1), (9, 6): "BT.2020"
    case (9, 16): "BT.2020 with PQ"
    case (9, 18): "BT.2020 with HLG"
    case (12, 13): "Display P3"
    case (12, 16): "Display P3 with PQ"
    case (12, 18): "Display P3 with HLG"
    case (2, 2): "unspecified"
    default: "code points \(primaries), \(transfer), \(matrix)"
    }
  }
}

/// The JSON form: an object with one key, `"sRGB"`, `"codePoints"` or `"measured"`.
extension ColorCoding: Codable {
  private enum Key: String, CodingKey { case sRGB, codePoints, measured }

  /// Reads the form that ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    if let points = try fields.decodeIfPresent(ColorCodePoints.self, forKey: .codePoints) {
      self = .codePoints(points)
    } else if let color = try fields.decodeIfPresent(MeasuredColor.self, forKey: .measured) {
      self = .measured(color)
    } else {
      self = .sRGB
    }
  }

  /// Writes one key; its value is `true` for sRGB.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    switch self {
    case .sRGB: try fields.encode(true, forKey: .sRGB)
    case .codePoints(let points): try fields.encode(points, forKey: .codePoints)
    case .measured(let color): try fields.encode(color, forKey: .measured)
    }
  }
}
