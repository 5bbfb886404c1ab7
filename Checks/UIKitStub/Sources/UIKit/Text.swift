/// uikit/uicontentsizecategory
public struct UIContentSizeCategory: RawRepresentable, Hashable, Sendable {
  /// uikit/uicontentsizecategory/rawvalue
  public let rawValue: String
  /// uikit/uicontentsizecategory/init(rawvalue:)
  public init(rawValue: String) { self.rawValue = rawValue }
  /// uikit/uicontentsizecategory/accessibilitymedium
  public static let accessibilityMedium = UIContentSizeCategory(rawValue: "accessibilityMedium")
}

/// uikit/uifont
public final class UIFont: NSObject, Sendable {
  /// uikit/uifont/weight
  public struct Weight: RawRepresentable, Hashable, Sendable {
    /// uikit/uifont/weight/rawvalue
    public let rawValue: CGFloat
    /// uikit/uifont/weight/init(rawvalue:)
    public init(rawValue: CGFloat) { self.rawValue = rawValue }
    /// uikit/uifont/weight/medium
    public static let medium = Weight(rawValue: 0.23)
  }
  /// uikit/uifont/textstyle
  public struct TextStyle: RawRepresentable, Hashable, Sendable {
    /// uikit/uifont/textstyle/rawvalue
    public let rawValue: String
    /// uikit/uifont/textstyle/init(rawvalue:)
    public init(rawValue: String) { self.rawValue = rawValue }
    /// uikit/uifont/textstyle/headline
    public static let headline = TextStyle(rawValue: "headline")
    /// uikit/uifont/textstyle/body
    public static let body = TextStyle(rawValue: "body")
    /// uikit/uifont/textstyle/caption1
    public static let caption1 = TextStyle(rawValue: "caption1")
  }
  /// uikit/uifont/monospaceddigitsystemfont(ofsize:weight:)
  public class func monospacedDigitSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
    UIFont()
  }
  /// uikit/uifont/preferredfont(fortextstyle:)
  public class func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont() }
}

/// uikit/uifontmetrics
public final class UIFontMetrics: NSObject {
  /// uikit/uifontmetrics/init(fortextstyle:)
  public init(forTextStyle textStyle: UIFont.TextStyle) {}
  /// uikit/uifontmetrics/scaledfont(for:)
  public func scaledFont(for font: UIFont) -> UIFont { font }
}

/// uikit/nstextalignment
public enum NSTextAlignment: Int, Sendable {
  /// uikit/nstextalignment/left
  case left, center, right, justified, natural
}

/// uikit/uilabel
@MainActor
open class UILabel: UIView {
  /// uikit/uilabel/text
  open var text: String?
  /// uikit/uilabel/textcolor
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var textColor: UIColor!
  /// uikit/uilabel/font
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var font: UIFont!
  /// uikit/uilabel/textalignment
  open var textAlignment = NSTextAlignment.natural
  /// uikit/uilabel/numberoflines
  open var numberOfLines = 1
  /// uikit/uilabel/adjustsfontforcontentsizecategory
  open var adjustsFontForContentSizeCategory = false
}
