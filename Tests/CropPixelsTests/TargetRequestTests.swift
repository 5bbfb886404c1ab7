import CropCore
import Foundation
import Testing

@testable import CropImaging
@testable import CropPixels

@Suite struct `An order for a photo's targets` {
  private let engine = CropEngine(backend: VipsBackend())
  private let square = AspectRatio(1, 1)
  private let wide = AspectRatio(2, 1)

  private func order(
    _ recipe: CropRecipe? = nil, options: ResultOptions = ResultOptions(), enlarges: Bool = false
  ) throws -> TargetRequest {
    let focus = FocusBox(x: 0.7, y: 0.2, width: 0.2, height: 0.7)
    let targets = [
      PhotoTarget(name: "square", requirement: .ratio(try #require(square))),
      PhotoTarget(name: "hand", requirement: .ratio(try #require(square)), recipe: recipe),
      PhotoTarget(name: "wide", requirement: .ratio(try #require(wide))),
      PhotoTarget(name: "large", requirement: .size(FrameSize(width: 140, height: 70))),
    ]
    return TargetRequest(
      TargetDocument(focus: focus, targets: targets), options: options, enlarges: enlarges)
  }

  // On 90 × 70 pixels, the focus is from 63 to 81 across and from 14 to 63 down: the square of 70
  // is centered on 72 as far as possible, so it ends at the right edge; 45 rows are too few for the
  // focus.
  @Test func `the picture is decoded once, and each target is as if cropped separately`() throws {
    let file = try Raster.coordinates(width: 90, height: 70, bands: 3).file(.png)
    let source = ImageSource(bytes: file, name: "picture")
    let order = try order()
    let picture = try engine.open(source, for: order)
    var rects: [FrameRect?] = []
    var codes: [[String]] = []
    for target in order.document.targets {
      let planned = try order.plan(target, on: picture)
      let result = try planned.result(by: engine)
      #expect(result.bytes == (try engine.crop(source, recipe: planned.recipe)).bytes)
      #expect(picture.keepsPixels)
      rects.append(planned.recipe.rect)
      codes.append(result.warnings.map(\.code))
    }
    #expect(rects[0] == FrameRect(x: 20, y: 0, width: 70, height: 70))
    #expect(rects[1] == rects[0])
    #expect(rects[2]?.width == 90 && rects[2]?.height == 45)
    #expect(codes == [[], [], ["focus-cut"], ["focus-cut", "too-small"]])
  }

  @Test func `a failed target does not affect the others`() throws {
    let file = try Raster.coordinates(width: 90, height: 70, bands: 3).file(.png)
    let outside = CropRecipe(rect: FrameRect(x: 60, y: 0, width: 40, height: 40))
    let order = try order(outside, enlarges: true)
    let picture = try engine.open(ImageSource(bytes: file, name: "picture"), for: order)
    var failed: [String] = []
    var sizes: [FrameSize] = []
    for target in order.document.targets {
      do {
        sizes.append(try order.plan(target, on: picture).result(by: engine).size)
      } catch {
        #expect(error.code == "invalid-recipe" && error.isOfOneCrop)
        let failure = TargetFailure(target: target.name, error: error)
        #expect(
          failure.message(for: .swift).hasPrefix("hand: picture: the rectangle 40 × 40 at 60,0 "))
        failed.append(target.name)
      }
    }
    #expect(failed == ["hand"])
    #expect(sizes.map(\.width) == [70, 90, 140] && sizes.map(\.height) == [70, 45, 70])
    #expect(picture.keepsPixels)
  }

  @Test func `a shape only makes its own file transparent`() throws {
    let file = try Raster.coordinates(width: 90, height: 70, bands: 3).file(.jpeg)
    let round = CropRecipe(
      rect: FrameRect(x: 0, y: 0, width: 32, height: 32), shape: .ellipse)
    let order = try order(round)
    let picture = try engine.open(ImageSource(bytes: file, name: "picture"), for: order)
    let formats = try order.document.targets.map { try order.plan($0, on: picture).format }
    #expect(formats == [.jpeg, .png, .jpeg, .jpeg])
  }
}
