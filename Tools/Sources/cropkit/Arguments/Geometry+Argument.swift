import ArgumentParser
import CropCore

/// `X,Y,W,H`, each in pixels or, with a per cent sign, as a share of the side.
struct RectArgument: ExpressibleByArgument {
  let area: CropArea

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let lengths = parts.compactMap(CropLength.init(text:))
    guard parts.count == 4, lengths.count == 4 else { return nil }
    area = .rectangle(x: lengths[0], y: lengths[1], width: lengths[2], height: lengths[3])
  }
}

extension CropLength {
  /// `120` or `12.5%`; nil for anything else, NaN and infinities included.
  fileprivate init?(text: Substring) {
    let isPercent = text.hasSuffix("%")
    guard let number = Double.finite(isPercent ? text.dropLast() : text) else { return nil }
    self = isPercent ? .percent(number) : .pixels(number)
  }
}

/// `W:H`, whole or decimal numbers, such as `16:9` or `1.91:1`.
struct AspectArgument: ExpressibleByArgument {
  let ratio: AspectRatio

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    let terms = parts.compactMap(Double.finite)
    guard parts.count == 2, terms.count == 2 else { return nil }
    // As whole numbers; six decimals are more than any picture can tell apart.
    guard terms.allSatisfy({ $0 > 0 && $0 <= 1e6 }) else { return nil }
    let millionths = terms.map { Int(($0 * 1e6).rounded(.toNearestOrAwayFromZero)) }
    guard let ratio = AspectRatio(millionths[0], millionths[1]) else { return nil }
    self.ratio = ratio
  }
}

/// `WxH`, in whole pixels.
struct SizeArgument: ExpressibleByArgument {
  let width: Int
  let height: Int

  init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else {
      return nil
    }
    self.width = width
    self.height = height
  }
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
