/// A unit of lengths on paper.
public enum PrintUnit: Hashable, Sendable {
  case millimeter, centimeter, inch

  /// The number of ten-thousandths of a millimeter.
  var tenThousandths: Int {
    switch self {
    case .millimeter: 10_000
    case .centimeter: 100_000
    case .inch: 254_000
    }
  }
}

/// A length on paper, such as 3 mm.
public struct PrintLength: Hashable, Sendable {
  /// The length in ten-thousandths of a millimeter, greater than 0: a unit of which millimeters,
  /// centimeters and thousandths of an inch are multiples.
  public let tenThousandths: Int
  /// The unit in which it is written.
  public let unit: PrintUnit

  /// The longest length, in millimeters: 10 m.
  public static var longest: Int { 10_000 }

  /// A number of units, rounded to ten-thousandths of a millimeter; nil if it is less than one of
  /// them or more than ``longest``.
  public init?(_ count: Double, _ unit: PrintUnit) {
    let length = (count * Double(unit.tenThousandths)).rounded()
    // Also false for NaN.
    guard length >= 1, length <= Double(Self.longest) * 10_000 else { return nil }
    self.init(tenThousandths: Int(length), unit)
  }

  init(tenThousandths: Int, _ unit: PrintUnit) {
    self.tenThousandths = tenThousandths
    self.unit = unit
  }

  /// The length in inches.
  public var inches: Double { Double(tenThousandths) / Double(PrintUnit.inch.tenThousandths) }

  /// The length in pixels, to the nearest one and at least 1, at `density` pixels per inch.
  func pixels(_ density: Double) -> Int {
    // One division of whole numbers, so that it rounds like the exact quotient.
    let length = Double(tenThousandths) * density / Double(PrintUnit.inch.tenThousandths)
    return max(1, Int(min(length, 1e9).rounded()))
  }
}

/// The size of a print on paper, such as 35 × 45 mm.
public struct PrintSize: Hashable, Sendable {
  /// The horizontal length.
  public let width: PrintLength
  /// The vertical length.
  public let height: PrintLength

  /// A size of two lengths.
  public init(width: PrintLength, height: PrintLength) {
    self.width = width
    self.height = height
  }

  /// The size with width and height exchanged.
  public var swapped: Self { Self(width: height, height: width) }

  /// The exact ratio of the lengths.
  public var ratio: AspectRatio {
    // Lengths are never 0.
    AspectRatio(width.tenThousandths, height.tenThousandths) ?? .square
  }

  /// The size in pixels, each side to the nearest one, at `density` pixels per inch.
  public func pixels(_ density: Double) -> FrameSize {
    FrameSize(width: width.pixels(density), height: height.pixels(density))
  }

  /// The size with this much more on every side.
  public func with(bleed: PrintLength?) -> Self {
    guard let bleed else { return self }
    func side(_ length: PrintLength) -> PrintLength {
      PrintLength(
        tenThousandths: length.tenThousandths + 2 * bleed.tenThousandths, length.unit)
    }
    return Self(width: side(width), height: side(height))
  }
}

extension PrintUnit {
  init?(_ reader: inout TextReader) {
    if reader.take("mm") {
      self = .millimeter
    } else if reader.take("cm") {
      self = .centimeter
    } else if reader.take("in") {
      self = .inch
    } else {
      return nil
    }
  }
}

extension PrintLength {
  /// Parses `3mm`, `0.5 cm` or `0.125in`; nil for anything else.
  public init?(utf8 text: [UInt8]) {
    var reader = TextReader(text)
    guard let count = reader.term() else { return nil }
    reader.skipSpaces()
    guard let unit = PrintUnit(&reader), reader.isAtEnd else { return nil }
    self.init(count, unit)
  }

  /// Parses the same from a string.
  public init?(text: String) { self.init(utf8: Array(text.utf8)) }
}

extension PrintSize {
  /// Parses `35x45mm`, `4 × 6 in` or `10x15cm`; nil for anything else.
  public init?(utf8 text: [UInt8]) {
    var reader = TextReader(text)
    guard let width = reader.term(), reader.takeTimes(), let height = reader.term() else {
      return nil
    }
    reader.skipSpaces()
    guard let unit = PrintUnit(&reader), reader.isAtEnd, let width = PrintLength(width, unit),
      let height = PrintLength(height, unit)
    else { return nil }
    self.init(width: width, height: height)
  }

  /// Parses the same from a string.
  public init?(text: String) { self.init(utf8: Array(text.utf8)) }
}

#if !hasFeature(Embedded)
  extension PrintUnit {
    /// The unit as it is written after a number.
    public var text: String {
      switch self {
      case .millimeter: "mm"
      case .centimeter: "cm"
      case .inch: "in"
      }
    }
  }

  extension PrintLength {
    /// The length as it is parsed, such as `3mm`.
    public var text: String { digits(in: unit) + unit.text }

    /// The number of units, without trailing zeros.
    fileprivate func digits(in unit: PrintUnit) -> String {
      let count = Double(tenThousandths) / Double(unit.tenThousandths)
      return Int(exactly: count).map(String.init) ?? "\(count)"
    }
  }

  extension PrintSize {
    /// The size as it is parsed, such as `35x45mm`.
    public var text: String {
      "\(width.digits(in: width.unit))x\(height.digits(in: width.unit))\(width.unit.text)"
    }

    /// The size for users, such as `35 × 45 mm`.
    public var shown: String {
      "\(width.digits(in: width.unit)) × \(height.digits(in: width.unit)) \(width.unit.text)"
    }

    /// Parses a size as ``init(text:)`` does, or the name of a paper in portrait format: `a3` to
    /// `a6`, `letter`, `legal`.
    public init?(paper text: String) {
      let papers = [
        "a3": "297x420mm", "a4": "210x297mm", "a5": "148x210mm", "a6": "105x148mm",
        "letter": "8.5x11in", "legal": "8.5x14in",
      ]
      self.init(text: papers[text] ?? text)
    }
  }
#endif
