import CropJPEG

// The files that the page gives to a module, read and written in chunks: no module stores a
// complete one.

#if arch(wasm32)
  /// Reads up to `count` bytes of a source from `offset` into memory at `address`, and returns how
  /// many; 0 at its end.
  @_extern(wasm, module: "page", name: "read")
  private func read(
    _ source: Int32, _ offset: Double, _ address: UnsafeMutableRawPointer, _ count: Int32
  ) -> Int32

  /// Writes `count` bytes of the result from memory at `address`.
  @_extern(wasm, module: "page", name: "write")
  private func write(_ address: UnsafeRawPointer, _ count: Int32)
#else
  private func read(
    _ source: Int32, _ offset: Double, _ address: UnsafeMutableRawPointer, _ count: Int32
  ) -> Int32 { 0 }

  private func write(_ address: UnsafeRawPointer, _ count: Int32) {}
#endif

/// Source 0 is the image, source 1 its crop, if that was made elsewhere.
public func pageInput(_ source: Int32) -> JPEGInput {
  JPEGInput { (offset, buffer) throws(JPEGError) in
    guard let start = buffer.baseAddress else { return 0 }
    return Int(read(source, Double(offset), start, Int32(truncatingIfNeeded: buffer.count)))
  }
}

/// Writes bytes of the result.
public func pageWrite(_ bytes: UnsafeRawBufferPointer) {
  guard let start = bytes.baseAddress else { return }
  write(start, Int32(truncatingIfNeeded: bytes.count))
}
