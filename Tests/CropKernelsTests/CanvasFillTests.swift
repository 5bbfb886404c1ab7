import CropCore
import CropKernels
import Foundation
import TestMaterial
import Testing

/// The fills of a canvas, and their text form.
struct CanvasFillTests {
  private func changed(
    _ samples: [UInt8], _ width: Int, _ height: Int, _ change: (CanvasPixels<UInt8>) -> Void
  ) throws -> [UInt8] {
    var samples = samples
    try samples.withUnsafeMutableBufferPointer {
      change(try #require(CanvasPixels($0, width: width, height: height)))
    }
    return samples
  }

  @Test func `the median of an even count is the higher of the two in the middle`() throws {
    let samples: [UInt8] = [1, 9, 0, 255, 5, 8, 0, 255, 3, 7, 0, 255, 200, 6, 255, 255]
    _ = try changed(samples, 4, 1) {
      #expect($0.median == [5, 8, 0, 255])
    }
  }

  @Test func `the median of the edge is that of the outermost pixels of 16 bits`() throws {
    // 3 × 3 pixels, and samples between the rows that belong to none.
    var samples = [UInt16](repeating: 9, count: 3 * 14)
    for (pixel, value) in [10, 20, 30, 40, 50_000, 60, 70, 80, 60_000].enumerated() {
      for channel in 0..<4 { samples[pixel / 3 * 14 + pixel % 3 * 4 + channel] = UInt16(value) }
    }
    try samples.withUnsafeMutableBufferPointer {
      let pixels = try #require(CanvasPixels($0, width: 3, height: 3, row: 14))
      // 10, 10, 20, 30, 30, 40, 60, 70, 70, 80, 60000, 60000: corners count twice.
      #expect(pixels.edgeMedian == [60, 60, 60, 60])
      pixels.fill(with: [1, 2, 3, 4])
      #expect(pixels.median == [1, 2, 3, 4])
      #expect($0[12] == 9 && $0[13] == 9)
    }
  }

  @Test func `a blur equals the sum over all weights`() throws {
    var random = Seeded(seed: 28)
    let (width, height, sigma) = (23, 17, 2.5)
    var samples = [UInt8](repeating: 255, count: 4 * width * height)
    for at in samples.indices where at % 4 != 3 {
      samples[at] = UInt8(truncatingIfNeeded: random.next())
    }
    let found = try changed(samples, width, height) { $0.blur(sigma: sigma) }
    // A single pass in both directions, without rounding in between.
    let radius = Int(sigma * 3.0349)
    let weights = (-radius...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = weights.reduce(0, +)
    func pixel(_ x: Int, _ y: Int, _ channel: Int) -> Double {
      let column = min(max(x, 0), width - 1)
      let row = min(max(y, 0), height - 1)
      return Double(samples[4 * (row * width + column) + channel])
    }
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<3 {
          var value = 0.0
          for dy in -radius...radius {
            for dx in -radius...radius {
              let weight = weights[dy + radius] * weights[dx + radius]
              value += weight * pixel(x + dx, y + dy, channel)
            }
          }
          let made = Double(found[4 * (y * width + x) + channel])
          #expect(abs(made - value / sum / sum) < 1.1, "at \(x), \(y)")
        }
      }
    }
  }

  @Test func `a wrong number of pixels is rejected`() {
    var samples = [UInt8](repeating: 0, count: 16)
    samples.withUnsafeMutableBufferPointer {
      #expect(CanvasPixels($0, width: 3, height: 1) == nil)
      #expect(CanvasPixels($0, width: 4, height: 0) == nil)
      #expect(CanvasPixels($0, width: .max, height: 2) == nil)
      #expect(CanvasPixels($0, width: 2, height: 2, row: 7) == nil)
    }
  }

  @Test func `a backdrop is the middle of the crop in the canvas's ratio`() {
    let backdrop = CanvasBackdrop(
      of: FrameSize(width: 400, height: 300), on: FrameSize(width: 480, height: 960))
    #expect(backdrop.part == PixelRect(x: 125, y: 0, width: 150, height: 300))
    // 960 / 40 is four times the blur of a reduced image.
    #expect(backdrop.size == FrameSize(width: 120, height: 240))
    #expect(backdrop.sigma == 6)
  }

  @Test(arguments: [
    (
      FilledCanvas(CropCanvas(extent: .ratio(.square))),
      ##"{"canvas":"1:1","fill":"#ffffff","margin":"0","place":"center"}"##
    ),
    (
      FilledCanvas(
        CropCanvas(
          extent: .size(FrameSize(width: 1080, height: 566)), margin: .percent(2.5),
          gravity: .southeast),
        fill: .blur), #"{"canvas":"1080x566","fill":"blur","margin":"2.5%","place":"southeast"}"#
    ),
    (
      FilledCanvas(CropCanvas(extent: .crop, margin: .pixels(40)), fill: .transparent),
      #"{"fill":"transparent","margin":"40","place":"center"}"#
    ),
  ])
  func `its JSON has the options' names and can be read back`(canvas: FilledCanvas, text: String)
    throws
  {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(canvas), as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(FilledCanvas.self, from: Data(text.utf8)) == canvas)
  }

  @Test(arguments: [
    #"{"canvas":"1"}"#, #"{"fill":"nothing"}"#, #"{"place":"middle"}"#, #"{"color":"red"}"#,
    #"{"margin":"5px"}"#,
  ])
  func `invalid values are rejected`(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(FilledCanvas.self, from: Data(text.utf8))
    }
  }

  @Test(arguments: ["40", "\"40\""])
  func `a margin in pixels is a number or a text, here and in a target`(margin: String) throws {
    let canvas = try JSONDecoder().decode(
      FilledCanvas.self, from: Data("{\"margin\": \(margin)}".utf8))
    #expect(canvas.canvas.margin == .pixels(40))
    let text =
      #"{"targets": [{"name": "a", "ratio": "1:1", "fit": "contain", "margin": \#(margin)}]}"#
    let document = try JSONDecoder().decode(TargetDocument.self, from: Data(text.utf8))
    #expect(document.targets[0].margin == .pixels(40))
  }

  @Test func `only a target with a canvas has its options`() throws {
    let text = """
      {"version": 1, "targets": [{"name": "square", "ratio": "1:1", "fit": "contain", "margin": "5%", "place": "south", "fill": "blur"}]}
      """
    let document = try JSONDecoder().decode(TargetDocument.self, from: Data(text.utf8))
    #expect(document.targets[0].fill == .blur)
    let crop = try document.crop(
      of: document.targets[0], on: ImageSize(width: 400, height: 300))
    #expect(crop.margin == .percent(5) && crop.place == .south && crop.fill == .blur)
    let again = try JSONDecoder().decode(
      TargetDocument.self, from: JSONEncoder().encode(document))
    #expect(again == document)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        TargetDocument.self,
        from: Data(#"{"targets": [{"name": "a", "ratio": "1:1", "fill": "blur"}]}"#.utf8))
    }
  }
}
