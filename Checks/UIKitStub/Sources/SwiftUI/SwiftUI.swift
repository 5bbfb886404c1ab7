import Combine
@_exported import UIKit

/// swiftui/view
@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  /// swiftui/view/body
  @ViewBuilder var body: Self.Body { get }
}

extension Never: View {
  /// swiftui/never/body
  public var body: Never { fatalError("nothing to show") }
}

/// swiftui/viewbuilder
@MainActor @preconcurrency
@resultBuilder
public struct ViewBuilder {
  /// swiftui/viewbuilder/buildblock()
  public static func buildBlock() -> EmptyView { EmptyView() }
  /// swiftui/viewbuilder/buildblock(_:)
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  /// swiftui/viewbuilder/buildblock(_:)
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> { TupleView((repeat each content)) }
  /// swiftui/viewbuilder/buildif(_:)
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

/// swiftui/emptyview
public struct EmptyView: View {
  /// swiftui/emptyview/init()
  public init() {}
  /// swiftui/emptyview/body
  public var body: Never { fatalError("not drawn here") }
}

/// swiftui/tupleview
public struct TupleView<T>: View {
  /// swiftui/tupleview/init(_:)
  public init(_ value: T) {}
  /// swiftui/tupleview/body
  public var body: Never { fatalError("not drawn here") }
}

extension Optional: View where Wrapped: View {
  /// swiftui/optional/body
  public var body: Never { fatalError("not drawn here") }
}

/// swiftui/binding
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
  private let read: () -> Value
  private let write: (Value) -> Void

  /// swiftui/binding/init(get:set:)
  @preconcurrency
  public init(
    @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
    @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    // Everything here runs on the main actor.
    read = unsafeBitCast(get, to: (() -> Value).self)
    write = unsafeBitCast(set, to: ((Value) -> Void).self)
  }
  private init(read: @escaping () -> Value, write: @escaping (Value) -> Void) {
    (self.read, self.write) = (read, write)
  }
  /// Not Apple's: the binding of a value that a stand-in stores.
  static func stored(_ read: @escaping () -> Value, _ write: @escaping (Value) -> Void) -> Self {
    Binding(read: read, write: write)
  }
  /// swiftui/binding/wrappedvalue
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }
  /// swiftui/binding/projectedvalue
  public var projectedValue: Binding<Value> { self }
  /// swiftui/binding/subscript(dynamicmember:)
  public subscript<Subject>(
    dynamicMember keyPath: WritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    .stored(
      { read()[keyPath: keyPath] },
      {
        var value = read()
        value[keyPath: keyPath] = $0
        write(value)
      })
  }
}

extension Binding: @unchecked Sendable where Value: Sendable {}

/// swiftui/state
@propertyWrapper
public struct State<Value> {
  private final class Box {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
  private let box: Box

  /// swiftui/state/init(wrappedvalue:)
  public init(wrappedValue value: Value) { box = Box(value) }
  /// swiftui/state/init(initialvalue:)
  public init(initialValue value: Value) { box = Box(value) }
  /// swiftui/state/wrappedvalue
  public var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
  /// swiftui/state/projectedvalue
  public var projectedValue: Binding<Value> {
    .stored({ box.value }, { box.value = $0 })
  }
}

/// swiftui/stateobject
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject> {
  /// swiftui/stateobject/wrappedvalue
  public let wrappedValue: ObjectType
  /// swiftui/stateobject/init(wrappedvalue:)
  public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {
    wrappedValue = thunk()
  }
}

/// swiftui/uiviewrepresentablecontext
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
  /// swiftui/uiviewrepresentablecontext/coordinator
  public let coordinator: Representable.Coordinator
}

/// swiftui/uiviewrepresentable
@MainActor @preconcurrency
public protocol UIViewRepresentable: View where Body == Never {
  associatedtype UIViewType: UIView
  associatedtype Coordinator = Void
  /// swiftui/uiviewrepresentable/context
  typealias Context = UIViewRepresentableContext<Self>
  /// swiftui/uiviewrepresentable/makeuiview(context:)
  func makeUIView(context: Context) -> UIViewType
  /// swiftui/uiviewrepresentable/updateuiview(_:context:)
  func updateUIView(_ uiView: UIViewType, context: Context)
  /// swiftui/uiviewrepresentable/makecoordinator()
  func makeCoordinator() -> Coordinator
}

extension UIViewRepresentable {
  /// swiftui/uiviewrepresentable/body
  public var body: Never { fatalError("not drawn here") }
}

extension UIViewRepresentable where Coordinator == Void {
  /// swiftui/uiviewrepresentable/makecoordinator()
  public func makeCoordinator() {}
}

/// swiftui/uiviewcontrollerrepresentablecontext
public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {
  /// swiftui/uiviewcontrollerrepresentablecontext/coordinator
  public let coordinator: Representable.Coordinator
}

/// swiftui/uiviewcontrollerrepresentable
@MainActor @preconcurrency
public protocol UIViewControllerRepresentable: View where Body == Never {
  associatedtype UIViewControllerType: UIViewController
  associatedtype Coordinator = Void
  /// swiftui/uiviewcontrollerrepresentable/context
  typealias Context = UIViewControllerRepresentableContext<Self>
  /// swiftui/uiviewcontrollerrepresentable/makeuiviewcontroller(context:)
  func makeUIViewController(context: Context) -> UIViewControllerType
  /// swiftui/uiviewcontrollerrepresentable/updateuiviewcontroller(_:context:)
  func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
  /// swiftui/uiviewcontrollerrepresentable/makecoordinator()
  func makeCoordinator() -> Coordinator
}

extension UIViewControllerRepresentable {
  /// swiftui/uiviewcontrollerrepresentable/body
  public var body: Never { fatalError("not drawn here") }
}

extension UIViewControllerRepresentable where Coordinator == Void {
  /// swiftui/uiviewcontrollerrepresentable/makecoordinator()
  public func makeCoordinator() {}
}

/// swiftui/scene
@MainActor @preconcurrency
public protocol Scene {
  associatedtype Body: Scene
  /// swiftui/scene/body
  var body: Self.Body { get }
}

extension Never: Scene {}

/// swiftui/windowgroup
public struct WindowGroup<Content: View>: Scene {
  /// swiftui/windowgroup/init(content:)
  public init(@ViewBuilder content: () -> Content) {}
  /// swiftui/windowgroup/body
  public var body: Never { fatalError("not drawn here") }
}

/// swiftui/app
@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene
  /// swiftui/app/body
  var body: Self.Body { get }
  /// swiftui/app/init()
  init()
}

extension App {
  /// swiftui/app/main()
  public static func main() {}
}

/// swiftui/modifiedcontent
public struct ModifiedContent<Content: View>: View {
  /// swiftui/modifiedcontent/body
  public var body: Never { fatalError("not drawn here") }
}

extension View {
  /// swiftui/view/ignoressafearea()
  public func ignoresSafeArea() -> some View { ModifiedContent<Self>() }
  /// swiftui/view/tabitem(_:)
  public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View {
    ModifiedContent<Self>()
  }
  /// swiftui/view/fullscreencover(ispresented:ondismiss:content:)
  /// Builds the content immediately, and passes it to the stage.
  public func fullScreenCover<Content: View>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping () -> Content
  ) -> some View {
    SwiftUIStage.covers.append((isPresented, content()))
    return ModifiedContent<Self>()
  }
  /// swiftui/view/padding()
  public func padding() -> some View { ModifiedContent<Self>() }
  /// swiftui/view/disabled(_:)
  public func disabled(_ disabled: Bool) -> some View { ModifiedContent<Self>() }
}

/// swiftui/tabview
public struct TabView<Content: View>: View {
  /// swiftui/tabview/init(content:)
  public init(@ViewBuilder content: () -> Content) {}
  /// swiftui/tabview/body
  public var body: Never { fatalError("not drawn here") }
}

/// swiftui/vstack
public struct VStack<Content: View>: View {
  /// swiftui/vstack/init(spacing:content:)
  public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
  /// swiftui/vstack/body
  public var body: Never { fatalError("not drawn here") }
}

/// swiftui/text
public struct Text: View {
  /// swiftui/text/init(_:)
  public init(_ content: some StringProtocol) {}
  /// swiftui/text/body
  public var body: Never { fatalError("not drawn here") }
}

/// swiftui/button
public struct Button<Label: View>: View {
  /// swiftui/button/init(_:action:)
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void)
  where Label == Text {}
  /// swiftui/button/body
  public var body: Never { fatalError("not drawn here") }
}

/// swiftui/image
public struct Image: View {
  /// swiftui/image/init(systemname:)
  public init(systemName: String) {}
  /// swiftui/image/init(uiimage:)
  public init(uiImage: UIImage) {}
  /// swiftui/image/resizable()
  public func resizable() -> Image { self }
  /// swiftui/image/scaledtofit()
  public func scaledToFit() -> some View { ModifiedContent<Image>() }
  /// swiftui/image/body
  public var body: Never { fatalError("not drawn here") }
}

/// swiftui/label
public struct Label: View {
  /// swiftui/label/init(_:systemimage:)
  public init(_ title: some StringProtocol, systemImage name: String) {}
  /// swiftui/label/body
  public var body: Never { fatalError("not drawn here") }
}

/// Not Apple's: the requested covers.
@MainActor
public enum SwiftUIStage {
  /// Whether each is presented, and its content.
  public static var covers: [(isPresented: Binding<Bool>, content: Any)] = []
}
