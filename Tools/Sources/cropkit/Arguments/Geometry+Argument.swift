import ArgumentParser
import CropCore

/// `X,Y,W,H` or `WxH+X+Y`, each in pixels or, with a per cent sign, as a share of the side. A negative
/// width or height leaves as much room at the far edge.
struct RectArgument: ExpressibleByArgument {
  let area: CropArea

  init?(argument: String) {
    guard let lengths = CropLength.list(argument) ?? CropLength.geometry(argument) else {
      return nil
    }
    guard lengths.count == 4 else { return nil }
    area = .rectangle(x: lengths[0], y: lengths[1], width: lengths[2], height: lengths[3])
  }
}

/// What is cut off on each side: `ALL`, `ACROSS,DOWN` or `LEFT,TOP,RIGHT,BOTTOM`, each in pixels or per
/// cent of the side.
struct InsetArgument: ExpressibleByArgument {
  let area: CropArea

  init?(argument: String) {
    guard let lengths = CropLength.list(argument), [1, 2, 4].contains(lengths.count) else {
      return nil
    }
    let all = (0..<4).map { lengths[$0 % lengths.count] }
    area = .inset(left: all[0], top: all[1], right: all[2], bottom: all[3])
  }
}

extension CropLength {
  /// `WxH+X+Y` as x, y, width and height; nil for anything else.
  fileprivate static func geometry(_ text: String) -> [Self]? {
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    let size = parts[0].split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 3, size.count == 2 else { return nil }
    let lengths = [parts[1], parts[2], size[0], size[1]].compactMap(Self.init(text:))
    return lengths.count == 4 ? lengths : nil
  }

  /// Lengths with commas between them; nil for anything else.
  static func list(_ text: String) -> [Self]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let lengths = parts.compactMap(Self.init(text:))
    return lengths.count == parts.count ? lengths : nil
  }

  /// `120` or `12.5%`; nil for anything else, NaN and infinities included.
  fileprivate init?(text: Substring) {
    let isPercent = text.hasSuffix("%")
    guard let number = Double.finite(isPercent ? text.dropLast() : text) else { return nil }
    self = isPercent ? .percent(number) : .pixels(number)
  }
}

/// `W:H` or `W/H`, whole or decimal numbers, such as `16:9` or `1.91:1`.
struct AspectArgument: ExpressibleByArgument {
  let ratio: AspectRatio

  init?(argument: String) {
    guard let ratio = AspectRatio(text: argument) else { return nil }
    self.ratio = ratio
  }

  /// Those that the page offers, upright too.
  static var defaultCompletionKind: CompletionKind {
    .list(AspectRatio.presets + AspectRatio.standingPresets)
  }
}

/// The size of a result: a size, or the ratio that what lies between four corners is to have.
enum OutputChoice: Equatable, Sendable {
  case exact(width: Int, height: Int)
  case straightened(QuadSize)
}

/// `X1,Y1,X2,Y2,X3,Y3,X4,Y4`: four corners, clockwise from the one that becomes top left, each number in
/// pixels or per cent of the side.
struct QuadArgument: ExpressibleByArgument {
  let corners: [CropLength]

  init?(argument: String) {
    guard let lengths = CropLength.list(argument), lengths.count == 8 else { return nil }
    corners = lengths
  }
}

/// `WxH`, in whole pixels.
struct SizeArgument: ExpressibleByArgument {
  let size: OutputChoice

  init?(argument: String) {
    switch argument {
    case "a4": size = .straightened(.a4)
    case "letter": size = .straightened(.letter)
    case "square": size = .straightened(.ratio(.square))
    case "sheet": size = .straightened(.sheet)
    default:
      guard let size = Self.size(argument) else { return nil }
      self.size = size
    }
  }

  private static func size(_ argument: String) -> OutputChoice? {
    if let ratio = AspectRatio(text: argument) { return .straightened(.ratio(ratio)) }
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else {
      return nil
    }
    return .exact(width: width, height: height)
  }

  static var defaultCompletionKind: CompletionKind { .list(["a4", "letter", "square", "sheet"]) }
}

/// `rectangle`, `ellipse` or `rounded:R`.
struct ShapeArgument: ExpressibleByArgument {
  let shape: CropShape

  init?(argument: String) {
    switch argument {
    case "rectangle": shape = .rectangle
    case "ellipse": shape = .ellipse
    default:
      guard argument.hasPrefix("rounded:"),
        let radius = Double.finite(argument.dropFirst("rounded:".count))
      else { return nil }
      shape = .roundedRectangle(radius: radius)
    }
  }

  static var defaultCompletionKind: CompletionKind { .list(["rectangle", "ellipse", "rounded:"]) }
}

/// A tilt in degrees, clockwise.
struct TiltArgument: ExpressibleByArgument {
  let tilt: Angle

  init?(argument: String) {
    guard let degrees = Double.finite(argument) else { return nil }
    tilt = Angle(degrees: degrees)
  }
}

/// A quarter turn clockwise.
enum TurnArgument: Int, ExpressibleByArgument, CaseIterable {
  case right = 90
  case down = 180
  case left = 270

  var quarterTurns: Int { rawValue / 90 }
}

/// A mirror.
enum MirrorArgument: String, ExpressibleByArgument, CaseIterable {
  case horizontal
  case vertical
}

/// Where a part lies: `center`, `north`, `northeast` and so on.
struct GravityArgument: ExpressibleByArgument {
  let gravity: Gravity

  init?(argument: String) {
    guard let named = Gravity.allCases.first(where: { "\($0)" == argument }) else { return nil }
    gravity = named
  }

  static var allValueStrings: [String] { Gravity.allCases.map { "\($0)" } }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension Double {
  /// A decimal number; nil for anything else, hexadecimal, NaN and infinities included.
  fileprivate static func finite(_ text: some StringProtocol) -> Double? {
    let allowed = "0123456789.-+eE"
    guard text.allSatisfy({ allowed.contains($0) }), let number = Double(text), number.isFinite
    else { return nil }
    return number
  }
}
