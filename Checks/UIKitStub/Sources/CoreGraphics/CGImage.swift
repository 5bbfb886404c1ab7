import Foundation

/// coregraphics/cgimagealphainfo
public enum CGImageAlphaInfo: UInt32, Sendable {
  /// coregraphics/cgimagealphainfo/none
  case none, premultipliedLast, premultipliedFirst, last, first, noneSkipLast, noneSkipFirst
  /// coregraphics/cgimagealphainfo/alphaonly
  case alphaOnly
}

/// coregraphics/cgbitmapinfo
public struct CGBitmapInfo: OptionSet, Sendable {
  /// coregraphics/cgbitmapinfo/rawvalue
  public let rawValue: UInt32
  /// coregraphics/cgbitmapinfo/init(rawvalue:)
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// coregraphics/cgbitmapinfo/byteorder16little
  public static let byteOrder16Little = CGBitmapInfo(rawValue: 4096)
}

/// coregraphics/cginterpolationquality
public enum CGInterpolationQuality: Int32, Sendable {
  /// coregraphics/cginterpolationquality/default
  case `default`, none, low, medium = 4, high = 3
}

/// coregraphics/cgimage
public final class CGImage: Sendable {
  /// coregraphics/cgimage/width
  public let width: Int
  /// coregraphics/cgimage/height
  public let height: Int
  /// coregraphics/cgimage/alphainfo
  public let alphaInfo: CGImageAlphaInfo
  /// coregraphics/cgimage/bitspercomponent
  public let bitsPerComponent: Int = 8
  /// coregraphics/cgimage/colorspace
  public let colorSpace: CGColorSpace? = CGColorSpace(name: CGColorSpace.sRGB)
  let pixels: [UInt32]

  init(width: Int, height: Int, pixels: [UInt32], alphaInfo: CGImageAlphaInfo) {
    (self.width, self.height, self.pixels, self.alphaInfo) = (width, height, pixels, alphaInfo)
  }

  /// coregraphics/cgimage/cropping(to:)
  public func cropping(to rect: CGRect) -> CGImage? {
    let part = rect.integral.intersection(CGRect(x: 0, y: 0, width: width, height: height))
    guard !part.isNull, part.width >= 1, part.height >= 1 else { return nil }
    let (left, top) = (Int(part.minX), Int(part.minY))
    let (columns, rows) = (Int(part.width), Int(part.height))
    var cut: [UInt32] = []
    if !pixels.isEmpty {
      cut.reserveCapacity(columns * rows)
      for row in top..<(top + rows) {
        cut += pixels[(row * width + left)..<(row * width + left + columns)]
      }
    }
    return CGImage(width: columns, height: rows, pixels: cut, alphaInfo: alphaInfo)
  }
}

// Not Apple's: what a test makes and reads.
extension CGImage {
  /// A picture of the given size without pixels: they are all 0.
  public static func blank(
    _ width: Int, _ height: Int, alphaInfo: CGImageAlphaInfo = .noneSkipLast
  ) -> CGImage {
    CGImage(width: width, height: height, pixels: [], alphaInfo: alphaInfo)
  }

  /// A picture whose pixels are `pixel(column, row)`.
  public static func drawn(
    _ width: Int, _ height: Int, alphaInfo: CGImageAlphaInfo = .noneSkipLast,
    _ pixel: (Int, Int) -> UInt32
  ) -> CGImage {
    var pixels: [UInt32] = []
    for row in 0..<height { for column in 0..<width { pixels.append(pixel(column, row)) } }
    return CGImage(width: width, height: height, pixels: pixels, alphaInfo: alphaInfo)
  }

  /// The pixel at a column and row from the top left; nil outside.
  public func pixel(_ column: Int, _ row: Int) -> UInt32? {
    guard column >= 0, row >= 0, column < width, row < height else { return nil }
    return pixels.isEmpty ? 0 : pixels[row * width + column]
  }
}
