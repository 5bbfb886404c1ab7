import CropCore
import Testing

@Suite struct `Pixels of an outline` {
  @Test func `are all of a rectangle`() throws {
    let crop = try CropRecipe().resolved(for: ImageSize(width: 10, height: 8))
    #expect(OutlinePixels(crop) == nil)
  }

  @Test func `are those that an ellipse touches`() throws {
    let crop = try CropRecipe(
      rect: FrameRect(x: 3, y: 1, width: 30, height: 20), shape: .ellipse
    ).resolved(for: ImageSize(width: 40, height: 30))
    let pixels = try #require(OutlinePixels(crop))
    #expect(pixels.rows == 0..<20)
    for y in 0..<20 {
      let touched = (0..<30).filter { x in
        let across = max(0, Double(x) - 15, 15 - Double(x + 1)) / 15
        let down = max(0, Double(y) - 10, 10 - Double(y + 1)) / 10
        return across * across + down * down < 1
      }
      #expect(Array(pixels[y]) == touched, "row \(y)")
    }
  }

  @Test func `are whole rows beside round corners`() throws {
    let crop = try CropRecipe(shape: .roundedRectangle(radius: 4)).resolved(
      for: ImageSize(width: 30, height: 20))
    let pixels = try #require(OutlinePixels(crop))
    for y in 4..<16 { #expect(pixels[y] == 0..<30) }
    #expect(pixels[0].lowerBound > 0)
    #expect(pixels[0].lowerBound == 30 - pixels[0].upperBound)
    #expect(pixels[0] == pixels[19])
  }

  @Test func `of a scaled crop are those of the unscaled one`() throws {
    let whole = try CropRecipe(shape: .ellipse).resolved(for: ImageSize(width: 60, height: 40))
    let small = try #require(OutlinePixels(whole.scaled(to: FrameSize(width: 6, height: 4))))
    let large = try #require(OutlinePixels(whole))
    for y in 0..<40 { #expect(small[y] == large[y]) }
  }

  @Test func `under a tilt and of four corners lie in the needed part`() throws {
    let image = ImageSize(width: 200, height: 150)
    let crops = [
      CropRecipe(
        rect: FrameRect(x: 50, y: 40, width: 80, height: 60), tilt: CropAngle(degrees: 20),
        shape: .ellipse),
      CropRecipe(
        shape: .ellipse,
        quad: Quad(
          topLeft: FramePoint(x: 40, y: 20), topRight: FramePoint(x: 150, y: 30),
          bottomRight: FramePoint(x: 170, y: 120), bottomLeft: FramePoint(x: 20, y: 130))),
    ]
    for recipe in crops {
      let crop = try recipe.resolved(for: image)
      let pixels = try #require(OutlinePixels(crop))
      let part = crop.neededPart
      // The part has a margin, which the outline does not touch.
      #expect(pixels.rows.lowerBound > 0 && pixels.rows.upperBound < part.height)
      for y in pixels.rows {
        #expect(pixels[y].lowerBound > 0 && pixels[y].upperBound < part.width)
      }
      #expect(pixels[0] == pixels[pixels.rows.lowerBound])
      #expect(pixels[part.height] == pixels[pixels.rows.upperBound - 1])
    }
  }
}
