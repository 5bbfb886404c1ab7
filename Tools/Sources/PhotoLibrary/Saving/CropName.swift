import CropImaging

/// The name of a file to be saved: numbered if it is already used.
public struct CropName: Sendable {
  private let stem: [UInt8]
  private let ending: [UInt8]

  /// `name-cropped.jpg` for a crop of `name.heic` that is saved as JPEG.
  init(croppedFrom source: PathBytes, format: ImageFormat) {
    self.init(
      stem: source.withoutEnding.bytes + Array("-cropped".utf8), suffix: 8, format: format)
  }

  /// The name `stem` without slashes and invisible characters, and not hidden.
  init(stem: String, format: ImageFormat) {
    let plain = String(
      String.UnicodeScalarView(stem.unicodeScalars.map { Self.isPlain($0) ? $0 : "_" }))
    self.init(bytes: Array(plain.utf8), format: format)
  }

  /// A name of bytes without a slash, and not hidden.
  init(bytes: [UInt8], format: ImageFormat) {
    let visible = Array(bytes.drop { $0 == UInt8(ascii: ".") })
    self.init(stem: visible.isEmpty ? Array("photo".utf8) : visible, suffix: 0, format: format)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    // Joiners are part of emoji and of some scripts.
    case .format: scalar.value == 0x200C || scalar.value == 0x200D
    case .control, .lineSeparator, .paragraphSeparator: false
    default: scalar != "/"
    }
  }

  /// The text with `_` instead of invisible characters and of characters that some systems do not
  /// allow in names.
  static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          isPlain(scalar) && !"\\:*?\"<>|".unicodeScalars.contains(scalar) ? scalar : "_"
        }))
  }

  private init(stem: [UInt8], suffix: Int, format: ImageFormat) {
    ending = Array(".\(format.fileExtension)".utf8)
    let room = Self.room(for: format) - suffix
    self.stem = Self.shortened(Array(stem.dropLast(suffix)), to: room) + stem.suffix(suffix)
  }

  /// The maximum length before the extension: a name has at most 255 bytes, and the number needs
  /// space too.
  static func room(for format: ImageFormat) -> Int { 255 - format.fileExtension.utf8.count - 9 }

  /// At most the first `room` bytes, without cutting a UTF-8 character.
  static func shortened(_ bytes: [UInt8], to room: Int) -> [UInt8] {
    guard bytes.count > room else { return bytes }
    var end = room
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(bytes[..<end])
  }

  /// The name for 1, with `-2` for 2, and so on.
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
  /// A file's name without its extension.
  public var withoutEnding: PathBytes {
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return self }
    return PathBytes(Array(bytes[..<dot]))
  }
}
