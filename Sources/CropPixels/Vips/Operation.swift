import CVips

/// A value for a named argument of a libvips operation.
enum Argument {
  /// An integer or the raw value of an enumeration.
  case int(Int)
  case double(Double)
  case flag(Bool)
  case text(String)
  case doubles([Double])
  case ints([Int])
  case picture(Picture)
  case pictures([Picture])
  /// A source, a target or an interpolator.
  case reference(ObjectReference)
}

/// The message of libvips after a failed call.
struct VipsFailure: Error {
  /// The message of libvips, for diagnosis; it may have several lines.
  let words: String
}

/// Runs libvips operations by name, so that libvips never chooses a loader.
enum Operation {
  /// Runs an operation that returns an image.
  static func picture(
    _ name: String, _ arguments: [(String, Argument)]
  ) throws(VipsFailure) -> Picture {
    let operation = try built(name, arguments)
    defer { vips_object_unref_outputs(operation.raw.assumingMemoryBound(to: VipsObject.self)) }
    var value = GValue()
    g_value_init(&value, vips_image_get_type())
    defer { g_value_unset(&value) }
    g_object_get_property(operation.object, "out", &value)
    guard let image = g_value_dup_object(&value) else {
      throw VipsFailure(words: "\(name): no output")
    }
    return Picture(owning: image)
  }

  /// Runs an operation that returns nothing, such as a saver.
  static func run(_ name: String, _ arguments: [(String, Argument)]) throws(VipsFailure) {
    let operation = try built(name, arguments)
    vips_object_unref_outputs(operation.raw.assumingMemoryBound(to: VipsObject.self))
  }

  private static func built(
    _ name: String, _ arguments: [(String, Argument)]
  ) throws(VipsFailure) -> ObjectReference {
    guard let operation = vips_operation_new(name) else { throw Messages.failure(of: name) }
    let reference = ObjectReference(owning: operation)
    for (key, argument) in arguments {
      argument.withValue { value in g_object_set_property(reference.object, key, value) }
    }
    // Bypasses the operation cache: every image is processed once, and nothing may be kept.
    guard vips_object_build(reference.raw.assumingMemoryBound(to: VipsObject.self)) == 0 else {
      vips_object_unref_outputs(reference.raw.assumingMemoryBound(to: VipsObject.self))
      throw Messages.failure(of: name)
    }
    return reference
  }
}

extension Argument {
  /// Calls `body` with the argument as a GLib property value.
  fileprivate func withValue(_ body: (UnsafeMutablePointer<GValue>) -> Void) {
    var value = GValue()
    switch self {
    case .int(let number):
      g_value_init(&value, FundamentalType.int)
      g_value_set_int(&value, Int32(clamping: number))
    case .double(let number):
      g_value_init(&value, FundamentalType.double)
      g_value_set_double(&value, number)
    case .flag(let isOn):
      g_value_init(&value, FundamentalType.boolean)
      g_value_set_boolean(&value, isOn ? 1 : 0)
    case .text(let text):
      g_value_init(&value, FundamentalType.string)
      g_value_set_string(&value, text)
    case .doubles(let numbers):
      g_value_init(&value, vips_array_double_get_type())
      vips_value_set_array_double(&value, numbers, Int32(numbers.count))
    case .ints(let numbers):
      g_value_init(&value, vips_array_int_get_type())
      vips_value_set_array_int(&value, numbers.map { Int32(clamping: $0) }, Int32(numbers.count))
    case .picture(let picture):
      g_value_init(&value, vips_image_get_type())
      g_value_set_object(&value, picture.image)
    case .pictures(let pictures):
      g_value_init(&value, vips_array_image_get_type())
      vips_value_set_array_image(&value, Int32(pictures.count))
      let slots = vips_value_get_array_image(&value, nil)
      for (index, picture) in pictures.enumerated() {
        g_object_ref(picture.image)
        slots?[index] = picture.image
      }
    case .reference(let reference):
      g_value_init(&value, reference.object.pointee.g_type_instance.g_class.pointee.g_type)
      g_value_set_object(&value, reference.raw)
    }
    body(&value)
    g_value_unset(&value)
  }
}

/// A counted reference to a GLib object (an image, a source, a target), released with the last
/// Swift reference.
final class ObjectReference {
  /// The object; valid while this reference exists.
  let raw: UnsafeMutableRawPointer

  /// Takes ownership of one count of the object.
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
