import CropImaging

/// The name under which a result is downloaded.
struct ResultName {
  /// A file name without folders, control characters or a leading dot, at most 200 bytes.
  let text: String

  /// `photo-cropped.jpg` for `photo.heic` that became a JPEG; a missing or odd name is `picture`.
  init(source: String?, format: ImageFormat) {
    text = "\(Self.stem(of: source))-cropped.\(format.fileExtension)"
  }

  /// `photo-targets.zip`, by the same rules.
  init(archiveOf source: String?) {
    text = "\(Self.stem(of: source))-targets.zip"
  }

  /// The name without its extension and invalid characters; `picture` if it is missing or unusable.
  static func stem(of source: String?) -> String {
    let last = source?.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    let scalars = last.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
        .unassigned:
        false
      default: !"\"<>|:*?%".unicodeScalars.contains(scalar)
      }
    }
    var stem = String(String.UnicodeScalarView(scalars))
    if let dot = stem.lastIndex(of: "."), dot != stem.startIndex { stem = String(stem[..<dot]) }
    stem = String(stem.drop { $0 == "." || $0 == " " })
    while stem.utf8.count > 180 || stem.last == " " || stem.last == "." { stem.removeLast() }
    return stem.isEmpty ? "picture" : stem
  }

  /// The `Content-Disposition` field of a download.
  var disposition: String { Self.disposition(of: text) }

  /// The `Content-Disposition` field (RFC 6266): plain ASCII for old clients, UTF-8 for the rest.
  static func disposition(of name: String) -> String {
    let text = name.withoutDirectionControls
    let ascii = String(
      text.unicodeScalars.map { scalar in
        let isPlain = (0x20..<0x7F).contains(scalar.value) && scalar != "\"" && scalar != "\\"
        return isPlain ? Character(scalar) : "_"
      })
    let encoded = text.utf8.map { byte in
      let isPlain =
        (byte < 0x80 && Character(Unicode.Scalar(byte)).isLetter)
        || (0x30...0x39).contains(byte) || [0x2d, 0x2e, 0x5f].contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain
        ? String(Unicode.Scalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
    }
    return "attachment; filename=\"\(ascii)\"; filename*=UTF-8''\(encoded.joined())"
  }
}
