import CropJPEG

// The files that a module reads and writes, in chunks: it never stores a complete one.

#if arch(wasm32)
  /// Reads up to `count` bytes of a source from `offset` into memory at `address`, and returns how
  /// many; 0 at its end. Source 0 is the image, source 1 the result that was made elsewhere.
  @_extern(wasm, module: "page", name: "read")
  private func pageRead(
    _ source: Int32, _ offset: Double, _ address: UnsafeMutableRawPointer, _ count: Int32
  ) -> Int32

  /// Writes `count` bytes of the result from memory at `address`.
  @_extern(wasm, module: "page", name: "write")
  private func pageWrite(_ address: UnsafeRawPointer, _ count: Int32)
#else
  private func pageRead(
    _ source: Int32, _ offset: Double, _ address: UnsafeMutableRawPointer, _ count: Int32
  ) -> Int32 { 0 }

  private func pageWrite(_ address: UnsafeRawPointer, _ count: Int32) {}
#endif

/// The bytes of a source: 0 is the image, 1 the result that was made elsewhere.
public func input(_ source: Int32) -> JPEGInput {
  JPEGInput { (offset, buffer) throws(JPEGError) in
    guard let start = buffer.baseAddress else { return 0 }
    return Int(pageRead(source, Double(offset), start, Int32(truncatingIfNeeded: buffer.count)))
  }
}

/// Writes a part of the result.
///
/// To be called in a closure. Passed as a `JPEGSink` itself, it would stop the module: a function
/// that throws nothing has another signature in WebAssembly than one with typed errors, and the
/// compiler does not convert it.
public func write(_ bytes: UnsafeRawBufferPointer) {
  guard let start = bytes.baseAddress else { return }
  pageWrite(start, Int32(truncatingIfNeeded: bytes.count))
}
