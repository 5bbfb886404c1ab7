/// A POSIX ustar archive: 512-byte headers, each followed by its file's bytes, padded to 512.
struct Archive {
  /// The plain files, in the archive's order.
  let files: [(path: String, bytes: UnsafeRawBufferPointer)]

  /// Reads the table of an archive, up to its end or to the first invalid header.
  init(_ bytes: UnsafeRawBufferPointer) {
    var files: [(path: String, bytes: UnsafeRawBufferPointer)] = []
    var position = 0
    while position + Self.block <= bytes.count {
      let header = UnsafeRawBufferPointer(rebasing: bytes[position..<position + Self.block])
      guard header[257..<262].elementsEqual("ustar".utf8),
        let size = Int(Self.text(header[124..<136]), radix: 8)
      else { break }
      position += Self.block
      guard size >= 0, size <= bytes.count - position else { break }
      let kind = header[156]
      if kind == 0 || kind == UInt8(ascii: "0") {
        let prefix = Self.text(header[345..<500])
        let name = Self.text(header[0..<100])
        let path = prefix.isEmpty ? name : "\(prefix)/\(name)"
        files.append(
          (
            path.hasPrefix("./") ? String(path.dropFirst(2)) : path,
            UnsafeRawBufferPointer(rebasing: bytes[position..<position + size])
          ))
      }
      position += (size + Self.block - 1) / Self.block * Self.block
    }
    self.files = files
  }

  private static let block = 512

  /// A field's text, up to its first zero or space.
  private static func text(_ field: Slice<UnsafeRawBufferPointer>) -> String {
    String(decoding: field.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }, as: UTF8.self)
  }
}
