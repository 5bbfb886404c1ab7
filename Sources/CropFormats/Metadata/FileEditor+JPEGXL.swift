import CCompression
import FoundationEssentials

extension FileEditor {
  /// Edits a JPEG XL, box by box (ISO/IEC 18181-2); a bare codestream is put into boxes if metadata
  /// need one.
  func jpegXL(_ file: Data) -> Data? {
    let bytes = FileBytes(data: file)
    guard bytes.count >= 2 else { return nil }
    var news = metadata.exif.map { Self.box("Exif", [0, 0, 0, 0] + $0) } ?? Data()
    news += metadata.xmp.map { Self.box("xml ", $0) } ?? Data()
    if bytes[0] == 0xFF {
      guard !news.isEmpty else { return file }
      // Without a level box, the codestream has the lowest level (annex M).
      return Self.start + news + Self.box("jxlc", file)
    }
    var result = Data()
    var at = 0
    while at < bytes.count {
      guard let small = bytes.big(at), let name = bytes.name(at + 4) else { return nil }
      let size = small == 0 ? bytes.count - at : small == 1 ? bytes.big(at + 8, 8) ?? 0 : small
      guard size >= 8, size <= bytes.count - at else { return nil }
      // Before the codestream, which may extend to the end of the file.
      if name.hasPrefix("jxl"), name != "jxll" {
        result.append(news)
        news = Data()
      }
      if keeps(name) { result.append(bytes[at..<at + size]) }
      at += size
    }
    return result
  }

  /// Whether to keep a box. The data to restore the original JPEG are removed, because they contain
  /// that JPEG's metadata.
  private func keeps(_ name: String) -> Bool {
    switch name {
    case "JXL ", "ftyp", "jxll", "jxlc", "jxlp", "jxli": true
    case "Exif", "xml ", "brob", "jbrd", "jumb": false
    default: !dropsOthers
    }
  }

  private static let start =
    box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))

  private static func box(_ name: String, _ contents: some Collection<UInt8>) -> Data {
    // Larger boxes have a 64-bit size after the name.
    let isLarge = contents.count > Int(UInt32.max) - 8
    var data = Data(ByteOrder.big.bytes(isLarge ? 1 : contents.count + 8, 4) + Array(name.utf8))
    if isLarge { data.append(contentsOf: ByteOrder.big.bytes(contents.count + 16, 8)) }
    return data + contents
  }
}

/// Brotli (RFC 7932), with which boxes of a JPEG XL may be compressed.
enum Brotli {
  /// The decompressed bytes; nil if the stream is damaged or contains more than `most` bytes.
  static func unpacked(_ stream: [UInt8], most: Int) -> [UInt8]? {
    guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
    defer { BrotliDecoderDestroyInstance(state) }
    return stream.withUnsafeBufferPointer { input in
      var next = input.baseAddress
      var left = input.count
      var output: [UInt8] = []
      while true {
        // No output buffer: the decoder's own pieces are used.
        var room = 0
        let result = BrotliDecoderDecompressStream(state, &left, &next, &room, nil, nil)
        while BrotliDecoderHasMoreOutput(state) != 0 {
          var count = 0
          guard let piece = BrotliDecoderTakeOutput(state, &count) else { break }
          output.append(contentsOf: UnsafeBufferPointer(start: piece, count: count))
          guard output.count <= most else { return nil }
        }
        if result == BROTLI_DECODER_RESULT_SUCCESS { return output }
        guard result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT else { return nil }
      }
    }
  }
}
