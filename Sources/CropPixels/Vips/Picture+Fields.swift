import CVips
import CropImaging

/// The names of libvips' metadata fields.
enum Field {
  static let profile = "icc-profile-data"
  static let heifDepth = "heif-bitdepth"
  static let pageHeight = "page-height"
}

extension Picture {
  /// The number in a field; nil if there is none.
  func number(_ field: String) -> Int? {
    var value: Int32 = 0
    guard vips_image_get_typeof(image, field) != 0, vips_image_get_int(image, field, &value) == 0
    else {
      Messages.clear()
      return nil
    }
    return Int(value)
  }

  /// The bytes in a field; nil if there are none.
  func bytes(_ field: String) -> [UInt8]? {
    var data: UnsafeRawPointer?
    var count = 0
    guard vips_image_get_typeof(image, field) != 0,
      vips_image_get_blob(image, field, &data, &count) == 0, let data
    else {
      Messages.clear()
      return nil
    }
    return [UInt8](UnsafeRawBufferPointer(start: data, count: count))
  }

  var fields: [String] {
    guard let names = vips_image_get_fields(image) else { return [] }
    defer { g_strfreev(names) }
    var all: [String] = []
    var index = 0
    while let name = names[index] {
      all.append(String(cString: name))
      index += 1
    }
    return all
  }

  /// Removes every field that libvips would write to a file.
  ///
  /// Only call it for an image without other references: a new one from ``relabeled(as:)``.
  func removeMetadata() {
    for field in fields { vips_image_remove(image, field) }
  }

  /// Sets a field of bytes; the same caution as for ``removeMetadata()``.
  func set(_ field: String, to bytes: [UInt8]) {
    bytes.withUnsafeBytes { vips_image_set_blob_copy(image, field, $0.baseAddress, $0.count) }
  }
}
