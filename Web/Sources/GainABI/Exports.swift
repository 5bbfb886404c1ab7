import CropCore
import CropJPEG

// Adds the gain map of a JPEG to a crop of it that was made elsewhere. It is separate from the
// cutter's module and loaded with the first crop of a photo with a gain map.

#if arch(wasm32)
  /// Reads up to `count` bytes of a source from `offset` into memory at `address`, and returns how
  /// many; 0 at its end. Source 0 is the image, source 1 its crop.
  @_extern(wasm, module: "page", name: "read")
  private func pageRead(
    _ source: Int32, _ offset: Double, _ address: UnsafeMutableRawPointer, _ count: Int32
  ) -> Int32

  /// Writes `count` bytes of the result from memory at `address`.
  @_extern(wasm, module: "page", name: "write")
  private func pageWrite(_ address: UnsafeRawPointer, _ count: Int32)
#else
  private func pageRead(
    _ source: Int32, _ offset: Double, _ address: UnsafeMutableRawPointer, _ count: Int32
  ) -> Int32 { 0 }

  private func pageWrite(_ address: UnsafeRawPointer, _ count: Int32) {}
#endif

private let most = 20

/// The memory in which JavaScript writes the numbers for the functions below.
nonisolated(unsafe) private let numbers: UnsafeMutablePointer<Double> = {
  let list = UnsafeMutablePointer<Double>.allocate(capacity: most)
  list.initialize(repeating: 0, count: most)
  return list
}()

private func input(_ source: Int32) -> JPEGInput {
  JPEGInput { (offset, buffer) throws(JPEGError) in
    guard let start = buffer.baseAddress else { return 0 }
    return Int(pageRead(source, Double(offset), start, Int32(truncatingIfNeeded: buffer.count)))
  }
}

private func whole(_ index: Int) -> Int { Int(exactly: numbers[index]) ?? -1 }

/// The address of the list of numbers.
@_expose(wasm, "cg_numbers") @_cdecl("cg_numbers")
public func gainNumbers() -> UnsafeMutablePointer<Double> { numbers }

/// Adds the map to a part that was copied without decoding: the list has the crop's number of
/// bytes, the part in stored pixels, and the orientation of the crop.
@_expose(wasm, "cg_copied") @_cdecl("cg_copied")
public func addToCopied() -> Int32 {
  guard let flag = Orientation(rawValue: whole(5)) else { return 0 }
  return add(flag, isSRGB: false) { map in
    map.crop(
      BitmapRect(x: whole(1), y: whole(2), width: whole(3), height: whole(4)), flag: flag)
  }
}

/// Adds the map to a crop that was drawn: the list has its number of bytes, width and height, and
/// the recipe: its rectangle, quarter turns, whether it is mirrored, its tilt in degrees, and the
/// four corners, all 0 if there are none.
@_expose(wasm, "cg_drawn") @_cdecl("cg_drawn")
public func addToDrawn() -> Int32 {
  func corner(_ index: Int) -> FramePoint {
    FramePoint(x: numbers[10 + 2 * index], y: numbers[11 + 2 * index])
  }
  let hasQuad = (10..<18).contains { numbers[$0] != 0 }
  let recipe = CropRecipe(
    rect: hasQuad
      ? nil : FrameRect(x: numbers[3], y: numbers[4], width: numbers[5], height: numbers[6]),
    quarterTurns: whole(7), isMirrored: numbers[8] == 1, tilt: Angle(degrees: numbers[9]),
    quad: hasQuad
      ? Quad(
        topLeft: corner(0), topRight: corner(1), bottomRight: corner(2), bottomLeft: corner(3))
      : nil)
  return add(.up, isSRGB: true) { map in
    map.crop(recipe, output: FrameSize(width: whole(1), height: whole(2)))
  }
}

/// Writes the crop with its map. Returns 1 if the map's blocks were copied, 2 if its samples were
/// encoded again, and 0, before anything is written, if the map can't be used.
private func add(
  _ flag: Orientation, isSRGB: Bool, _ crop: (JPEGGainMap) -> ResolvedCrop?
) -> Int32 {
  do throws(JPEGError) {
    guard let map = try JPEGGainMap(input(0)), let crop = crop(map) else { return 0 }
    let outcome = try map.write(
      input(1), byteCount: whole(0), crop: crop, flag: flag, isSRGB: isSRGB
    ) { bytes in
      guard let start = bytes.baseAddress else { return }
      pageWrite(start, Int32(truncatingIfNeeded: bytes.count))
    }
    return outcome == .cut ? 1 : outcome == .recoded ? 2 : 0
  } catch {
    return 0
  }
}
