import ArgumentParser
import CropCore

/// `X,Y,W,H` or `WxH+X+Y`.
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

/// `WxH`, in whole pixels; or a ratio or its name.
struct SizeArgument: ExpressibleByArgument {
  let size: OutputChoice

  init?(argument: String) {
    switch argument {
    case "a4": size = .straightened(.a4)
    case "letter": size = .straightened(.letter)
    case "square": size = .straightened(.ratio(.square))
    case "sheet": size = .straightened(.sheet)
    default:
      if let ratio = AspectRatio(text: argument) {
        size = .straightened(.ratio(ratio))
      } else {
        guard let exact = FrameSize(text: argument) else { return nil }
        size = .exact(width: exact.width, height: exact.height)
      }
    }
  }

  static var defaultCompletionKind: CompletionKind { .list(["a4", "letter", "square", "sheet"]) }
}

/// `rectangle`, `ellipse` or `rounded:R`.
struct ShapeArgument: ExpressibleByArgument {
  let shape: CropShape

  init?(argument: String) {
    guard let shape = CropShape(text: argument) else { return nil }
    self.shape = shape
  }

  static var defaultCompletionKind: CompletionKind { .list(["rectangle", "ellipse", "rounded:"]) }
}

/// A tilt in degrees, clockwise.
struct TiltArgument: ExpressibleByArgument {
  let tilt: Angle

  init?(argument: String) {
    guard let tilt = Angle(degrees: argument) else { return nil }
    self.tilt = tilt
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
