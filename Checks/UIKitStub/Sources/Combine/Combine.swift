import Foundation

/// combine/observableobjectpublisher
/// Not `Sendable`, as in the SDK.
public final class ObservableObjectPublisher {
  /// combine/observableobjectpublisher/init()
  public init() {}
  /// combine/observableobjectpublisher/send()
  public func send() { count += 1 }
  /// Not Apple's: how often a change was announced.
  public private(set) var count = 0
}

/// combine/observableobject
public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangePublisher = ObservableObjectPublisher
  /// combine/observableobject/objectwillchange
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// combine/observableobject/objectwillchange
  /// The one of the first published property.
  public var objectWillChange: ObservableObjectPublisher {
    let published = Mirror(reflecting: self).children.lazy.compactMap {
      $0.value as? any Publishing
    }
    return published.first?.publisher ?? ObservableObjectPublisher()
  }
}

/// Not Apple's: a property that announces its changes.
private protocol Publishing {
  var publisher: ObservableObjectPublisher { get }
}

/// combine/published
@propertyWrapper
public struct Published<Value>: Publishing {
  private var value: Value
  let publisher = ObservableObjectPublisher()

  /// combine/published/init(wrappedvalue:)
  public init(wrappedValue: Value) { value = wrappedValue }

  /// combine/published/wrappedvalue
  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { fatalError("a property of a class") }
    set { fatalError("a property of a class") }
  }

  /// combine/published/subscript(_enclosinginstance:wrapped:storage:)
  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].value }
    set {
      object[keyPath: storageKeyPath].publisher.send()
      object[keyPath: storageKeyPath].value = newValue
    }
  }
}
