import CropCore
import CropKernels

// What is searched for in the pixels of an image.

/// An image with 8 bits each of red, green, blue and alpha, which the page writes.
struct WrittenPicture: ~Copyable {
  let size: FrameSize
  let source: UnsafeMutableRawPointer

  init(_ size: FrameSize) {
    self.size = size
    source = pixels(size)
  }

  deinit { source.deallocate() }

  func insideBorder(tolerance: Int) -> ImageRect? {
    let samples = UnsafeBufferPointer(
      start: UnsafePointer(source.assumingMemoryBound(to: UInt8.self)),
      count: 4 * size.width * size.height)
    return BorderedPixels(samples, width: size.width, height: size.height, bands: 4)?
      .inside(tolerance: tolerance)
  }
}

extension Bridge {
  mutating func borderPixels(width: Int, height: Int) -> Int? {
    picture = nil
    guard width > 0, height > 0, Double(width) * Double(height) < 500e6 else { return nil }
    let made = WrittenPicture(FrameSize(width: width, height: height))
    let address = made.source
    picture = consume made
    return Int(bitPattern: address)
  }

  mutating func insideBorder(tolerance: Int?) -> ImageRect? {
    defer { picture = nil }
    return picture?.insideBorder(tolerance: tolerance ?? BorderedPixels.usualTolerance) ?? nil
  }
}
