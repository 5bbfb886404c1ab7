/// uikit/uitraitdefinition
public protocol UITraitDefinition {}
/// uikit/uitrait
public typealias UITrait = any UITraitDefinition.Type
/// uikit/uitraituserinterfacestyle
public enum UITraitUserInterfaceStyle: UITraitDefinition {}
/// uikit/uitraitaccessibilitycontrast
public enum UITraitAccessibilityContrast: UITraitDefinition {}
/// uikit/uitraitdisplayscale
public enum UITraitDisplayScale: UITraitDefinition {}
/// uikit/uitraitpreferredcontentsizecategory
public enum UITraitPreferredContentSizeCategory: UITraitDefinition {}
/// uikit/uitraitlayoutdirection
public enum UITraitLayoutDirection: UITraitDefinition {}

/// uikit/uitraitchangeregistration
public protocol UITraitChangeRegistration {}
private struct Registration: UITraitChangeRegistration {}

/// uikit/uitraitchangeobservable
@MainActor
public protocol UITraitChangeObservable: AnyObject {}
extension UIView: UITraitChangeObservable {}

extension UITraitChangeObservable where Self: UIView {
  /// uikit/uitraitchangeobservable/registerfortraitchanges(_:handler:)
  /// Called for every change of traits.
  @discardableResult
  public func registerForTraitChanges(
    _ traits: [UITrait], handler: @escaping (Self, UITraitCollection) -> Void
  ) -> any UITraitChangeRegistration {
    traitHandlers.append { [weak self] previous in
      if let self { handler(self, previous) }
    }
    return Registration()
  }
}
