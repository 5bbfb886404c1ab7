import CVips

/// A value for a named argument of a libvips operation.
enum Argument {
  /// A whole number or the raw value of an enumeration.
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

/// What libvips said when a call failed.
struct VipsFailure: Error {
  /// libvips' own words, for a person who looks closer; may have several lines.
  let words: String
}

/// Runs libvips operations by name, which is also how it guarantees that no loader is ever chosen by
/// libvips itself.
enum Operation {
  /// Runs an operation that gives a picture.
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

  /// Runs an operation for its effect: a saver.
  static func run(_ name: String, _ arguments: [(String, Argument)]) throws(VipsFailure) {
    let operation = try built(name, arguments)
    vips_object_unref_outputs(operation.raw.assumingMemoryBound(to: VipsObject.self))
  }

  /// Whether libvips has an operation of this name.
  static func exists(_ name: String) -> Bool { vips_type_find("VipsOperation", name) != 0 }

  private static func built(
    _ name: String, _ arguments: [(String, Argument)]
  ) throws(VipsFailure) -> ObjectReference {
    guard let operation = vips_operation_new(name) else { throw Messages.failure(of: name) }
    let reference = ObjectReference(owning: operation)
    for (key, argument) in arguments {
      argument.withValue { value in g_object_set_property(reference.object, key, value) }
    }
    // Not through the operation cache: every picture is worked on once, and nothing may be kept.
    guard vips_object_build(reference.raw.assumingMemoryBound(to: VipsObject.self)) == 0 else {
      vips_object_unref_outputs(reference.raw.assumingMemoryBound(to: VipsObject.self))
      throw Messages.failure(of: name)
    }
    return reference
  }
}

extension Argument {
  /// Calls `body` with the argument as GLib's property system wants it.
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
