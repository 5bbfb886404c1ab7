import CropImaging

/// The name of a file that is saved: numbered where it is taken.
struct CropName {
  private let stem: [UInt8]
  private let ending: [UInt8]

  /// `name-cropped.jpg` for the crop of `name.heic` that became a JPEG.
  init(croppedFrom source: PathBytes, format: PictureFormat) {
    var stem = source.bytes
    if let dot = stem.lastIndex(of: UInt8(ascii: ".")), dot > 0 { stem.removeSubrange(dot...) }
    self.init(stem: stem + Array("-cropped".utf8), suffix: 8, format: format)
  }

  /// A file called `stem`, without a slash, not hidden, and with nothing in it that can't be seen.
  init(stem: String, format: PictureFormat) {
    let plain = String(
      String.UnicodeScalarView(stem.unicodeScalars.map { Self.isPlain($0) ? $0 : "_" }))
    let visible = Array(plain.utf8.drop { $0 == UInt8(ascii: ".") })
    self.init(stem: visible.isEmpty ? Array("photo".utf8) : visible, suffix: 0, format: format)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    // Joiners are part of emoji and scripts.
    case .format: scalar.value == 0x200C || scalar.value == 0x200D
    case .control, .lineSeparator, .paragraphSeparator: false
    default: scalar != "/"
    }
  }

  private init(stem: [UInt8], suffix: Int, format: PictureFormat) {
    ending = Array(".\(format.fileExtension)".utf8)
    // 255 bytes is the most of a name; a number needs room too.
    var kept = Array(stem.dropLast(suffix))
    let room = 255 - ending.count - suffix - 8
    if kept.count > room {
      // Not in the middle of a character of UTF-8.
      var end = room
      while end > 0, kept[end] & 0xC0 == 0x80 { end -= 1 }
      kept.removeSubrange(end...)
    }
    self.stem = kept + stem.suffix(suffix)
  }

  /// The name, the second one with `-2`, and so on; `number` counts from 1.
  subscript(number: Int) -> PathBytes {
    PathBytes(stem + (number == 1 ? [] : Array("-\(number)".utf8)) + ending)
  }
}
