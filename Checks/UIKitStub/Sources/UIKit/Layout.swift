/// uikit/uilayoutguide
@MainActor
open class UILayoutGuide {
  /// uikit/uilayoutguide/init()
  public init() {}
  /// uikit/uilayoutguide/layoutframe
  open internal(set) var layoutFrame = CGRect.zero
  /// uikit/uilayoutguide/owningview
  open weak var owningView: UIView?
}

/// uikit/nslayoutanchor
@MainActor
public class NSLayoutAnchor<AnchorType: AnyObject> {
  let place: LayoutPlace

  init(_ place: LayoutPlace) { self.place = place }

  /// uikit/nslayoutanchor/constraint(equalto:)
  public func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint {
    constraint(equalTo: anchor, constant: 0)
  }
  /// uikit/nslayoutanchor/constraint(equalto:constant:)
  public func constraint(
    equalTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat
  ) -> NSLayoutConstraint {
    NSLayoutConstraint(place, .equal, anchor.place, constant: c)
  }
  /// uikit/nslayoutanchor/constraint(lessthanorequalto:)
  public func constraint(
    lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>
  ) -> NSLayoutConstraint {
    NSLayoutConstraint(place, .lessThanOrEqual, anchor.place, constant: 0)
  }
}

/// uikit/nslayoutxaxisanchor
public final class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}
/// uikit/nslayoutyaxisanchor
public final class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}

/// uikit/nslayoutdimension
public final class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
  /// uikit/nslayoutdimension/constraint(equaltoconstant:)
  public func constraint(equalToConstant c: CGFloat) -> NSLayoutConstraint {
    NSLayoutConstraint(place, .equal, nil, constant: c)
  }
  /// uikit/nslayoutdimension/constraint(greaterthanorequaltoconstant:)
  public func constraint(greaterThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint {
    NSLayoutConstraint(place, .greaterThanOrEqual, nil, constant: c)
  }
}

/// uikit/uilayoutpriority
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
  /// uikit/uilayoutpriority/rawvalue
  public var rawValue: Float
  /// uikit/uilayoutpriority/init(rawvalue:)
  public init(rawValue: Float) { self.rawValue = rawValue }
  /// uikit/uilayoutpriority/required
  public static let required = UILayoutPriority(rawValue: 1000)
  /// uikit/uilayoutpriority/defaulthigh
  public static let defaultHigh = UILayoutPriority(rawValue: 750)
  /// uikit/uilayoutpriority/defaultlow
  public static let defaultLow = UILayoutPriority(rawValue: 250)
}

/// uikit/nslayoutconstraint
@MainActor
open class NSLayoutConstraint {
  /// uikit/nslayoutconstraint/relation-swift.enum
  public enum Relation: Int, Sendable {
    /// uikit/nslayoutconstraint/relation-swift.enum/lessthanorequal
    case lessThanOrEqual = -1
    /// uikit/nslayoutconstraint/relation-swift.enum/equal
    case equal, greaterThanOrEqual
  }

  /// uikit/nslayoutconstraint/priority
  open var priority = UILayoutPriority.required
  /// uikit/nslayoutconstraint/constant
  open var constant: CGFloat
  /// uikit/nslayoutconstraint/isactive
  open var isActive = false {
    didSet { if isActive != oldValue { isActive ? install() : uninstall() } }
  }
  let first: LayoutPlace
  let relation: Relation
  let second: LayoutPlace?

  init(
    _ first: LayoutPlace, _ relation: Relation, _ second: LayoutPlace?, constant: CGFloat
  ) {
    (self.first, self.relation, self.second) = (first, relation, second)
    self.constant = constant
  }

  /// uikit/nslayoutconstraint/activate(_:)
  open class func activate(_ constraints: [NSLayoutConstraint]) {
    for constraint in constraints { constraint.isActive = true }
  }

  /// uikit/nslayoutconstraint/deactivate(_:)
  open class func deactivate(_ constraints: [NSLayoutConstraint]) {
    for constraint in constraints { constraint.isActive = false }
  }

  /// A constraint is solved by the view that contains all of its items.
  private var holder: UIView? {
    guard let own = first.view else { return nil }
    guard let other = second?.view, other !== own else {
      return first.guide == nil && second == nil ? own.superview ?? own : own
    }
    if other === own.superview { return other }
    return own === other.superview ? own : own.superview
  }

  private func install() {
    holder?.activeConstraints.append(self)
    holder?.setNeedsLayout()
  }

  private func uninstall() {
    holder?.activeConstraints.removeAll { $0 === self }
    holder?.setNeedsLayout()
  }
}

/// A number of a view or guide: the left or top edge, a length, or a sum of them.
@MainActor
struct LayoutPlace {
  enum Attribute { case left, right, centerX, top, bottom, centerY, width, height }
  weak var view: UIView?
  weak var guide: UILayoutGuide?
  var attribute: Attribute
}

extension UIView {
  /// uikit/uiview/layoutregion
  @available(iOS 26.0, visionOS 26.0, *)
  public struct LayoutRegion: Hashable {
    /// uikit/uiview/layoutregion/adaptivityaxis
    public enum AdaptivityAxis { case horizontal, vertical }
    /// uikit/uiview/layoutregion/safearea(corneradaptation:)
    public static func safeArea(cornerAdaptation: AdaptivityAxis? = nil) -> LayoutRegion {
      LayoutRegion()
    }
  }

  /// uikit/uiview/layoutguide(for:)
  @available(iOS 26.0, visionOS 26.0, *)
  public func layoutGuide(for region: LayoutRegion) -> UILayoutGuide { safeAreaLayoutGuide }

  private func place(_ attribute: LayoutPlace.Attribute) -> LayoutPlace {
    LayoutPlace(view: self, guide: nil, attribute: attribute)
  }
  /// uikit/uiview/leadinganchor
  public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(place(.left)) }
  /// uikit/uiview/trailinganchor
  public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(place(.right)) }
  /// uikit/uiview/leftanchor
  public var leftAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(place(.left)) }
  /// uikit/uiview/rightanchor
  public var rightAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(place(.right)) }
  /// uikit/uiview/centerxanchor
  public var centerXAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(place(.centerX)) }
  /// uikit/uiview/topanchor
  public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(place(.top)) }
  /// uikit/uiview/bottomanchor
  public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(place(.bottom)) }
  /// uikit/uiview/centeryanchor
  public var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(place(.centerY)) }
  /// uikit/uiview/widthanchor
  public var widthAnchor: NSLayoutDimension { NSLayoutDimension(place(.width)) }
  /// uikit/uiview/heightanchor
  public var heightAnchor: NSLayoutDimension { NSLayoutDimension(place(.height)) }
}

extension UILayoutGuide {
  private func place(_ attribute: LayoutPlace.Attribute) -> LayoutPlace {
    LayoutPlace(view: owningView, guide: self, attribute: attribute)
  }
  /// uikit/uilayoutguide/leadinganchor
  public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(place(.left)) }
  /// uikit/uilayoutguide/trailinganchor
  public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(place(.right)) }
  /// uikit/uilayoutguide/leftanchor
  public var leftAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(place(.left)) }
  /// uikit/uilayoutguide/rightanchor
  public var rightAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(place(.right)) }
  /// uikit/uilayoutguide/centerxanchor
  public var centerXAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(place(.centerX)) }
  /// uikit/uilayoutguide/topanchor
  public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(place(.top)) }
  /// uikit/uilayoutguide/bottomanchor
  public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(place(.bottom)) }
  /// uikit/uilayoutguide/centeryanchor
  public var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(place(.centerY)) }
  /// uikit/uilayoutguide/widthanchor
  public var widthAnchor: NSLayoutDimension { NSLayoutDimension(place(.width)) }
  /// uikit/uilayoutguide/heightanchor
  public var heightAnchor: NSLayoutDimension { NSLayoutDimension(place(.height)) }
}
