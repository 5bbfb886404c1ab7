import CVips

/// A counted reference to a GLib object (an image, a source, a target), given back when the last
/// Swift reference goes.
final class ObjectReference {
  /// The object; valid while this reference lives.
  let raw: UnsafeMutableRawPointer

  /// Takes over one count of the object.
  init(owning raw: UnsafeMutableRawPointer) { self.raw = raw }

  deinit { g_object_unref(raw) }

  /// The object as its base class.
  var object: UnsafeMutablePointer<GObject> { raw.assumingMemoryBound(to: GObject.self) }
}

/// The types of GLib's own values: `G_TYPE_MAKE_FUNDAMENTAL`, which Swift can't see as a macro.
enum FundamentalType {
  static let boolean = GType(5 << 2)
  static let int = GType(6 << 2)
  static let double = GType(15 << 2)
  static let string = GType(16 << 2)
}
