import CropCore

extension RecipeError {
  /// What is wrong with a recipe for an upright picture of the given size, and what would do.
  public func message(for image: ImageSize) -> String {
    let picture = "the picture is \(image.width) × \(image.height) pixels"
    switch self {
    case .notFinite: return "the recipe holds a number that is infinite or no number"
    case .tiltOutOfRange(let degrees):
      return "a tilt of \(Self.short(degrees))° can't be; use −45 to 45 (turn by 90° first)"
    case .sizeNotWhole(let width, let height):
      return "a rectangle of \(Self.short(width)) × \(Self.short(height)) can't be; "
        + "width and height are whole pixels, at least 1; \(picture)"
    case .positionOffGrid(let x, let y):
      return "a rectangle at \(Self.short(x)),\(Self.short(y)) can't be; "
        + "x and y are whole pixels (under a tilt, 64ths); \(picture)"
    case .outside(let rect, let frame):
      let turned = frame.width == image.width ? "" : ", \(frame.width) × \(frame.height) as turned"
      return "the rectangle \(Self.words(rect)) reaches past the picture; \(picture)\(turned)"
    case .blankCorner(let rect, let frame):
      return "the rectangle \(Self.words(rect)) would show a blank corner under this tilt; "
        + "make it smaller; the picture is \(frame.width) × \(frame.height) pixels"
    case .negativeRadius(let radius):
      return "a corner radius of \(Self.short(radius)) can't be; use 0 or more"
    case .outputSize(let width, let height):
      return "a result of \(width) × \(height) pixels can't be; "
        + "use 1 to \(Self.largestOutputSide) a side"
    case .maxSideTooSmall(let side):
      return "a longest side of \(side) pixels can't be; use 1 or more"
    case .outputRatio(let width, let height, let rect):
      return "a result of \(width) × \(height) would be distorted; "
        + "the rectangle is \(rect.width) × \(rect.height)"
    case .quad(let fault, let quad): return Self.message(fault, quad, picture)
    case .emptyPicture: return "the picture has no pixels"
    case .quadNotTaken: return "four corners can't be straightened here"
    case .quadInTarget:
      return "a target is cut by a rectangle, not by four corners; straighten the picture first"
    case .otherLaying:
      return
        "a target's recipe mirrors, turns or tilts the picture in another way than the others; "
        + "use the document's \"picture\" for that"
    }
  }

  private static func message(_ fault: QuadFault, _ quad: Quad, _ picture: String) -> String {
    let corners = (0..<4).map { "\(short(quad[$0].x)),\(short(quad[$0].y))" }
      .joined(separator: " ")
    let what = "the corners \(corners)"
    return switch fault {
    case .degenerate: "\(what) span no area; two are the same or all lie on one line"
    case .selfCrossing: "\(what) are out of order, edges cross; name them clockwise"
    case .counterclockwise:
      "\(what) go counterclockwise; name them clockwise from the one that becomes top left"
    case .concave: "\(what) can't be straightened; one of them points inwards"
    case .tiny: "\(what) are too near to each other; every edge has at least 1 pixel"
    case .nearlyCollinear:
      "\(what) are nearly a triangle; no corner is within \(short(Quad.smallestAngle.degrees))° of a "
        + "straight line"
    case .outside: "\(what) reach past the picture; \(picture)"
    case .offGrid: "\(what) can't be; coordinates are multiples of 1/64 pixel"
    case .besideRect: "a recipe has either a rectangle or four corners"
    case .underTilt: "four corners can't be under a tilt; they straighten the picture themselves"
    }
  }

  private static func words(_ rect: FrameRect) -> String {
    "\(short(rect.width)) × \(short(rect.height)) at \(short(rect.x)),\(short(rect.y))"
  }

  /// Whole numbers without a fraction.
  private static func short(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}
