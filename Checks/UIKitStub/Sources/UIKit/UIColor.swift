/// uikit/uicolor
public final class UIColor: NSObject, Sendable {
  private let components: [CGFloat]
  nonisolated(unsafe) private let provider: ((UITraitCollection) -> UIColor)?

  /// uikit/uicolor/init(red:green:blue:alpha:)
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    components = [red, green, blue, alpha]
    provider = nil
  }

  /// uikit/uicolor/init(white:alpha:)
  public init(white: CGFloat, alpha: CGFloat) {
    components = [white, white, white, alpha]
    provider = nil
  }

  /// uikit/uicolor/init(dynamicprovider:)
  public init(dynamicProvider: @escaping (UITraitCollection) -> UIColor) {
    components = [0, 0, 0, 1]
    provider = dynamicProvider
  }

  /// uikit/uicolor/init(patternimage:)
  public convenience init(patternImage image: UIImage) { self.init(white: 0.5, alpha: 1) }

  /// uikit/uicolor/cgcolor
  public var cgColor: CGColor {
    CGColor(
      red: components[0], green: components[1], blue: components[2], alpha: components[3])
  }

  /// uikit/uicolor/resolvedcolor(with:)
  public func resolvedColor(with traitCollection: UITraitCollection) -> UIColor {
    provider?(traitCollection) ?? self
  }

  /// uikit/uicolor/setfill()
  public func setFill() {}

  /// uikit/uicolor/black
  public static var black: UIColor { UIColor(white: 0, alpha: 1) }
  /// uikit/uicolor/white
  public static var white: UIColor { UIColor(white: 1, alpha: 1) }
  /// uikit/uicolor/clear
  public static var clear: UIColor { UIColor(white: 0, alpha: 0) }
  /// uikit/uicolor/green
  public static var green: UIColor { UIColor(red: 0, green: 1, blue: 0, alpha: 1) }
  /// uikit/uicolor/label
  public static var label: UIColor {
    UIColor { $0.userInterfaceStyle == .dark ? .white : .black }
  }
  /// uikit/uicolor/systembackground
  public static var systemBackground: UIColor {
    UIColor { $0.userInterfaceStyle == .dark ? .black : .white }
  }
}

/// uikit/uiuserinterfacestyle
public enum UIUserInterfaceStyle: Int, Sendable {
  /// uikit/uiuserinterfacestyle/unspecified
  case unspecified, light, dark
}

/// uikit/uitraitcollection
public final class UITraitCollection: NSObject, Sendable {
  /// uikit/uitraitcollection/userinterfacestyle
  public let userInterfaceStyle: UIUserInterfaceStyle
  /// uikit/uitraitcollection/displayscale
  public let displayScale: CGFloat

  /// uikit/uitraitcollection/current
  public static var current: UITraitCollection { UITraitCollection() }

  /// uikit/uitraitcollection/init()
  public override init() {
    userInterfaceStyle = .light
    displayScale = 2
  }

  /// uikit/uitraitcollection/init(userinterfacestyle:)
  public init(userInterfaceStyle: UIUserInterfaceStyle) {
    self.userInterfaceStyle = userInterfaceStyle
    displayScale = 2
  }
}
