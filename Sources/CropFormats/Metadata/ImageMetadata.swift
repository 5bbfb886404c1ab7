import CropJPEG

/// The metadata in an image file, found by the header readers.
package struct ImageMetadata: Sendable {
  /// EXIF, XMP and IPTC; if there are several of a kind, the first one.
  package var blocks = MetadataBlocks()
  /// The last of several XMP packets, which only a GIF has.
  private(set) var laterXMP: [UInt8]?
  /// Texts of a PNG, comments of a JPEG or GIF.
  package var texts: [TextNote] = []

  /// Whether a text field contains bytes that are not text.
  private(set) var hasOtherTexts = false

  /// A text with a keyword.
  package struct TextNote: Sendable, Equatable {
    /// The keyword of a PNG's chunk, `Comment` for comments of other formats.
    package var keyword: String
    /// The text, without control characters other than white space.
    package var text: String

    /// A text with the given keyword.
    package init(keyword: String, text: String) {
      self.keyword = keyword
      self.text = text
    }
  }

  /// No metadata.
  package init() {}

  /// The metadata of the page with this number, from 1; unreadable metadata are omitted.
  package init(_ source: ImageSource, page: Int = 1) {
    // The image was checked before. In a JPEG, the metadata end where the scans start.
    var inspection = Inspection(
      source, limits: .unlimited(), isLenient: true, page: page, isSummary: true)
    inspection.readsMetadata = true
    guard (try? inspection.info()) != nil else { return }
    for place in inspection.places.prefix(Self.mostPlaces) {
      guard let bytes = try? inspection.bytes(of: place) else { continue }
      switch place.kind {
      case .exif: if blocks.exif == nil { blocks.exif = bytes }
      case .xmp: if blocks.xmp == nil { blocks.xmp = bytes } else { laterXMP = bytes }
      case .photoshop:
        if blocks.iptc == nil { blocks.iptc = IPTCRecords.unwrapped(bytes) }
        if blocks.rights == nil { blocks.rights = IPTCRecords.rights(bytes) }
      case .comment: add("Comment", bytes)
      case .profile: break
      case .chunk(let name): add(chunk: name, bytes)
      }
    }
    if blocks.exif == nil { blocks.exif = inspection.blocks.exif }
    if blocks.xmp == nil { blocks.xmp = inspection.blocks.xmp }
  }

  private static let mostPlaces = 1000
  /// The remaining size for decompressed texts, in bytes.
  private var room = 2 << 20
  /// The remaining size for all texts, in bytes.
  private var textRoom = 1 << 20

  private mutating func add(_ keyword: String, _ bytes: [UInt8]) {
    guard bytes.count <= textRoom, let text = Self.text(bytes) else {
      hasOtherTexts = true
      return
    }
    textRoom -= bytes.count
    if !text.isEmpty { texts.append(TextNote(keyword: keyword, text: text)) }
  }

  private mutating func unpacked(_ stream: ArraySlice<UInt8>) -> [UInt8]? {
    let text = Zlib.unpacked(stream, most: room)
    // Data that exceed the limit have used time too.
    room -= text?.count ?? min(room, 1 << 20)
    if text == nil { hasOtherTexts = true }
    return text
  }

  /// Adds a text chunk of a PNG (PNG, third edition, 11.3.3).
  private mutating func add(chunk name: String, _ bytes: [UInt8]) {
    guard let end = bytes.firstIndex(of: 0), end > 0 else { return }
    guard let keyword = Self.text(Array(bytes[..<end])) else { return }
    var rest = bytes[(end + 1)...]
    switch name {
    case "tEXt": break
    case "zTXt":
      guard rest.first == 0, let text = unpacked(rest.dropFirst()) else { return }
      rest = text[...]
    default:
      // Whether it is compressed, the method, the language, and the translated keyword.
      guard let isPacked = rest.first, rest.count >= 4 else { return }
      rest = rest.dropFirst(2)
      for _ in 0..<2 {
        guard let end = rest.firstIndex(of: 0) else { return }
        rest = rest[(end + 1)...]
      }
      if isPacked == 1 {
        guard let text = unpacked(rest) else { return }
        rest = text[...]
      }
    }
    switch keyword {
    case "XML:com.adobe.xmp": if blocks.xmp == nil { blocks.xmp = Array(rest) }
    case "Raw profile type xmp":
      if blocks.xmp == nil { blocks.xmp = Self.rawProfile(rest) }
    case "Raw profile type exif", "Raw profile type APP1":
      let profile = Self.rawProfile(rest)
      let isXMP = profile?.starts(with: "http:".utf8) ?? false
      if blocks.exif == nil, !isXMP { blocks.exif = profile }
    case "Raw profile type iptc", "Raw profile type 8bim":
      if blocks.iptc == nil { blocks.iptc = Self.rawProfile(rest).flatMap(IPTCRecords.unwrapped) }
    case let other where other.hasPrefix("Raw profile type "): break
    default: add(keyword, Array(rest))
    }
  }

  /// Decodes data that older programs write as text: a line with its kind, a line with its length,
  /// then hexadecimal digits.
  private static func rawProfile(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let lines = text.split(separator: 10, maxSplits: 2, omittingEmptySubsequences: true)
    guard lines.count == 3,
      let count = Int(String(decoding: lines[1], as: UTF8.self).filter { $0 != " " })
    else { return nil }
    var result: [UInt8] = []
    var high: UInt8?
    // Stray bytes may follow the digits.
    for character in lines[2] where result.count < count {
      let digit: UInt8
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
      case 0, 10, 13, 32: continue
      default: return nil
      }
      if let first = high {
        result.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return result.isEmpty || result.count < count ? nil : result
  }

  /// Decodes UTF-8, or else Latin-1; nil if control characters other than white space and a final
  /// zero show that it is not text.
  private static func text(_ bytes: [UInt8]) -> String? {
    let bytes = bytes.last == 0 ? bytes.dropLast() : bytes[...]
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    let isText = text.unicodeScalars.allSatisfy {
      "\n\r\t".unicodeScalars.contains($0) || $0.properties.generalCategory != .control
    }
    return isText ? text : nil
  }
}

/// A part of a file that contains metadata.
struct MetadataPlace {
  /// The kind of metadata.
  enum Kind: Equatable {
    case exif, xmp, photoshop, comment, profile
    /// A text chunk of a PNG, by its name.
    case chunk(String)
  }

  let kind: Kind
  /// Ranges of the file that form the data, in this order.
  var ranges: [Range<Int>]
  /// The number of bytes at the end that do not belong to the data.
  var padding = 0
  /// Whether the ranges consist of blocks with a length byte each, as in a GIF comment.
  var isInBlocks = false
}

extension Inspection {
  /// Records the position of metadata of a kind.
  mutating func note(_ kind: MetadataPlace.Kind, at start: Int, length: Int) {
    guard start >= 0, length > 0, start <= Int.max - length else { return }
    places.append(MetadataPlace(kind: kind, ranges: [start..<start + length]))
  }

  /// The data of a place; nil if the file ends first or they are too long.
  mutating func bytes(of place: MetadataPlace) throws(CropError) -> [UInt8]? {
    var all: [UInt8] = []
    for range in place.ranges {
      guard all.count + range.count <= PictureReader.longestRun,
        let part = try reader.bytes(range.lowerBound, range.count)
      else { return nil }
      all += part
    }
    guard place.padding <= all.count else { return nil }
    all.removeLast(place.padding)
    guard place.isInBlocks else { return all }
    var text: [UInt8] = []
    var at = 0
    while at < all.count, all[at] > 0 {
      text += all[(at + 1)...].prefix(Int(all[at]))
      at += 1 + Int(all[at])
    }
    return text
  }
}
