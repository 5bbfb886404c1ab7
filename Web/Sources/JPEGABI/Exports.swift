import CropCore
import CropJPEG

// JPEG files, read from and written to the page piece by piece: the module never holds one. It is apart
// from the session's module and comes with the first JPEG. What these functions answer is 0, or a number
// of `code(of:)`, unless they say otherwise.

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

/// Reads the header of source 0.
@_expose(wasm, "cj_open") @_cdecl("cj_open")
public func openJPEG() -> Int32 {
  file = nil
  do throws(JPEGError) {
    file = try JPEGFile(input(0))
    return 0
  } catch {
    return code(of: error)
  }
}

/// What is known of the JPEG that is open, as `ck_set_jpeg` takes it: 0 and 1 its stored width and height,
/// 2 and 3 a cell's of its grid, 4 its orientation, 5 whether its bits can be copied, 6 where EXIF's entry
/// for the orientation stands in the file if browsers pass over it, else 0; 0 without one.
@_expose(wasm, "cj_header") @_cdecl("cj_header")
public func header(index: Int32) -> Int32 {
  guard let file else { return 0 }
  let grid = file.stored.grid
  return switch index {
  case 0: Int32(grid.size.width)
  case 1: Int32(grid.size.height)
  case 2: Int32(grid.cellWidth)
  case 3: Int32(grid.cellHeight)
  case 4: Int32(file.orientation.rawValue)
  case 5: file.isCuttable ? 1 : 0
  default: Int32(truncatingIfNeeded: file.unusualOrientation ?? 0)
  }
}

/// Writes a part of the JPEG that is open without loss, as `ck_jpeg_plan` says: the part in stored pixels,
/// and the orientation of the result; 5 where that can't be. For an orientation of 0 what a decoder needs
/// of the part, whose edges then may lie anywhere, is read just as strictly, and nothing is written.
@_expose(wasm, "cj_crop") @_cdecl("cj_crop")
public func cropJPEG(
  x: Int32, y: Int32, width: Int32, height: Int32, orientation: Int32, metadata: Int32
) -> Int32 {
  guard let file, file.isCuttable, width > 0, height > 0,
    let flag = Orientation(rawValue: orientation == 0 ? 1 : Int(orientation))
  else { return 5 }
  var rect = BitmapRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height))
  if orientation == 0 { rect = file.header.grid.surroundings(of: rect) ?? rect }
  do throws(JPEGError) {
    let report = try file.crop(rect, orientation: flag, metadata: policy(metadata)) {
      if orientation != 0 { write($0) }
    }
    return report.warnings.contains(.truncated) ? 2 : 0
  } catch {
    return code(of: error)
  }
}

/// Writes source 1, a JPEG drawn from the one that is open and with colours in sRGB, with the metadata
/// of that.
@_expose(wasm, "cj_copy_metadata") @_cdecl("cj_copy_metadata")
public func copyMetadata(policy metadata: Int32) -> Int32 {
  guard let file else { return 1 }
  do throws(JPEGError) {
    try file.copyMetadata(to: input(1), metadata: policy(metadata)) { write($0) }
    return 0
  } catch {
    return code(of: error)
  }
}

/// Forgets the JPEG that is open.
@_expose(wasm, "cj_close") @_cdecl("cj_close")
public func closeJPEG() { file = nil }
