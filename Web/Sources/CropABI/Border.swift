import CropCore
import CropKernels

// Functions for pixels: JavaScript writes them into the module's memory, which is kept.

nonisolated(unsafe) private var pixels: UnsafeMutableBufferPointer<UInt8>?

/// A buffer for a number of pixel bytes.
@_expose(wasm, "ck_pixels") @_cdecl("ck_pixels")
public func pixels(count: Int32) -> UnsafeMutablePointer<UInt8>? {
  pixels?.deallocate()
  pixels = .allocate(capacity: max(1, Int(count)))
  return pixels?.baseAddress
}

/// The area inside the border of the written RGBA pixels: x, y, width and height; empty for an
/// image of one colour. A tolerance below 0 means the default.
@_expose(wasm, "ck_inside_border") @_cdecl("ck_inside_border")
public func insideBorder(width: Int32, height: Int32, tolerance: Int32) -> UnsafePointer<Double> {
  output.start()
  if let pixels,
    let inside = BorderedPixels(
      UnsafeBufferPointer(pixels), width: Int(width), height: Int(height), bands: 4
    )?.inside(
      tolerance: tolerance < 0 ? BorderedPixels.usualTolerance : Int(tolerance))
  {
    output.append(inside.x)
    output.append(inside.y)
    output.append(inside.width)
    output.append(inside.height)
  }
  return output.finish()
}

/// Blurs the written RGBA pixels in place. If the standard deviation is not above 0, it returns
/// their median red, green and blue instead.
@_expose(wasm, "ck_canvas_fill") @_cdecl("ck_canvas_fill")
public func canvasFill(width: Int32, height: Int32, sigma: Double) -> UnsafePointer<Double> {
  output.start()
  if let pixels, let found = CanvasPixels(pixels, width: Int(width), height: Int(height)) {
    if sigma > 0 {
      found.blur(sigma: sigma)
    } else {
      for sample in found.median.prefix(3) { output.append(Int(sample)) }
    }
  }
  return output.finish()
}
