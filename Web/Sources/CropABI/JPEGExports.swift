import CropCore
import CropJPEG

// JPEG files, read from and written to the page piece by piece: the module never holds one. What these
// functions answer is 0, or a number of `code(of:)`.

nonisolated(unsafe) private var file: JPEGFile?

#if arch(wasm32)
  /// Puts up to `count` bytes of a source, from `offset` on, at `address` and answers how many; 0 at its
  /// end. Source 0 is the picture, source 1 what was made of it elsewhere.
  @_extern(wasm, module: "page", name: "read")
  private func pageRead(
    _ source: Int32, _ offset: Double, _ address: UnsafeMutableRawPointer, _ count: Int32
  ) -> Int32

  /// Takes `count` bytes of the result from `address`.
  @_extern(wasm, module: "page", name: "write")
  private func pageWrite(_ address: UnsafeRawPointer, _ count: Int32)
#else
  private func pageRead(
    _ source: Int32, _ offset: Double, _ address: UnsafeMutableRawPointer, _ count: Int32
  ) -> Int32 { 0 }

  private func pageWrite(_ address: UnsafeRawPointer, _ count: Int32) {}
#endif

private func input(_ source: Int32) -> JPEGInput {
  JPEGInput { (offset, buffer) throws(JPEGError) in
    guard let start = buffer.baseAddress else { return 0 }
    return Int(pageRead(source, Double(offset), start, Int32(truncatingIfNeeded: buffer.count)))
  }
}

private func write(_ bytes: UnsafeRawBufferPointer) {
  guard let start = bytes.baseAddress else { return }
  pageWrite(start, Int32(truncatingIfNeeded: bytes.count))
}

private func code(of error: JPEGError) -> Int32 {
  switch error {
  case .notJPEG: 1
  case .truncated, .corrupt(.shortData, _): 2
  case .corrupt: 3
  case .unsupported: 4
  case .offGrid: 5
  case .readFailed, .writeFailed: 6
  }
}

private func policy(_ code: Int32) -> MetadataPolicy {
  code == 2 ? .stripAll : code == 1 ? .stripLocation : .keep
}

/// Reads the header of source 0 and tells the session, so that the scene and the state say what the
/// file will be like. With `needsBits`, a picture whose bits can't be copied counts as none.
@_expose(wasm, "ck_jpeg_open") @_cdecl("ck_jpeg_open")
public func openJPEG(needsBits: Int32) -> Int32 {
  file = nil
  do throws(JPEGError) {
    let opened = try JPEGFile(input(0))
    file = opened
    let isUsed = needsBits == 0 || opened.isCuttable
    let changes = session.setJPEG(isUsed ? opened.stored : nil)
    return changes == .refused ? 5 : 0
  } catch {
    session.setJPEG(nil)
    return code(of: error)
  }
}

/// Writes the session's crop of the JPEG that is open, without loss; 5 where that can't be.
@_expose(wasm, "ck_jpeg_crop") @_cdecl("ck_jpeg_crop")
public func cropJPEG(metadata: Int32) -> Int32 {
  guard let file, file.isCuttable, let plan = session.jpegPlan else { return 5 }
  do throws(JPEGError) {
    let report = try file.crop(plan, metadata: policy(metadata)) { write($0) }
    return report.warnings.contains(.truncated) ? 2 : 0
  } catch {
    return code(of: error)
  }
}

/// Writes source 1, a JPEG drawn from the one that is open and with colours in sRGB, with the metadata
/// of that.
@_expose(wasm, "ck_jpeg_dress") @_cdecl("ck_jpeg_dress")
public func dressJPEG(metadata: Int32) -> Int32 {
  guard let file else { return 1 }
  do throws(JPEGError) {
    try file.dress(input(1), metadata: policy(metadata)) { write($0) }
    return 0
  } catch {
    return code(of: error)
  }
}

/// Forgets the JPEG that is open; what the session was told of it stays.
@_expose(wasm, "ck_jpeg_close") @_cdecl("ck_jpeg_close")
public func closeJPEG() { file = nil }
