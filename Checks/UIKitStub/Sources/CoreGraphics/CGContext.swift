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
  private let format: CGImage.Format
  private var isDrawnOn = false
  private lazy var pixels: UnsafeMutableBufferPointer<UInt32> = {
    let pixels = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: width * height)
    pixels.initialize(repeating: 0)
    isAllocated = true
    return pixels
  }()
  private var isAllocated = false
  private var path: [CGPath.Part] = []
  private var fillColor: CGColor?
  private var saved: [(CGAffineTransform, CGInterpolationQuality)] = []
  /// Not Apple's: the last clipping path, in user space.
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
    format = CGImage.Format(
      space: space, bits: bitsPerComponent, info: CGBitmapInfo(rawValue: bitmapInfo & ~0x1f))
  }

  deinit {
    if isAllocated { pixels.deallocate() }
  }

  /// coregraphics/cgcontext/data
  /// Four bytes per pixel, only for contexts of 8 bits.
  public var data: UnsafeMutableRawPointer? {
    guard bitsPerComponent == 8 else { return nil }
    isDrawnOn = true
    return UnsafeMutableRawPointer(pixels.baseAddress)
  }

  /// coregraphics/cgcontext/bytesperrow
  public var bytesPerRow: Int { 4 * width }

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
  /// Uses the nearest pixel, whatever the quality. The origin is at the bottom left; the image's
  /// top row is at the top of `rect`.
  public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) {
    // An image without pixels is all zero, like the context.
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

  /// coregraphics/cgcontext/setfillcolor(_:)
  public func setFillColor(_ color: CGColor) { fillColor = color }

  /// coregraphics/cgcontext/fill(_:)
  /// Only opaque colors, as sRGB values.
  public func fill(_ rect: CGRect) {
    guard let color = fillColor?.components, color.count == 4 else { return }
    isDrawnOn = true
    let bytes = color.map { UInt32(($0 * 255).rounded()) }
    let back = ctm.inverted()
    for row in 0..<height {
      for column in 0..<width {
        let place = CGPoint(x: CGFloat(column) + 0.5, y: CGFloat(height - row) - 0.5)
          .applying(back)
        guard rect.contains(place) else { continue }
        pixels[row * width + column] =
          bytes[0] | bytes[1] << 8 | bytes[2] << 16 | bytes[3] << 24
      }
    }
  }

  /// coregraphics/cgcontext/savegstate()
  public func saveGState() { saved.append((ctm, interpolationQuality)) }

  /// coregraphics/cgcontext/restoregstate()
  public func restoreGState() {
    guard let last = saved.popLast() else { return }
    (ctm, interpolationQuality) = last
  }

  /// coregraphics/cgcontext/makeimage()
  public func makeImage() -> CGImage? {
    CGImage(
      width: width, height: height, pixels: isDrawnOn ? Array(pixels) : [], alphaInfo: alphaInfo,
      format: format)
  }
}
