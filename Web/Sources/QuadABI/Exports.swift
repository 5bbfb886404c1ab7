import CropCore
import CropKernels

// Straightens four corners of an image with 8 bits each of red, green, blue and alpha, in the
// module's memory. It is separate from the session's module and loaded with the first quad.

nonisolated(unsafe) private var work: Work?

/// The memory in which JavaScript writes the numbers for `cq_open`.
nonisolated(unsafe) private let numbers: UnsafeMutablePointer<Double> = {
  let list = UnsafeMutablePointer<Double>.allocate(capacity: 12)
  list.initialize(repeating: 0, count: 12)
  return list
}()

/// A sampler with its input and output memory.
private struct Work: ~Copyable {
  let sampler: QuadSampler
  let source: UnsafeMutableRawPointer
  let averages: UnsafeMutableRawPointer?
  let result: UnsafeMutableRawPointer

  init(_ sampler: QuadSampler) {
    func pixels(_ size: FrameSize) -> UnsafeMutableRawPointer {
      .allocate(byteCount: 4 * size.width * size.height, alignment: 8)
    }
    self.sampler = sampler
    source = pixels(sampler.part.size)
    averages = sampler.shrink > 1 ? pixels(sampler.samples) : nil
    result = pixels(sampler.size)
  }

  deinit {
    source.deallocate()
    averages?.deallocate()
    result.deallocate()
  }

  func straighten(hasAlpha: Bool) {
    let layout = SampleLayout(depth: .eight, channels: 4, hasAlpha: hasAlpha)
    var rows = SampleRows(source, rowBytes: 4 * sampler.part.width, layout)
    if let averages {
      let rowBytes = 4 * sampler.samples.width
      for row in 0..<sampler.samples.height {
        sampler.average(row, of: rows, from: 0, into: averages + row * rowBytes)
      }
      rows = SampleRows(averages, rowBytes: rowBytes, layout)
    }
    let rowBytes = 4 * sampler.size.width
    for row in 0..<sampler.size.height {
      sampler.fill(
        row: row, columns: 0..<sampler.size.width, from: rows, into: result + row * rowBytes)
    }
  }
}

/// The address of the list for `cq_open`: width and height of a part of an image, those of the
/// result, and the four corners in the part.
@_expose(wasm, "cq_numbers") @_cdecl("cq_numbers")
public func quadNumbers() -> UnsafeMutablePointer<Double> { numbers }

/// Allocates memory for the pixels of the part, row by row, and returns its address; 0 for invalid
/// numbers.
@_expose(wasm, "cq_open") @_cdecl("cq_open")
public func openQuad() -> UnsafeMutableRawPointer? {
  work = nil
  func size(_ index: Int) -> FrameSize? {
    guard let width = Int(exactly: numbers[index]), let height = Int(exactly: numbers[index + 1]),
      width > 0, height > 0, numbers[index] * numbers[index + 1] < 500e6
    else { return nil }
    return FrameSize(width: width, height: height)
  }
  func corner(_ index: Int) -> FramePoint {
    FramePoint(x: numbers[4 + 2 * index], y: numbers[5 + 2 * index])
  }
  let quad = Quad(
    topLeft: corner(0), topRight: corner(1), bottomRight: corner(2), bottomLeft: corner(3))
  guard let part = size(0), let result = size(2), quad.fault(in: part) == nil else { return nil }
  let made = Work(
    QuadSampler(
      quad, in: PixelRect(x: 0, y: 0, width: part.width, height: part.height), to: result))
  let address = made.source
  work = consume made
  return address
}

/// Straightens the written pixels and returns the address of the result. `hasAlpha` says whether
/// any pixel is not opaque.
@_expose(wasm, "cq_straighten") @_cdecl("cq_straighten")
public func straightenQuad(hasAlpha: Int32) -> UnsafeMutableRawPointer? {
  guard work != nil else { return nil }
  work?.straighten(hasAlpha: hasAlpha != 0)
  return work?.result
}

/// Frees the memory.
@_expose(wasm, "cq_close") @_cdecl("cq_close")
public func closeQuad() { work = nil }

/// A small image in which a sheet is searched for.
private struct SmallPicture: ~Copyable {
  let size: FrameSize
  let pixels: UnsafeMutableRawPointer

  init(_ size: FrameSize) {
    self.size = size
    pixels = .allocate(byteCount: 4 * size.width * size.height, alignment: 8)
  }

  deinit { pixels.deallocate() }

  var sheet: Quad? {
    let layout = SampleLayout(depth: .eight, channels: 4)
    return SheetFinder.quad(
      in: SampleRows(pixels, rowBytes: 4 * size.width, layout), size: size)
  }
}

nonisolated(unsafe) private var small: SmallPicture?

/// Allocates memory for the pixels of an image in which a sheet is searched for, and returns its
/// address; 0 for an invalid size. The longest side should be at most `cq_side`.
@_expose(wasm, "cq_picture") @_cdecl("cq_picture")
public func quadPicture(width: Int32, height: Int32) -> UnsafeMutableRawPointer? {
  small = nil
  guard (1...2048).contains(width), (1...2048).contains(height) else { return nil }
  let made = SmallPicture(FrameSize(width: Int(width), height: Int(height)))
  let address = made.pixels
  small = consume made
  return address
}

/// The longest side of an image in which a sheet is searched for, in pixels.
@_expose(wasm, "cq_side") @_cdecl("cq_side")
public func quadSide() -> Int32 { Int32(SheetFinder.side) }

/// Searches for a sheet in the written pixels, which are freed, and writes its corners into the
/// list after the first four numbers; returns 0 if there is none.
@_expose(wasm, "cq_find") @_cdecl("cq_find")
public func findQuad() -> Int32 {
  let sheet = small?.sheet
  small = nil
  guard let sheet else { return 0 }
  for index in 0..<4 {
    numbers[4 + 2 * index] = sheet[index].x
    numbers[5 + 2 * index] = sheet[index].y
  }
  return 1
}
