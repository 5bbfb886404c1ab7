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

  var sheet: Quad? {
    let layout = SampleLayout(depth: .eight, channels: 4)
    return SheetFinder.quad(
      in: SampleRows(source, rowBytes: 4 * size.width, layout), size: size)
  }

  func insideBorder(tolerance: Int) -> ImageRect? {
    let samples = UnsafeBufferPointer(
      start: UnsafePointer(source.assumingMemoryBound(to: UInt8.self)),
      count: 4 * size.width * size.height)
    return BorderedPixels(samples, width: size.width, height: size.height, bands: 4)?
      .inside(tolerance: tolerance)
  }
}

extension Bridge {
  mutating func sheetPixels(width: Int, height: Int) -> Int? {
    guard (1...2048).contains(width), (1...2048).contains(height) else { return nil }
    return place(FrameSize(width: width, height: height))
  }

  mutating func findSheet() -> Quad? {
    defer { picture = nil }
    return picture?.sheet ?? nil
  }

  mutating func borderPixels(width: Int, height: Int) -> Int? {
    guard width > 0, height > 0, Double(width) * Double(height) < 500e6 else { return nil }
    return place(FrameSize(width: width, height: height))
  }

  mutating func insideBorder(tolerance: Int?) -> ImageRect? {
    defer { picture = nil }
    return picture?.insideBorder(tolerance: tolerance ?? BorderedPixels.usualTolerance) ?? nil
  }

  /// The address of memory for the pixels of an image.
  private mutating func place(_ size: FrameSize) -> Int {
    picture = nil
    let made = WrittenPicture(size)
    let address = made.source
    picture = consume made
    return Int(bitPattern: address)
  }
}
