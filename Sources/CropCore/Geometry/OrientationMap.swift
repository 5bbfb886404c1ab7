/// Maps one space to the next by an orientation: bitmap to image (the EXIF flag) or image to frame
/// (a recipe's mirror and turns).
///
/// The map is exact for whole pixels, and for fractional coordinates that are multiples of a power
/// of two.
public struct OrientationMap<From, To>: Hashable, Sendable {
  /// The orientation that the map applies.
  public let orientation: Orientation
  /// The size before the map, in pixels.
  public let source: PixelSize<From>

  /// The map that applies `orientation` to an image of size `source`.
  public init(_ orientation: Orientation, of source: PixelSize<From>) {
    self.orientation = orientation
    self.source = source
  }

  /// The size after the map, in pixels.
  public var target: PixelSize<To> {
    orientation.isTransposing
      ? PixelSize(width: source.height, height: source.width)
      : PixelSize(width: source.width, height: source.height)
  }

  /// The map in the other direction.
  public var inverse: OrientationMap<To, From> {
    OrientationMap<To, From>(orientation.inverse, of: target)
  }

  /// The position of `point` after the map.
  public func callAsFunction(_ point: CropPoint<From>) -> CropPoint<To> {
    let (width, height) = (Double(source.width), Double(source.height))
    let x = orientation.isMirrored ? width - point.x : point.x
    return switch orientation.quarterTurns {
    case 0: CropPoint(x: x, y: point.y)
    case 1: CropPoint(x: height - point.y, y: x)
    case 2: CropPoint(x: width - x, y: height - point.y)
    default: CropPoint(x: point.y, y: width - x)
    }
  }

  /// The position of `rect` after the map.
  public func callAsFunction(_ rect: CropRect<From>) -> CropRect<To> {
    // Lengths are copied, not recomputed, so that they never change by rounding.
    let a = self(CropPoint(x: rect.minX, y: rect.minY))
    let b = self(CropPoint(x: rect.maxX, y: rect.maxY))
    return CropRect(
      x: min(a.x, b.x), y: min(a.y, b.y),
      width: orientation.isTransposing ? rect.height : rect.width,
      height: orientation.isTransposing ? rect.width : rect.height)
  }

  /// The position of the whole pixels `rect` after the map.
  public func callAsFunction(_ rect: PixelRect<From>) -> PixelRect<To> {
    let x = orientation.isMirrored ? source.width - rect.x - rect.width : rect.x
    return switch orientation.quarterTurns {
    case 0: PixelRect(x: x, y: rect.y, width: rect.width, height: rect.height)
    case 1:
      PixelRect(
        x: source.height - rect.y - rect.height, y: x, width: rect.height, height: rect.width)
    case 2:
      PixelRect(
        x: source.width - x - rect.width, y: source.height - rect.y - rect.height,
        width: rect.width, height: rect.height)
    default:
      PixelRect(x: rect.y, y: source.width - x - rect.width, width: rect.height, height: rect.width)
    }
  }
}
