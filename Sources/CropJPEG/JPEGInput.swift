/// The data of a JPEG: bytes in memory, or a source that can be read at any offset.
///
/// Data are read only when needed, through a buffer of 64 KiB.
public struct JPEGInput {
  /// Fills the buffer with the bytes at `offset` and returns their number, 0 only at the end. It
  /// may throw `JPEGError.readFailed`.
  public typealias Read = (
    _ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer
  ) throws(JPEGError) -> Int

  let read: Read

  /// An input that reads its bytes by calling `read`.
  public init(read: @escaping Read) { self.read = read }

  /// An input of bytes in memory, which must stay valid while the input is used.
  public init(_ bytes: UnsafeRawBufferPointer) {
    let start = bytes.baseAddress
    let count = bytes.count
    read = { offset, buffer in
      guard let start, let target = buffer.baseAddress, offset >= 0, offset < Int64(count) else {
        return 0
      }
      // Below `count`, so it fits where Int has 32 bits too.
      let from = Int(offset)
      let taken = min(buffer.count, count - from)
      target.copyMemory(from: start + from, byteCount: taken)
      return taken
    }
  }
}

/// Receives the bytes of a result, in chunks; it may throw `JPEGError.writeFailed`.
public typealias JPEGSink = (_ bytes: UnsafeRawBufferPointer) throws(JPEGError) -> Void
