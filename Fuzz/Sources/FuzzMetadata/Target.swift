import CropCore
import CropJPEG
import CropMetadata

/// One run: inserts the bytes into a JPEG as one or more segments, crops it and copies its
/// metadata.
///
/// The first byte chooses the segment, the second the orientation and the metadata to keep.
func run(_ bytes: UnsafeRawBufferPointer) {
  guard bytes.count >= 2 else { return }
  let content = [UInt8](bytes.dropFirst(2).prefix(65_000))
  let source = wrapped(content, as: bytes[0])
  let policy = MetadataPolicy.allCases[Int(bytes[1] >> 3) % 3]
  let turn = Orientation.allCases[Int(bytes[1] & 7)]
  source.withUnsafeBytes { source in
    do throws(JPEGError) {
      let file = try JPEGFile(JPEGInput(source))
      var recipe = CropRecipe()
      recipe.orientation = turn
      guard file.isCuttable else { return }
      guard let plan = try? file.plan(recipe), plan.way == .lossless else {
        fatalError("a whole picture can be cut")
      }
      var result: [UInt8] = []
      try file.crop(plan, metadata: policy) { result.append(contentsOf: $0) }
      check(result, turned: file.orientation.followed(by: turn), isCut: true)
      var dressed: [UInt8] = []
      try file.copyMetadata(
        to: JPEGInput { offset, buffer throws(JPEGError) in read(plain, offset, buffer) },
        metadata: policy
      ) {
        dressed.append(contentsOf: $0)
      }
      check(dressed, turned: .up, isCut: false)
    } catch {
      // Only data between the segments may be rejected.
      if bytes[0] < 5 { fatalError("sound segments refused: \(error)") }
    }
  }
}

/// Checks that the result is a JPEG with the right orientation and without an image in its
/// metadata, and that cropping a crop again does not make it longer.
private func check(_ result: [UInt8], turned orientation: Orientation, isCut: Bool) {
  result.withUnsafeBytes { bytes in
    do throws(JPEGError) {
      let file = try JPEGFile(JPEGInput(bytes))
      guard file.orientation == orientation else { fatalError("it lies wrong") }
      for segment in file.header.segments {
        let start = Int(segment.contentOffset)
        let content = bytes[start..<start + segment.contentCount]
        // A profile is copied unchanged.
        if segment.marker != 0xE2, holdsPicture(content) { fatalError("a picture is left") }
      }
      guard let plan = try? file.plan(CropRecipe()), plan.way == .lossless else {
        fatalError("the result can't be cut")
      }
      var again: [UInt8] = []
      try file.crop(plan) { again.append(contentsOf: $0) }
      guard !isCut || again.count <= result.count else {
        fatalError("a second cut added something")
      }
    } catch {
      fatalError("the result is no sound JPEG: \(error)")
    }
  }
}

/// Whether the bytes start like a JPEG that is complete up to its scan; its first three bytes may
/// also be part of a number.
private func holdsPicture(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
  var last: UInt32 = 0
  var hasStarted = false
  for byte in bytes {
    last = last << 8 | UInt32(byte)
    if last & 0xFF_FFFF == 0xFF_D8FF { hasStarted = true }
    if hasStarted, last & 0xFFFF == 0xFFDA { return true }
  }
  return false
}

private func read(
  _ bytes: [UInt8], _ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer
) -> Int {
  bytes.withUnsafeBytes { bytes in
    guard let start = Int(exactly: offset), start >= 0, start < bytes.count else { return 0 }
    let count = min(buffer.count, bytes.count - start)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
    return count
  }
}

private func wrapped(_ content: [UInt8], as kind: UInt8) -> [UInt8] {
  func segment(_ marker: UInt8, _ name: String) -> [UInt8] {
    let length = 2 + name.utf8.count + content.count
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + Array(name.utf8) + content
  }
  let middle: [UInt8] =
    switch kind {
    case 0: segment(0xE1, "Exif\0\0")
    case 1: segment(0xE1, "http://ns.adobe.com/xap/1.0/\0")
    case 2: segment(0xED, "Photoshop 3.0\0")
    case 3: segment(0xE2, "ICC_PROFILE\0")
    case 4: segment(0xFE, "")
    default: content
    }
  return Array(plain[..<2]) + middle + Array(plain[2...])
}

/// An image of 8 × 8 gray pixels with minimal tables.
private let plain: [UInt8] = {
  var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
  bytes += [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
  // One code of one bit in each table: zero difference, and end of block.
  for table: UInt8 in [0x00, 0x10] {
    bytes += [0xFF, 0xC4, 0, 20, table, 1] + [UInt8](repeating: 0, count: 16)
  }
  return bytes + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x3F, 0xFF, 0xD9]
}()
