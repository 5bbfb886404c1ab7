import Foundation

/// coregraphics/cgcontext
public final class CGContext {
  /// coregraphics/cgcontext/width
  public let width: Int
  /// coregraphics/cgcontext/height
  public let height: Int
  /// coregraphics/cgcontext/bitspercomponent
  public let bitsPerComponent: Int
  /// coregraphics/cgcontext/interpolationquality
  public var interpolationQuality = CGInterpolationQuality.default
  /// coregraphics/cgcontext/ctm
  public private(set) var ctm = CGAffineTransform.identity
  private let alphaInfo: CGImageAlphaInfo
  private var isDrawnOn = false
  private lazy var pixels: [UInt32] = Array(repeating: 0, count: width * height)
  private var path: [CGPath.Part] = []
  /// Not Apple's: the outline that drawing was last clipped to, in user space.
  public private(set) var clipped: [CGPath.Part] = []

  /// coregraphics/cgcontext/init(data:width:height:bitspercomponent:bytesperrow:space:bitmapinfo:)
  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
    bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
  ) {
    guard width > 0, height > 0 else { return nil }
    (self.width, self.height) = (width, height)
    self.bitsPerComponent = bitsPerComponent
    alphaInfo = CGImageAlphaInfo(rawValue: bitmapInfo & 0x1f) ?? .none
  }

  /// coregraphics/cgcontext/concatenate(_:)
  public func concatenate(_ transform: CGAffineTransform) {
    ctm = transform.concatenating(ctm)
  }

  /// coregraphics/cgcontext/addellipse(in:)
  public func addEllipse(in rect: CGRect) { path.append(.ellipse(rect)) }
  /// coregraphics/cgcontext/addpath(_:)
  public func addPath(_ path: CGPath) { self.path += path.parts }

  /// coregraphics/cgcontext/clip(using:)
  public func clip(using rule: CGPathFillRule = .winding) {
    clipped = path
    path = []
  }

  /// coregraphics/cgcontext/draw(_:in:bytiling:)
  /// Takes the nearest pixel, whatever the quality. The origin is at the bottom left; the picture's top
  /// row lies along the top of `rect`.
  public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) {
    // All of a picture without pixels is 0, as the context is.
    guard !image.isBlank else { return }
    isDrawnOn = true
    let back = ctm.inverted()
    for row in 0..<height {
      for column in 0..<width {
        let place = CGPoint(x: CGFloat(column) + 0.5, y: CGFloat(height - row) - 0.5)
          .applying(back)
        let x = (place.x - rect.minX) / rect.width * CGFloat(image.width)
        let y = (rect.maxY - place.y) / rect.height * CGFloat(image.height)
        if let pixel = image.pixel(Int(x.rounded(.down)), Int(y.rounded(.down))) {
          pixels[row * width + column] = pixel
        }
      }
    }
  }

  /// coregraphics/cgcontext/fill(_:)
  public func fill(_ rect: CGRect) {}

  /// coregraphics/cgcontext/makeimage()
  public func makeImage() -> CGImage? {
    CGImage(
      width: width, height: height, pixels: isDrawnOn ? pixels : [], alphaInfo: alphaInfo)
  }
}
