/// The bytes of a JPEG: memory, or anything that can be read at an offset.
///
/// Nothing is read before it is needed, and then through a buffer of 64 KiB.
public struct JPEGInput {
  /// Fills as much of the buffer as there is from `offset` on and answers how many bytes that were;
  /// 0 only at the end. It may throw `JPEGError.readFailed`.
  public typealias Read = (
    _ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer
  ) throws(JPEGError) -> Int

  let read: Read

  /// Bytes that `read` gives.
  public init(read: @escaping Read) { self.read = read }

  /// Bytes in memory, which must stay in place as long as this input is used.
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

/// Takes the bytes of a result, piece by piece; it may throw `JPEGError.writeFailed`.
public typealias JPEGSink = (_ bytes: UnsafeRawBufferPointer) throws(JPEGError) -> Void
