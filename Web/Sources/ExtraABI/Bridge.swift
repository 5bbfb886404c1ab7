import CropWire

// Work that few pages need: it is loaded with the first gain map that is cropped, the first four
// corners or the first border.

/// The state of an instance of the module: memory for pixels.
struct Bridge: ~Copyable {
  var output = Output()
  var corners: Straightening?
  var picture: WrittenPicture?
  var sheet: SheetSearch?
}
