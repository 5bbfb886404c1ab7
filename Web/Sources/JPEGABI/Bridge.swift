import CropJPEG
import CropWire

// Lossless crops of JPEGs, and their metadata: loaded with the first JPEG.

/// The state of an instance of the module: an open file.
struct Bridge: ~Copyable {
  var output = Output()
  var file: JPEGFile?
}
