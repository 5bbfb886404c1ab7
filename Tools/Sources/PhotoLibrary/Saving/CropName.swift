import CropImaging

/// The name of a file that is saved: numbered where it is taken.
public struct CropName: Sendable {
  private let stem: [UInt8]
  private let ending: [UInt8]

  /// `name-cropped.jpg` for the crop of `name.heic` that became a JPEG.
  init(croppedFrom source: PathBytes, format: PictureFormat) {
    self.init(
      stem: source.withoutEnding.bytes + Array("-cropped".utf8), suffix: 8, format: format)
  }

  /// A file called `stem`, without a slash, not hidden, and with nothing in it that can't be seen.
  init(stem: String, format: PictureFormat) {
    let plain = String(
      String.UnicodeScalarView(stem.unicodeScalars.map { Self.isPlain($0) ? $0 : "_" }))
    self.init(bytes: Array(plain.utf8), format: format)
  }

  /// A file called by bytes that have no slash, not hidden.
  init(bytes: [UInt8], format: PictureFormat) {
    let visible = Array(bytes.drop { $0 == UInt8(ascii: ".") })
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

  /// The text with `_` in place of what can't be seen or some system takes for no part of a name.
  static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          isPlain(scalar) && !"\\:*?\"<>|".unicodeScalars.contains(scalar) ? scalar : "_"
        }))
  }

  private init(stem: [UInt8], suffix: Int, format: PictureFormat) {
    ending = Array(".\(format.fileExtension)".utf8)
    let room = Self.room(for: format) - suffix
    self.stem = Self.shortened(Array(stem.dropLast(suffix)), to: room) + stem.suffix(suffix)
  }

  /// The most bytes before the ending: 255 bytes is the most of a name; a number needs room too.
  static func room(for format: PictureFormat) -> Int { 255 - format.fileExtension.utf8.count - 9 }

  /// At most the first `room` bytes, not up to the middle of a character of UTF-8.
  static func shortened(_ bytes: [UInt8], to room: Int) -> [UInt8] {
    guard bytes.count > room else { return bytes }
    var end = room
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(bytes[..<end])
  }

  /// The name, the second one with `-2`, and so on; `number` counts from 1.
  public subscript(number: Int) -> PathBytes {
    PathBytes(stem + (number == 1 ? [] : Array("-\(number)".utf8)) + ending)
  }

  /// Whether a file has this name, with any number.
  func isName(_ name: PathBytes) -> Bool {
    let bytes = name.bytes
    guard bytes.count >= stem.count + ending.count, bytes.starts(with: stem),
      bytes.suffix(ending.count) == ending[...]
    else { return false }
    let middle = bytes[stem.count..<(bytes.count - ending.count)]
    if middle.isEmpty { return true }
    let number = Int(String(decoding: middle.dropFirst(), as: UTF8.self)) ?? 0
    return number > 1 && self[number] == name
  }
}

extension PathBytes {
  /// A file's name without its ending.
  public var withoutEnding: PathBytes {
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return self }
    return PathBytes(Array(bytes[..<dot]))
  }
}
