import CropWire

// Work that few pages need: it is loaded with the first gain map that is cropped, the first four
// corners or the first border.

nonisolated(unsafe) private var bridge = Bridge()

/// Calls a function with the written list, like the session's module.
@_expose(wasm, "ck_call") @_cdecl("ck_call")
public func call(code: Int32) -> UnsafePointer<Double> {
  var numbers = Numbers()
  bridge.output.start()
  bridge.answer(code, &numbers)
  return bridge.output.finish()
}

/// The state of an instance of the module: memory for pixels.
struct Bridge: ~Copyable {
  var output = Output()
  var corners: Straightening?
  var picture: WrittenPicture?
  var sheet: SheetSearch?
}
