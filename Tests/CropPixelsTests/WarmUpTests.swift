import CropImaging
import CropPixels
import Testing

@Suite struct `Warming up` {
  @Test func `libvips starts, and can be asked to twice`() throws {
    try VipsBackend().warmUp()
    try VipsBackend().warmUp()
  }
}
