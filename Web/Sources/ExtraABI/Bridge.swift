import CropCore
import CropJPEG
import CropWire
import FileWire

// Work that not every page needs: it is loaded with the first JPEG or the first four corners.
// Files are read from and written to the page in chunks: the module never stores a complete one.

nonisolated(unsafe) private var bridge = Bridge()

/// Calls a function with the written list, like the session's module.
@_expose(wasm, "ck_call") @_cdecl("ck_call")
public func call(code: Int32) -> UnsafePointer<Double> {
  var numbers = Numbers()
  bridge.output.start()
  bridge.answer(code, &numbers)
  return bridge.output.finish()
}

/// The state of an instance of the module: an open file, and memory for pixels.
struct Bridge: ~Copyable {
  var output = Output()
  var file: JPEGFile?
  var corners: Straightening?
  var sheet: SmallPicture?
}
