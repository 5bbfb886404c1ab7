import CropCore
import CropJPEG

// JavaScript runs a module on one thread, so these need no lock.
nonisolated(unsafe) private var input = UnsafeMutableRawBufferPointer(start: nil, count: 0)
nonisolated(unsafe) private var output: [UInt8] = []

/// Allocates memory for a JPEG of this many bytes; an earlier one is freed.
@_expose(wasm, "input") @_cdecl("input")
public func makeInput(count: Int32) -> UnsafeMutableRawPointer? {
  input.deallocate()
  input = .allocate(byteCount: Int(max(count, 1)), alignment: 16)
  return input.baseAddress
}

/// Crops a rectangle of stored pixels on the grid; returns the number of bytes, or −1 if that is impossible.
@_expose(wasm, "cut") @_cdecl("cut")
public func cut(x: Int32, y: Int32, width: Int32, height: Int32) -> Int32 {
  output.removeAll(keepingCapacity: true)
  do throws(JPEGError) {
    let cutter = try JPEGCutter(JPEGInput(UnsafeRawBufferPointer(input)))
    let rect = BitmapRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height))
    _ = try cutter.cut(rect) { output.append(contentsOf: $0) }
    return Int32(output.count)
  } catch {
    return -1
  }
}

/// Copies the result to `place`, which must be large enough.
@_expose(wasm, "copy") @_cdecl("copy")
public func copy(to place: UnsafeMutableRawPointer) {
  output.withUnsafeBytes { bytes in
    if let start = bytes.baseAddress { place.copyMemory(from: start, byteCount: bytes.count) }
  }
}
