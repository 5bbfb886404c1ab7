import CVips
import CropCore
import CropImaging
import Testing

@testable import CropPixels

@Suite struct `Canvases` {
  private let source = Raster.coordinates(width: 12, height: 6, bands: 3)
  private let layout = CanvasLayout(
    size: FrameSize(width: 16, height: 20),
    crop: PixelRect(x: 1, y: 5, width: 12, height: 6))

  /// The content of the canvas: the crop at its position, and the rest.
  private func laid(
    _ raster: Raster, _ fill: CanvasFill, on layout: CanvasLayout? = nil
  ) throws -> Raster {
    let file = try raster.file(.png)
    return try Runtime.exclusively { () throws(CropError) in
      do {
        let reader = SourceReader(ImageSource(bytes: file, name: "crop"))
        let crop = try Picture.opened(try reader.vipsSource(), as: .png, LoadOptions())
        let picture = try CanvasDrawing(layout: layout ?? self.layout, fill: fill).drawn(crop)
        let bytes = try picture.samples()
        let isWide = picture.format == VIPS_FORMAT_USHORT
        return Raster(
          width: picture.width, height: picture.height, bands: picture.bands,
          samples: isWide
            ? stride(from: 0, to: bytes.count, by: 2).map {
              UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
            } : bytes.map(UInt16.init), isWide: isWide)
      } catch {
        throw .corrupt(file: "crop", detail: "\(error)")
      }
    }
  }

  private func expect(
    _ found: Raster, holds crop: Raster, elsewhere: [UInt16],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for y in 0..<found.height {
      for x in 0..<found.width {
        let inside = (1..<13).contains(x) && (5..<11).contains(y)
        #expect(
          found[x, y] == (inside ? crop[x - 1, y - 5] : elsewhere), "at \(x), \(y)",
          sourceLocation: sourceLocation)
      }
    }
  }

  @Test func `a color fills what the crop leaves`() throws {
    let found = try laid(source, .color(Background(red: 1, green: 200, blue: 30)))
    #expect((found.width, found.height, found.bands) == (16, 20, 3))
    expect(found, holds: source, elsewhere: [1, 200, 30])
  }

  @Test func `sixteen bits stay sixteen bits`() throws {
    let wide = Raster.coordinates(width: 12, height: 6, bands: 3, isWide: true)
    let found = try laid(wide, .color(Background(red: 255, green: 0, blue: 128)))
    #expect(found.isWide)
    expect(found, holds: wide, elsewhere: [65_535, 0, 128 * 257])
  }

  @Test func `gray stays gray under a gray fill and becomes colored under another`() throws {
    let gray = Raster.coordinates(width: 12, height: 6, bands: 1)
    expect(try laid(gray, .color(.black)), holds: gray, elsewhere: [0])
    let found = try laid(gray, .color(Background(red: 255, green: 0, blue: 0)))
    #expect(found.bands == 3)
    #expect(found[0, 0] == [255, 0, 0])
    #expect(found[3, 7] == [UInt16](repeating: gray[2, 2][0], count: 3))
  }

  @Test func `transparent areas of the crop show the color`() throws {
    var clear = Raster.coordinates(width: 12, height: 6, bands: 4)
    for index in stride(from: 3, to: clear.samples.count, by: 4) { clear.samples[index] = 0 }
    let found = try laid(clear, .color(Background(red: 9, green: 8, blue: 7)))
    #expect(
      found
        == Raster(
          width: 16, height: 20, bands: 3, samples: (0..<16 * 20).flatMap { _ in [9, 8, 7] }))
  }

  @Test func `a transparent canvas keeps the crop's own transparency`() throws {
    let opaque = try laid(source, .transparent)
    #expect(opaque.bands == 4)
    #expect(opaque[0, 0] == [0, 0, 0, 0])
    #expect(opaque[4, 8] == source[3, 3] + [255])
    let half = Raster.coordinates(width: 12, height: 6, bands: 4)
    expect(try laid(half, .transparent), holds: half, elsewhere: [0, 0, 0, 0])
  }

  @Test func `the edge's color is the median of the outermost pixels`() throws {
    var framed = source
    for y in 0..<6 {
      for x in 0..<12 where x == 0 || y == 0 || x == 11 || y == 5 {
        let start = (y * 12 + x) * 3
        // A few different pixels at the top don't count.
        framed.samples.replaceSubrange(
          start..<start + 3, with: y == 0 && x < 9 ? [250, 250, 250] : [20, 30, 40])
      }
    }
    expect(try laid(framed, .edge), holds: framed, elsewhere: [20, 30, 40])
  }

  @Test func `transparent areas of the crop show the edge's color`() throws {
    var framed = Raster(width: 12, height: 6, bands: 4, samples: [])
    for y in 0..<6 {
      for x in 0..<12 {
        let isEdge = x == 0 || y == 0 || x == 11 || y == 5
        framed.samples += isEdge ? [20, 30, 40, 255] : [1, 2, 3, 0]
      }
    }
    let found = try laid(framed, .edge)
    #expect((found.bands, found[0, 0], found[5, 8]) == (3, [20, 30, 40], [20, 30, 40]))
  }

  @Test func `the fill is transparent if most of the edge is`() throws {
    var hole = Raster(width: 12, height: 6, bands: 4, samples: [])
    for y in 0..<6 {
      for x in 0..<12 {
        let isEdge = x == 0 || y == 0 || x == 11 || y == 5
        hole.samples += isEdge ? [9, 9, 9, 0] : [10, 20, 30, 255]
      }
    }
    expect(try laid(hole, .edge), holds: hole, elsewhere: [0, 0, 0, 0])
  }

  @Test func `a blurred backdrop is as transparent as the crop`() throws {
    let layout = CanvasLayout(
      size: FrameSize(width: 40, height: 60), crop: PixelRect(x: 0, y: 10, width: 40, height: 40))
    var clear = Raster(width: 40, height: 40, bands: 4, samples: [])
    var half = clear
    for _ in 0..<1600 {
      clear.samples += [250, 0, 0, 0]
      half.samples += [10, 200, 60, 128]
    }
    let nothing = try laid(clear, .blur, on: layout)
    #expect(nothing[5, 5] == [0, 0, 0, 0] && nothing[20, 30][3] == 0)
    let found = try laid(half, .blur, on: layout)
    #expect(found[5, 5] == [10, 200, 60, 128])
    // Half over half of the same color.
    #expect(found[20, 30] == [10, 200, 60, 192])
  }

  @Test func `a blurred backdrop has the crop's colors and no detail`() throws {
    // The left half is dark, the right half bright, with a checkerboard pattern.
    var halves = Raster(width: 120, height: 60, bands: 3, samples: [])
    for y in 0..<60 {
      for x in 0..<120 {
        let base: UInt16 = x < 60 ? 60 : 180
        halves.samples += [UInt16](repeating: base + UInt16((x + y) % 2) * 40, count: 3)
      }
    }
    let layout = CanvasLayout(
      size: FrameSize(width: 120, height: 200),
      crop: PixelRect(x: 0, y: 70, width: 120, height: 60))
    let found = try laid(halves, .blur, on: layout)
    #expect((found.width, found.height, found.bands) == (120, 200, 3))
    #expect(found[7, 70 + 9] == halves[7, 9])
    for y in [0, 30, 69, 130, 199] {
      // The middle 36 columns of the crop cover the canvas; far from the step, they are uniform.
      #expect((70...90).contains(found[2, y][0]))
      #expect((190...210).contains(found[117, y][0]))
      for x in 1..<120 {
        #expect(found[x, y][0] + 3 >= found[x - 1, y][0], "darker again at \(x), \(y)")
      }
    }
  }
}
