import CropCore
import CropKernels
import CropWire

// The module's functions. JavaScript writes a list of numbers and calls one of the functions in
// Web/interface.json by its code; the answer is another list. The generated Messages.swift decodes
// the one and encodes the other. JavaScript runs a module on one thread, so nothing needs a lock.

/// The session of an instance of the module. As a part of the bridge, it would be copied to it.
nonisolated(unsafe) var session = CropSession(style: .studio)

/// The other state of an instance of the module: its answer, and memory for pixels.
struct Bridge: ~Copyable {
  var output = Output()
  var pixels: UnsafeMutableBufferPointer<UInt8>?
}

// Answers about the session.
extension Bridge {
  func readConstants() -> Constants {
    Constants(
      margin: Interaction.margin, largestTilt: CropRecipe.largestTilt.degrees,
      largestSide: RecipeError.largestOutputSide, zoomStep: Interaction.keyZoom)
  }

  mutating func writeScene() {
    withUnsafeMutablePointer(to: &output) {
      _ = session.draw(into: SceneOutput(output: $0))
    }
  }

  func canvas() -> LaidCanvas? {
    session.canvas.map { LaidCanvas(canvas: $0, layout: session.canvasLayout) }
  }

  func drawing(maxSide: Double) -> Drawing? {
    let size = session.resultSize ?? FrameSize(width: 0, height: 0)
    let fits = maxSide <= 0 || Double(max(size.width, size.height)) <= maxSide
    let recipe =
      fits
      ? session.recipe
      : session.recipe(maxSide: max(1, Int(exactly: maxSide.rounded(.down)) ?? 1))
    guard let image = session.image, let crop = try? recipe?.resolved(for: image) else {
      return nil
    }
    let drawing = crop.drawing
    var part: DrawnPart?
    if let quad = crop.quad, let size = drawing.part {
      let place = crop.neededPart
      part = DrawnPart(
        width: size.width, height: size.height,
        corners: quad.map { FramePoint(x: $0.x - Double(place.x), y: $0.y - Double(place.y)) })
    }
    return Drawing(
      width: drawing.size.width, height: drawing.size.height, map: drawing.map,
      copiesPixels: drawing.copiesPixels, shape: drawing.shape,
      corner: ViewPoint(x: drawing.cornerWidth, y: drawing.cornerHeight), fits: fits,
      isIdentity: crop.isIdentity, part: part)
  }

  func jpegPart(mode: LosslessMode?) -> JPEGPart? {
    var part = session.drawnPart
    var flag = Orientation.up
    var requantized = 0
    if let mode {
      guard let plan = session.jpegPlan(mode), plan.way == .lossless else { return nil }
      part = plan.rect
      flag = plan.flag
      requantized = plan.requantized.most
    }
    return part.map {
      JPEGPart(
        x: $0.x, y: $0.y, width: $0.width, height: $0.height, orientation: flag.rawValue,
        requantized: requantized)
    }
  }
}

/// Writes the items of a scene without collecting them.
private struct SceneOutput: SceneSink {
  let output: UnsafeMutablePointer<Output>

  func append(_ item: SceneItem) { output.pointee.append(item) }
}

// Pixels, which JavaScript writes into the module's memory, where they are kept.
extension Bridge {
  mutating func pixels(count: Int) -> Int {
    pixels?.deallocate()
    let made = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, count))
    pixels = made
    return Int(bitPattern: made.baseAddress)
  }

  func medianColor(count: Int) -> Background? {
    guard let pixels, let found = CanvasPixels(pixels, width: count, height: 1) else { return nil }
    let median = found.median
    return Background(red: median[0], green: median[1], blue: median[2])
  }

  func blurPixels(width: Int, height: Int, sigma: Double) -> Bool {
    guard let pixels, let found = CanvasPixels(pixels, width: width, height: height) else {
      return false
    }
    found.blur(sigma: sigma)
    return true
  }
}

extension Numbers {
  /// A size of at least 1 × 1; nil for 0 × 0.
  @inline(never) mutating func sizeLimit() -> FrameSize? {
    let (width, height) = (whole(), whole())
    if width == 0, height == 0 { return nil }
    return checked(width > 0 && height > 0 ? FrameSize(width: width, height: height) : nil)
  }

  /// A length of at least 1; nil for 0.
  mutating func sideLimit() -> Int? {
    let side = whole()
    return side == 0 ? nil : checked(side > 0 ? side : nil)
  }

  /// An element; nil for a negative number.
  mutating func focused() -> ElementKey? { isBeforeNegative ? nil : element() }
}

extension StoredJPEG {
  /// Nil without an orientation.
  init?(
    _ width: Int, _ height: Int, _ cellWidth: Int, _ cellHeight: Int, _ orientation: Orientation?
  ) {
    guard let orientation else { return nil }
    let size = BitmapSize(width: width, height: height)
    self.init(
      grid: JPEGGrid(size: size, cellWidth: cellWidth, cellHeight: cellHeight),
      orientation: orientation)
  }
}

extension CropShape {
  var radius: Double {
    if case .roundedRectangle(let radius) = self { radius } else { 0 }
  }
}
