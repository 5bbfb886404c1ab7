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
  /// coregraphics/cgbitmapinfo/floatcomponents
  public static let floatComponents = CGBitmapInfo(rawValue: 256)
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
  /// coregraphics/cgimage/bitmapinfo
  public var bitmapInfo: CGBitmapInfo {
    CGBitmapInfo(rawValue: alphaInfo.rawValue | format.info.rawValue)
  }
  /// coregraphics/cgimage/bitspercomponent
  public var bitsPerComponent: Int { format.bits }
  /// coregraphics/cgimage/colorspace
  public var colorSpace: CGColorSpace? { format.space }
  /// Not Apple's: what the numbers of the pixels mean.
  public struct Format: Sendable {
    var space = CGColorSpace(name: CGColorSpace.sRGB)
    var bits = 8
    var info: CGBitmapInfo = []
    /// Of eight bits in sRGB.
    public static var usual: Format { Format() }
    /// For HDR.
    public static var bright: Format {
      Format(space: CGColorSpace(name: CGColorSpace.displayP3_PQ))
    }
    /// For HDR, in floating-point numbers.
    public static var floating: Format {
      Format(
        space: CGColorSpace(name: CGColorSpace.extendedLinearDisplayP3), bits: 16,
        info: [.byteOrder16Little, .floatComponents])
    }
  }
  let format: Format
  let pixels: [UInt32]
  /// Not Apple's: the bitmap whose memory this one retains.
  public let parent: CGImage?

  init(
    width: Int, height: Int, pixels: [UInt32], alphaInfo: CGImageAlphaInfo, parent: CGImage? = nil,
    format: Format = .usual
  ) {
    (self.width, self.height, self.pixels, self.alphaInfo) = (width, height, pixels, alphaInfo)
    self.format = format
    self.parent = parent
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
    return CGImage(
      width: columns, height: rows, pixels: cut, alphaInfo: alphaInfo, parent: self, format: format)
  }
}

// Not Apple's: for tests to create and read images.
extension CGImage {
  /// An image of the given size without pixels: they are all 0.
  public static func blank(
    _ width: Int, _ height: Int, alphaInfo: CGImageAlphaInfo = .noneSkipLast
  ) -> CGImage {
    CGImage(width: width, height: height, pixels: [], alphaInfo: alphaInfo)
  }

  /// An image whose pixels are `pixel(column, row)`.
  public static func drawn(
    _ width: Int, _ height: Int, alphaInfo: CGImageAlphaInfo = .noneSkipLast,
    _ pixel: (Int, Int) -> UInt32
  ) -> CGImage {
    var pixels: [UInt32] = []
    for row in 0..<height { for column in 0..<width { pixels.append(pixel(column, row)) } }
    return CGImage(width: width, height: height, pixels: pixels, alphaInfo: alphaInfo)
  }

  /// The same pixels, read as another format.
  public func read(as format: Format) -> CGImage {
    CGImage(width: width, height: height, pixels: pixels, alphaInfo: alphaInfo, format: format)
  }

  /// Whether it has no pixels.
  var isBlank: Bool { pixels.isEmpty }

  /// The pixel at a column and row from the top left; nil outside.
  public func pixel(_ column: Int, _ row: Int) -> UInt32? {
    guard column >= 0, row >= 0, column < width, row < height else { return nil }
    return pixels.isEmpty ? 0 : pixels[row * width + column]
  }
  /// The pixels as displayed with EXIF's orientation, 1 to 8.
  public func oriented(by orientation: UInt32) -> CGImage {
    let isTransposed = orientation >= 5
    let (columns, rows) = isTransposed ? (height, width) : (width, height)
    guard !pixels.isEmpty else {
      return .blank(columns, rows, alphaInfo: alphaInfo).read(as: format)
    }
    let turned = CGImage.drawn(columns, rows, alphaInfo: alphaInfo) { column, row in
      let (x, y) =
        switch orientation {
        case 2: (width - 1 - column, row)
        case 3: (width - 1 - column, height - 1 - row)
        case 4: (column, height - 1 - row)
        case 5: (row, column)
        case 6: (row, height - 1 - column)
        case 7: (width - 1 - row, height - 1 - column)
        case 8: (width - 1 - row, column)
        default: (column, row)
        }
      return pixel(x, y) ?? 0
    }
    return turned.read(as: format)
  }

  /// The image scaled to this longest side, with the nearest pixels.
  public func scaled(toMaxSide side: Int) -> CGImage {
    let longest = max(width, height)
    guard longest > side, side > 0 else { return self }
    let (columns, rows) = (max(1, width * side / longest), max(1, height * side / longest))
    guard !pixels.isEmpty else {
      return .blank(columns, rows, alphaInfo: alphaInfo).read(as: format)
    }
    let small = CGImage.drawn(columns, rows, alphaInfo: alphaInfo) { column, row in
      pixel(column * width / columns, row * height / rows) ?? 0
    }
    return small.read(as: format)
  }
}
