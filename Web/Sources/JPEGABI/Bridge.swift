import CropJPEG
import CropWire

// Lossless crops of JPEGs, and their metadata: loaded with the first JPEG.

nonisolated(unsafe) private var bridge = Bridge()

/// Calls a function with the written list, like the session's module.
@_expose(wasm, "ck_call") @_cdecl("ck_call")
public func call(code: Int32) -> UnsafePointer<Double> {
  var numbers = Numbers()
  bridge.output.start()
  bridge.answer(code, &numbers)
  return bridge.output.finish()
}

/// The state of an instance of the module: an open file.
struct Bridge: ~Copyable {
  var output = Output()
  var file: JPEGFile?
}
