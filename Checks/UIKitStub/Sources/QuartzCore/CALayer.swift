@_exported import CoreGraphics
import Foundation

/// quartzcore/calayercontentsfilter
public struct CALayerContentsFilter: RawRepresentable, Hashable, Sendable {
  /// quartzcore/calayercontentsfilter/rawvalue
  public let rawValue: String
  /// quartzcore/calayercontentsfilter/init(rawvalue:)
  public init(rawValue: String) { self.rawValue = rawValue }
  /// quartzcore/calayercontentsfilter/nearest
  public static let nearest = CALayerContentsFilter(rawValue: "nearest")
  /// quartzcore/calayercontentsfilter/linear
  public static let linear = CALayerContentsFilter(rawValue: "linear")
  /// quartzcore/calayercontentsfilter/trilinear
  public static let trilinear = CALayerContentsFilter(rawValue: "trilinear")
}

/// quartzcore/calayer
open class CALayer: NSObject {
  /// quartzcore/calayer/bounds
  open var bounds = CGRect.zero
  /// quartzcore/calayer/position
  open var position = CGPoint.zero
  /// quartzcore/calayer/anchorpoint
  open var anchorPoint = CGPoint(x: 0.5, y: 0.5)
  /// quartzcore/calayer/contents
  open var contents: Any? { didSet { contentsSet += 1 } }
  /// quartzcore/calayer/ishidden
  open var isHidden = false
  /// quartzcore/calayer/opacity
  open var opacity: Float = 1
  /// quartzcore/calayer/maskstobounds
  open var masksToBounds = false
  /// quartzcore/calayer/mask
  open var mask: CALayer?
  /// quartzcore/calayer/cornerradius
  open var cornerRadius: CGFloat = 0
  /// quartzcore/calayer/borderwidth
  open var borderWidth: CGFloat = 0
  /// quartzcore/calayer/bordercolor
  open var borderColor: CGColor?
  /// quartzcore/calayer/backgroundcolor
  open var backgroundColor: CGColor?
  /// quartzcore/calayer/magnificationfilter
  open var magnificationFilter = CALayerContentsFilter.linear
  /// quartzcore/calayer/minificationfilter
  open var minificationFilter = CALayerContentsFilter.linear
  /// quartzcore/calayer/wantsextendeddynamicrangecontent
  @available(iOS, introduced: 17.0, deprecated: 26.0)
  @available(macCatalyst, introduced: 17.0, deprecated: 26.0)
  @available(visionOS, introduced: 1.0, deprecated: 26.0)
  open var wantsExtendedDynamicRangeContent: Bool {
    get { isExtended }
    set { isExtended = newValue }
  }
  private var isExtended = false
  /// quartzcore/calayer/dynamicrange
  @available(iOS 26.0, visionOS 26.0, *)
  public struct DynamicRange: RawRepresentable, Hashable, Sendable {
    /// quartzcore/calayer/dynamicrange/rawvalue
    public let rawValue: String
    /// quartzcore/calayer/dynamicrange/init(rawvalue:)
    public init(rawValue: String) { self.rawValue = rawValue }
    /// quartzcore/calayer/dynamicrange/automatic
    public static let automatic = DynamicRange(rawValue: "automatic")
    /// quartzcore/calayer/dynamicrange/standard
    public static let standard = DynamicRange(rawValue: "standard")
    /// quartzcore/calayer/dynamicrange/constrainedhigh
    public static let constrainedHigh = DynamicRange(rawValue: "constrainedHigh")
    /// quartzcore/calayer/dynamicrange/high
    public static let high = DynamicRange(rawValue: "high")
  }
  /// quartzcore/calayer/preferreddynamicrange
  @available(iOS 26.0, visionOS 26.0, *)
  open var preferredDynamicRange: DynamicRange {
    get { DynamicRange(rawValue: range) }
    set { range = newValue.rawValue }
  }
  private var range = "automatic"
  /// quartzcore/calayer/sublayers
  open private(set) var sublayers: [CALayer]?
  /// quartzcore/calayer/superlayer
  open private(set) weak var superlayer: CALayer?
  private var transform = CGAffineTransform.identity
  /// Not Apple's: how often the contents were set, each of which sends an image to the screen.
  public private(set) var contentsSet = 0

  /// quartzcore/calayer/init()
  public required override init() { super.init() }

  /// quartzcore/calayer/addsublayer(_:)
  open func addSublayer(_ layer: CALayer) {
    layer.removeFromSuperlayer()
    layer.superlayer = self
    sublayers = (sublayers ?? []) + [layer]
  }

  /// quartzcore/calayer/removefromsuperlayer()
  open func removeFromSuperlayer() {
    superlayer?.sublayers?.removeAll { $0 === self }
    superlayer = nil
  }

  /// quartzcore/calayer/setaffinetransform(_:)
  open func setAffineTransform(_ m: CGAffineTransform) { transform = m }
  /// quartzcore/calayer/affinetransform()
  open func affineTransform() -> CGAffineTransform { transform }
}

/// quartzcore/cashapelayerfillrule
public struct CAShapeLayerFillRule: RawRepresentable, Hashable, Sendable {
  /// quartzcore/cashapelayerfillrule/rawvalue
  public let rawValue: String
  /// quartzcore/cashapelayerfillrule/init(rawvalue:)
  public init(rawValue: String) { self.rawValue = rawValue }
  /// quartzcore/cashapelayerfillrule/nonzero
  public static let nonZero = CAShapeLayerFillRule(rawValue: "non-zero")
  /// quartzcore/cashapelayerfillrule/evenodd
  public static let evenOdd = CAShapeLayerFillRule(rawValue: "even-odd")
}

/// quartzcore/cashapelayer
open class CAShapeLayer: CALayer {
  /// quartzcore/cashapelayer/path
  open var path: CGPath?
  /// quartzcore/cashapelayer/fillcolor
  open var fillColor: CGColor? = CGColor(red: 0, green: 0, blue: 0, alpha: 1)
  /// quartzcore/cashapelayer/fillrule
  open var fillRule = CAShapeLayerFillRule.nonZero
  /// quartzcore/cashapelayer/strokecolor
  open var strokeColor: CGColor?
  /// quartzcore/cashapelayer/linewidth
  open var lineWidth: CGFloat = 1
}

/// quartzcore/catransaction
open class CATransaction: NSObject {
  /// quartzcore/catransaction/begin()
  open class func begin() {}
  /// quartzcore/catransaction/commit()
  open class func commit() {}
  /// quartzcore/catransaction/setdisableactions(_:)
  open class func setDisableActions(_ flag: Bool) {}
}

/// quartzcore/cftimeinterval
public typealias CFTimeInterval = Double

/// quartzcore/cacurrentmediatime()
/// Returns what a test set.
public func CACurrentMediaTime() -> CFTimeInterval { MediaTime.now }

/// Not Apple's: the time that ``CACurrentMediaTime()`` returns. Only set on the main thread.
public enum MediaTime {
  /// Seconds.
  nonisolated(unsafe) public static var now: CFTimeInterval = 0
}
