import Foundation

/// The chunks of a WebP just written (RFC 9649).
enum WebPChunks {
  /// `file`, a picture of `size` pixels, with the given metadata instead of its own.
  static func written(
    into file: Data, exif: [UInt8]?, xmp: [UInt8]?, size: (width: Int, height: Int)
  ) -> Data {
    var chunks: [(name: String, contents: Data)] = []
    var at = file.startIndex + 12
    while at + 8 <= file.endIndex {
      let length = file[at + 4..<at + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard length <= file.endIndex - at - 8 else { return file }
      let name = String(decoding: file[at..<at + 4], as: UTF8.self)
      chunks.append((name, file[at + 8..<at + 8 + length]))
      at += 8 + (length + 1) / 2 * 2
    }
    var flags: UInt8 = 0
    if let extended = chunks.first(where: { $0.name == "VP8X" }),
      let first = extended.contents.first
    {
      // Profile, alpha and animation stay; EXIF and XMP are decided here.
      flags = first & 0b0011_0010
    } else if let exact = chunks.first(where: { $0.name == "VP8L" }), exact.contents.count > 4 {
      // After a signature byte and two sizes of 14 bits: whether alpha is used.
      flags = exact.contents[exact.contents.startIndex + 4] & 0x10
    }
    chunks.removeAll { ["VP8X", "EXIF", "XMP "].contains($0.name) }
    if let exif {
      chunks.append(("EXIF", Data(exif)))
      flags |= 0b1000
    }
    if let xmp {
      chunks.append(("XMP ", Data(xmp)))
      flags |= 0b0100
    }
    if flags & 0b0010_1110 != 0 || chunks.count > 1 {
      let (right, bottom) = (size.width - 1, size.height - 1)
      let edges = [right, right >> 8, right >> 16, bottom, bottom >> 8, bottom >> 16]
      let header = [flags, 0, 0, 0] + edges.map { UInt8(truncatingIfNeeded: $0) }
      chunks.insert(("VP8X", Data(header)), at: 0)
    }
    var body = Data("WEBP".utf8)
    for chunk in chunks {
      body.append(contentsOf: Array(chunk.name.utf8) + littleEndian(chunk.contents.count))
      body.append(chunk.contents)
      if chunk.contents.count % 2 == 1 { body.append(0) }
    }
    return Data("RIFF".utf8) + littleEndian(body.count) + body
  }

  private static func littleEndian(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
