import FoundationEssentials

extension FileEditor {
  /// Edits a PNG chunk by chunk.
  func png(_ file: Data) -> Data? {
    let bytes = FileBytes(data: file)
    var result = Data(capacity: file.count + 4096)
    guard bytes.count > 8 else { return nil }
    result.append(bytes[0..<8])
    var at = 8
    var isWritten = false
    while let length = bytes.big(at), let name = bytes.name(at + 4), length <= bytes.count - at - 12
    {
      let end = at + 12 + length
      if name == "IDAT", !isWritten {
        isWritten = true
        for chunk in chunks { result.append(contentsOf: chunk) }
      }
      if keeps(chunk: name) { result.append(bytes[at..<end]) }
      at = end
      if name == "IEND" {
        if !dropsOthers { result.append(bytes[at..<bytes.count]) }
        return isWritten ? result : nil
      }
    }
    return nil
  }

  private func keeps(chunk name: String) -> Bool {
    switch name {
    case "eXIf", "tEXt", "zTXt", "iTXt", "caBX": return false
    case "tIME": return !dropsOthers
    case "pHYs": return density == .kept
    case "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "mDCv", "cLLI", "cLLi", "sBIT",
      "bKGD", "hIST", "sPLT", "acTL", "fcTL", "fdAT":
      return true
    default:
      // An uppercase first letter marks a chunk that is required to show the image.
      return !dropsOthers || name.utf8.first.map { $0 & 0x20 == 0 } ?? false
    }
  }

  /// The chunks to insert before the pixels.
  private var chunks: [[UInt8]] {
    var chunks: [[UInt8]] = []
    if let density = density.density {
      // Pixels per meter.
      let sides = [density.across, density.down].flatMap {
        ByteOrder.big.bytes(Int(min($0 / 0.0254, 2e9).rounded()), 4)
      }
      chunks.append(PNGChunk.encoded("pHYs", sides + [1]))
    }
    if let exif = metadata.exif { chunks.append(PNGChunk.encoded("eXIf", exif)) }
    if let xmp = metadata.xmp {
      chunks.append(
        PNGChunk.encoded("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp))
    }
    if let iptc = metadata.iptc { chunks.append(Self.rawProfile("iptc", iptc)) }
    for note in metadata.texts { chunks.append(Self.text(note)) }
    return chunks
  }

  private static func text(_ note: ImageMetadata.TextNote) -> [UInt8] {
    func latin(_ text: String) -> [UInt8] {
      text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
    }
    let keyword = Array(latin(note.keyword).prefix(79)) + [0]
    if note.text.unicodeScalars.allSatisfy({ $0.value < 0x80 }) {
      return PNGChunk.encoded("tEXt", keyword + note.text.utf8)
    }
    return PNGChunk.encoded("iTXt", keyword + [0, 0, 0, 0] + note.text.utf8)
  }

  /// Encodes data that PNG has no chunk for as hexadecimal digits, the way other programs do.
  private static func rawProfile(_ kind: String, _ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    var text = Array("Raw profile type \(kind)\0\n\(kind)\n".utf8)
    let count = Array(String(bytes.count).utf8)
    text += [UInt8](repeating: 32, count: max(0, 8 - count.count)) + count
    for (index, byte) in bytes.enumerated() {
      if index % 36 == 0 { text.append(10) }
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return PNGChunk.encoded("tEXt", text + [10])
  }
}
