import CropCore
import CropJPEG

// JPEG files, read from and written to the page in chunks: the module never stores a complete one.
// It is separate from the session's module and loaded with the first JPEG. These functions return
// 0, or a number of `code(of:)`, unless noted otherwise.

nonisolated(unsafe) private var file: JPEGFile?

#if arch(wasm32)
  /// Reads up to `count` bytes of a source from `offset` into memory at `address`, and returns how
  /// many; 0 at its end. Source 0 is the image, source 1 the result that was encoded elsewhere.
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

/// A property of the open JPEG, in the form for `ck_set_jpeg`: 0 and 1 its stored width and height,
/// 2 and 3 those of a cell of its grid, 4 its orientation, 5 whether its bits can be copied, 6 the
/// position of EXIF's orientation entry in the file if browsers ignore it, otherwise 0. Returns 0
/// if none is open.
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

/// Writes a part of the open JPEG losslessly, as planned by `ck_jpeg_plan`: the part in stored
/// pixels, and the orientation of the result. Returns 5 if that is impossible. With orientation 0,
/// it only reads the data that a decoder needs for the part, whose edges may then be anywhere, just
/// as strictly, and writes nothing.
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

/// Writes source 1, a JPEG in sRGB that was drawn from the open one, with the metadata of the open
/// one.
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

/// Closes the open JPEG.
@_expose(wasm, "cj_close") @_cdecl("cj_close")
public func closeJPEG() { file = nil }
