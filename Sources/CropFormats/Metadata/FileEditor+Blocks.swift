import FoundationEssentials

extension FileEditor {
  /// Edits a WebP chunk by chunk (RFC 9649).
  func webp(_ file: Data) -> Data? {
    let bytes = FileBytes(data: file)
    guard let declared = bytes.little(4), declared + 8 <= bytes.count else { return nil }
    var chunks: [Chunk] = []
    var at = 12
    while at + 8 <= declared + 8 {
      guard let length = bytes.little(at + 4), length <= declared + 8 - at - 8 else { return nil }
      chunks.append(
        Chunk(name: Array(bytes[at..<at + 4]), contents: bytes[at + 8..<at + 8 + length]))
      at += 8 + (length + 1) / 2 * 2
    }
    chunks.removeAll { chunk in
      switch chunk.text {
      case "EXIF", "XMP ", "C2PA": true
      case "VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP": false
      default: dropsOthers
      }
    }
    if let exif = metadata.exif { chunks.append(Chunk("EXIF", Data(exif))) }
    if let xmp = metadata.xmp { chunks.append(Chunk("XMP ", Data(xmp))) }
    guard extend(&chunks) else { return nil }
    var body = Data("WEBP".utf8)
    for chunk in chunks {
      body.append(contentsOf: chunk.name + Self.little(chunk.contents.count))
      body.append(chunk.contents)
      if chunk.contents.count % 2 == 1 { body.append(0) }
    }
    return Data("RIFF".utf8) + Data(Self.little(body.count)) + body
      + (dropsOthers ? Data() : bytes[min(bytes.count, 8 + declared + declared % 2)..<bytes.count])
  }

  /// A chunk of a RIFF file; its name is four bytes that need not be text.
  private struct Chunk {
    let name: [UInt8]
    var contents: Data

    init(name: [UInt8], contents: Data) {
      self.name = name
      self.contents = contents
    }

    init(_ name: String, _ contents: Data) {
      self.init(name: Array(name.utf8), contents: contents)
    }

    var text: String { String(decoding: name, as: UTF8.self) }
  }

  /// Inserts the header that a WebP with more than a plain image requires, with correct flags.
  private func extend(_ chunks: inout [Chunk]) -> Bool {
    let news: UInt8 =
      (metadata.exif == nil ? 0 : 0b1000) | (metadata.xmp == nil ? 0 : 0b0100)
    if let place = chunks.firstIndex(where: { $0.text == "VP8X" }) {
      var header = chunks[place].contents
      guard let flags = header.first else { return false }
      header[header.startIndex] = flags & 0b1111_0011 | news
      chunks[place].contents = header
      return true
    }
    guard news != 0 else { return true }
    guard let picture = chunks.first(where: { $0.text == "VP8 " || $0.text == "VP8L" }) else {
      return false
    }
    let data = FileBytes(data: picture.contents)
    let width: Int
    let height: Int
    var flags = news
    if picture.text == "VP8L", let bits = data.little(1) {
      (width, height) = (bits & 0x3FFF, bits >> 14 & 0x3FFF)
      if bits >> 28 & 1 == 1 { flags |= 0x10 }
    } else if picture.text == "VP8 ", let across = data.little(6, 2), let down = data.little(8, 2) {
      (width, height) = (across & 0x3FFF - 1, down & 0x3FFF - 1)
    } else {
      return false
    }
    let edges = [width, width >> 8, width >> 16, height, height >> 8, height >> 16]
    let header = [flags, 0, 0, 0] + edges.map { UInt8(truncatingIfNeeded: $0) }
    chunks.insert(Chunk("VP8X", Data(header)), at: 0)
    return true
  }

  private static func little(_ value: Int) -> [UInt8] { ByteOrder.little.bytes(value, 4) }

  /// Edits a GIF block by block.
  func gif(_ file: Data) -> Data? {
    let bytes = FileBytes(data: file)
    guard bytes.count > 13 else { return nil }
    var at = 13 + Self.tableSize(bytes[10])
    guard at < bytes.count else { return nil }
    var result = Data(bytes[0..<at])
    let news = blocks
    if !news.isEmpty {
      // GIF87a has no extensions.
      result.replaceSubrange(result.startIndex..<result.startIndex + 6, with: Data("GIF89a".utf8))
      result.append(contentsOf: news)
    }
    while at < bytes.count {
      let start = at
      switch bytes[at] {
      case 0x3B:
        result.append(0x3B)
        if !dropsOthers { result.append(bytes[at + 1..<bytes.count]) }
        return result
      case 0x21 where at + 2 < bytes.count:
        guard let end = endOfBlocks(bytes, from: at + 2) else { return nil }
        at = end
        if keeps(bytes, extensionAt: start) { result.append(bytes[start..<end]) }
      case 0x2C where at + 10 < bytes.count:
        let data = at + 11 + Self.tableSize(bytes[at + 9])
        guard let end = endOfBlocks(bytes, from: data) else { return nil }
        at = end
        result.append(bytes[start..<end])
      default: return nil
      }
    }
    return nil
  }

  private static func tableSize(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << Int(flags & 7 + 1)
  }

  private func endOfBlocks(_ bytes: FileBytes, from start: Int) -> Int? {
    var at = start
    while at < bytes.count {
      let length = Int(bytes[at])
      at += 1 + length
      if length == 0 { return at }
    }
    return nil
  }

  private func keeps(_ bytes: FileBytes, extensionAt at: Int) -> Bool {
    switch bytes[at + 1] {
    case 0xFE: return false
    case 0xFF:
      guard at + 14 <= bytes.count else { return false }
      switch String(decoding: bytes[at + 3..<at + 14], as: UTF8.self) {
      case "XMP DataXMP": return false
      case "NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012": return true
      case let other: return !dropsOthers && !other.hasPrefix("C2PA_GIF")
      }
    default: return true
    }
  }

  /// The blocks to insert after the color tables.
  private var blocks: [UInt8] {
    var blocks: [UInt8] = []
    for note in metadata.texts {
      blocks += [0x21, 0xFE]
      var rest = Array(note.comment.utf8)[...]
      while !rest.isEmpty {
        blocks += [UInt8(min(255, rest.count))] + rest.prefix(255)
        rest = rest.dropFirst(255)
      }
      blocks.append(0)
    }
    if let xmp = metadata.xmp {
      // Bytes that lead readers that parse the packet as sub-blocks to its end (XMP part 3, 1.1.2).
      let magic: [UInt8] = [1] + (0...255).reversed().map { UInt8($0) } + [0]
      blocks += [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + xmp + magic
    }
    return blocks
  }
}

extension ImageMetadata.TextNote {
  /// The text, for formats without keywords.
  package var comment: String { keyword == "Comment" ? text : "\(keyword): \(text)" }
}
