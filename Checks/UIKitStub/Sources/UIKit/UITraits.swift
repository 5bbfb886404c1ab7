/// uikit/uitraitenvironment
@MainActor
public protocol UITraitEnvironment: NSObjectProtocol {
  /// uikit/uitraitenvironment/traitcollection
  var traitCollection: UITraitCollection { get }
}
extension UIView: UITraitEnvironment {}

// All else is new in iOS 17.

/// uikit/uitraitdefinition
@available(iOS 17.0, *)
public protocol UITraitDefinition {}
/// uikit/uitrait
@available(iOS 17.0, *)
public typealias UITrait = any UITraitDefinition.Type
/// uikit/uitraituserinterfacestyle
@available(iOS 17.0, *)
public enum UITraitUserInterfaceStyle: UITraitDefinition {}
/// uikit/uitraitaccessibilitycontrast
@available(iOS 17.0, *)
public enum UITraitAccessibilityContrast: UITraitDefinition {}
/// uikit/uitraitdisplayscale
@available(iOS 17.0, *)
public enum UITraitDisplayScale: UITraitDefinition {}
/// uikit/uitraitpreferredcontentsizecategory
@available(iOS 17.0, *)
public enum UITraitPreferredContentSizeCategory: UITraitDefinition {}
/// uikit/uitraitlayoutdirection
@available(iOS 17.0, *)
public enum UITraitLayoutDirection: UITraitDefinition {}

/// uikit/uitraitchangeregistration
@available(iOS 17.0, *)
public protocol UITraitChangeRegistration {}
@available(iOS 17.0, *)
private struct Registration: UITraitChangeRegistration {}

/// uikit/uitraitchangeobservable
@available(iOS 17.0, *)
@MainActor
public protocol UITraitChangeObservable {
  /// uikit/uitraitchangeobservable/traitchangehandler
  typealias TraitChangeHandler<TraitEnvironment: UITraitEnvironment> = (
    TraitEnvironment, UITraitCollection
  ) -> Void
}
@available(iOS 17.0, *)
extension UIView: UITraitChangeObservable {}

@available(iOS 17.0, *)
extension UITraitChangeObservable where Self: UIView {
  /// uikit/uitraitchangeobservable/registerfortraitchanges(_:handler:)
  /// Called for every change of traits.
  @discardableResult
  public func registerForTraitChanges<TraitEnvironment: UITraitEnvironment>(
    _ traits: [UITrait], handler: @escaping Self.TraitChangeHandler<TraitEnvironment>
  ) -> any UITraitChangeRegistration {
    traitHandlers.append { [weak self] previous in
      if let view = self as? TraitEnvironment { handler(view, previous) }
    }
    return Registration()
  }
}
