import Foundation

/// coregraphics/cgcolor
public final class CGColor: Sendable {
  /// coregraphics/cgcolor/components
  public let components: [CGFloat]?

  /// coregraphics/cgcolor/init(red:green:blue:alpha:)
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    components = [red, green, blue, alpha]
  }
}

/// coregraphics/cgcolorspacemodel
public enum CGColorSpaceModel: Int32, Sendable {
  /// coregraphics/cgcolorspacemodel/unknown
  case unknown = -1
  /// coregraphics/cgcolorspacemodel/monochrome
  case monochrome, rgb, cmyk, lab, deviceN, indexed, pattern, XYZ
}

/// coregraphics/cgcolorspace
public final class CGColorSpace: Sendable {
  /// coregraphics/cgcolorspace/srgb
  public static let sRGB: String = "kCGColorSpaceSRGB"
  /// coregraphics/cgcolorspace/displayp3_pq
  public static let displayP3_PQ: String = "kCGColorSpaceDisplayP3_PQ"
  /// coregraphics/cgcolorspace/extendedlineardisplayp3
  public static let extendedLinearDisplayP3: String = "kCGColorSpaceExtendedLinearDisplayP3"
  /// coregraphics/cgcolorspace/name
  public let name: String?
  /// coregraphics/cgcolorspace/model
  public let model: CGColorSpaceModel
  /// coregraphics/cgcolorspace/supportsoutput
  public let supportsOutput: Bool = true

  /// coregraphics/cgcolorspace/init(name:)
  public init?(name: String) {
    self.name = name
    model = .rgb
  }
}

/// coregraphics/cgcolorspaceusesitur_2100tf(_:)
public func CGColorSpaceUsesITUR_2100TF(_ space: CGColorSpace) -> Bool {
  space.name == CGColorSpace.displayP3_PQ
}
/// coregraphics/cgcolorspaceusesextendedrange(_:)
public func CGColorSpaceUsesExtendedRange(_ space: CGColorSpace) -> Bool {
  space.name == CGColorSpace.extendedLinearDisplayP3
}
