import ArgumentParser
import CropCore
import CropImaging

/// `X,Y,W,H`, `WxH+X+Y` or `WxH`.
struct RectArgument: ExpressibleByArgument {
  let area: CropArea

  init?(argument: String) {
    guard let area = CropArea(rectangle: argument) else { return nil }
    self.area = area
  }
}

/// What is cut off on each side: `ALL`, `ACROSS,DOWN` or `LEFT,TOP,RIGHT,BOTTOM`.
struct InsetArgument: ExpressibleByArgument {
  let area: CropArea

  init?(argument: String) {
    guard let area = CropArea(inset: argument) else { return nil }
    self.area = area
  }
}

/// `W:H`, `W/H` or `WxH` in whole or decimal numbers, or their quotient, such as `16:9`, `1.91:1`
/// or `1.5`.
struct AspectArgument: ExpressibleByArgument {
  let ratio: AspectRatio

  init?(argument: String) {
    guard let ratio = AspectRatio(text: argument) else { return nil }
    self.ratio = ratio
  }

  /// The ratios that the page offers, also in portrait.
  static var defaultCompletionKind: CompletionKind {
    .list(AspectRatio.presets + AspectRatio.standingPresets)
  }
}

/// The size of a result: in pixels, on paper, or the ratio for the area between four corners.
enum OutputChoice: Equatable, Sendable {
  case exact(width: Int, height: Int)
  case print(PrintSize)
  case straightened(QuadSize)
}

/// `X1,Y1,X2,Y2,X3,Y3,X4,Y4`: four corners, clockwise from the one that becomes top left. Each
/// number is in pixels or a percentage of the side. Or `auto`: those of a sheet in the image.
struct QuadArgument: ExpressibleByArgument {
  /// Nil if they are searched for.
  let corners: [CropLength]?

  init?(argument: String) {
    if argument == Self.found {
      corners = nil
      return
    }
    guard let lengths = CropLength.list(argument), lengths.count == 8 else { return nil }
    corners = lengths
  }

  /// The word for corners that are searched for.
  private static let found = "auto"

  static var defaultCompletionKind: CompletionKind { .list([found]) }
}

/// `WxH` in whole pixels or on paper, a ratio, or the name of a ratio.
struct SizeArgument: ExpressibleByArgument {
  let size: OutputChoice

  init?(argument: String) {
    if let exact = FrameSize(text: argument) {
      size = .exact(width: exact.width, height: exact.height)
    } else if let print = PrintSize(text: argument) {
      size = .print(print)
    } else if let named = QuadSize(utf8: Array(argument.utf8)) {
      size = .straightened(named)
    } else {
      return nil
    }
  }

  static var defaultCompletionKind: CompletionKind {
    .list(["35x45mm", "10x15cm", "4x6in", "a4", "letter", "square", "sheet"])
  }
}

/// A length on paper.
struct BleedArgument: ExpressibleByArgument {
  let length: PrintLength

  init?(argument: String) {
    guard let length = PrintLength(text: argument) else { return nil }
    self.length = length
  }

  static var defaultCompletionKind: CompletionKind { .list(["3mm", "0.125in"]) }
}

/// `rectangle`, `ellipse`, `circle` or `rounded:R`.
struct ShapeArgument: ExpressibleByArgument {
  let shape: CropShape
  /// Whether the crop must be a square.
  let isCircle: Bool

  init?(argument: String) {
    guard let shape = CropShape(text: argument) else { return nil }
    self.shape = shape
    isCircle = argument == "circle"
  }

  static var defaultCompletionKind: CompletionKind {
    .list(["rectangle", "ellipse", "circle", "rounded:"])
  }
}

/// A tilt in degrees, clockwise.
struct TiltArgument: ExpressibleByArgument {
  let tilt: CropAngle

  init?(argument: String) {
    guard let tilt = CropAngle(degrees: argument) else { return nil }
    self.tilt = tilt
  }
}

/// A quarter turn clockwise.
enum RotationArgument: Int, ExpressibleByArgument, CaseIterable {
  case right = 90
  case down = 180
  case left = 270

  var quarterTurns: Int { rawValue / 90 }
}

/// A mirror.
enum FlipArgument: String, ExpressibleByArgument, CaseIterable {
  case horizontal
  case vertical
}

/// The position of the crop: `center`, `north`, `northeast` and so on.
struct GravityArgument: ExpressibleByArgument {
  let gravity: Gravity

  init?(argument: String) {
    guard let named = Gravity.allCases.first(where: { "\($0)" == argument }) else { return nil }
    gravity = named
  }

  static var allValueStrings: [String] { Gravity.allCases.map { "\($0)" } }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// The tolerance of a uniform border that is trimmed: `auto` or 0 to 255.
struct TrimArgument: ExpressibleByArgument {
  let tolerance: Int

  init?(argument: String) {
    if argument == Self.usual {
      tolerance = CropEngine.usualTolerance
    } else {
      guard let number = ResultOptions.whole(argument, 0...255) else { return nil }
      tolerance = number
    }
  }

  static var defaultCompletionKind: CompletionKind { .list([usual]) }

  /// The word for the default tolerance.
  static let usual = "auto"

  /// The arguments with the default tolerance after each `--trim` that has none: the parser does
  /// not support optional values.
  static func completed(_ words: [String]) -> [String] {
    var result: [String] = []
    for (index, word) in words.enumerated() {
      if word == "--" { return result + words[index...] }
      result.append(word)
      let next = index + 1 < words.count ? words[index + 1] : ""
      // A number is a tolerance, even an invalid one.
      if word == "--trim", Self(argument: next) == nil, Double(next) == nil { result.append(usual) }
    }
    return result
  }
}
