import CropImaging
import FoundationEssentials

/// The chunks of a WebP just written (RFC 9649).
enum WebPChunks {
  /// The chunks of a file that was written here.
  static func all(of file: Data) -> [(name: String, contents: Data)] {
    var chunks: [(name: String, contents: Data)] = []
    var at = file.startIndex + 12
    while at + 8 <= file.endIndex {
      let length = file[at...].number(4, 4, .little) ?? 0
      guard length <= file.endIndex - at - 8 else { break }
      let name = String(decoding: file[at..<at + 4], as: UTF8.self)
      chunks.append((name, file[at + 8..<at + 8 + length]))
      at += 8 + (length + 1) / 2 * 2
    }
    return chunks
  }

  /// Puts a chunk behind the others.
  static func append(_ chunk: (name: String, contents: Data), to file: inout Data) {
    file.append(contentsOf: Array(chunk.name.utf8) + littleEndian(chunk.contents.count))
    file.append(chunk.contents)
    if chunk.contents.count % 2 == 1 { file.append(0) }
  }

  /// A number of four bytes.
  static func littleEndian(_ value: Int) -> [UInt8] {
    ByteOrder.little.bytes(value, 4)
  }
}
