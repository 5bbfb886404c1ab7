/// The positions of the image and the frame in a view while nothing moves.
///
///     view ┌──────────────────────────┐
///          │ margin                   │      area: the view without its margin, or what was set
///          │   ┌────── area ──────┐   │      viewfinder frame: the largest of its ratio in the area
///          │   │  ┌─ viewfinder ┐ │   │      picture box: the upright box round the tilted picture
///          │   │  │   frame     │ │   │
///          │   │  └─────────────┘ │   │
///          │   └──────────────────┘   │
///          └──────────────────────────┘
///
/// It is a pure function of settings, view, image and ratio, without stored state.
struct CropLayout: Sendable {
  let settings: SessionSettings
  /// The size of the view, in points.
  let view: ViewSize
  /// The image with its tilt; its frame is empty if no image is open.
  let picture: TiltedPicture
  /// The ratio that a selection must have; nil for any.
  let ratio: AspectRatio?
  /// The canvas around the result, which is drawn around the crop frame.
  let canvas: CropCanvas?
  /// The current scale of the image; no step zooms out below it automatically.
  let heldScale: Double

  /// The part of the view that images and frames must fit in: the layout area that was set, clipped
  /// to the view, or everything except the margin, which is smaller in small views.
  var area: ViewRect {
    if let area = settings.layoutArea?.cut(to: view.bounds), area.width >= 1, area.height >= 1 {
      return area
    }
    return view.bounds.inset(by: min(settings.margin, min(view.width, view.height) / 8))
  }

  /// Whether the view is large enough to show anything.
  var isVisible: Bool { picture.frame.width > 0 && view.width >= 1 && view.height >= 1 }

  /// The viewfinder's frame: the largest of its ratio in the area, centered or with its top at the
  /// position that was set.
  var viewfinderFrame: ViewRect {
    let ratio = ratio ?? .square
    // For the largest crop: the frame must not change while the image is zoomed behind it.
    let most = canvas == nil ? nil : ratio.fitted(in: picture.frame.bounds)
    let area =
      most.map {
        room(for: FrameSize(width: max(1, Int($0.width)), height: max(1, Int($0.height))))
      } ?? area
    let width = min(area.width, area.height * ratio.value)
    var frame = ViewRect(center: area.center, width: width, height: width / ratio.value)
    if let top = settings.viewfinderTop {
      frame.y = max(area.minY, min(top * view.height, area.maxY - frame.height))
    }
    return frame
  }

  /// The point about which the view zooms if no pointer determines it.
  var middle: ViewPoint {
    settings.style == .viewfinder ? viewfinderFrame.center : area.center
  }

  /// The part of the view that the image must fit in if it does not move.
  var pictureArea: ViewRect {
    settings.style == .marquee && canvas != nil ? room(for: picture.frame) : area
  }

  /// The bounding box of the tilted image, in frame pixels.
  var pictureBox: FrameRect {
    let (width, height) = (Double(picture.frame.width), Double(picture.frame.height))
    let tilt = picture.tilt
    let (c, s) = tilt.degrees == 0 ? (1, 0) : (tilt.cosine, abs(tilt.sine))
    return FrameRect(
      center: picture.center, width: width * c + height * s, height: width * s + height * c)
  }

  /// Whether the image only has to be as wide as the frame on the screen.
  var fitsWidth: Bool {
    settings.style == .viewfinder && settings.cover == .fit && picture.tilt.degrees == 0
  }
}

// Where the image is placed.
extension CropLayout {
  /// The viewport if the user has not zoomed.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func restingViewport(for selection: FrameRect?) -> Viewport {
    guard isVisible else { return Viewport(scale: 1, origin: .zero) }
    switch settings.style {
    case .marquee, .quad:
      return Viewport(showing: pictureBox, in: pictureArea)
    case .studio:
      let selection = selection ?? picture.frame.bounds
      let size = FrameSize(width: Int(selection.width), height: Int(selection.height))
      return Viewport(showing: selection, in: room(for: size))
    case .viewfinder:
      return viewport(filling: viewfinderFrame, with: selection ?? picture.frame.bounds)
    }
  }

  /// The viewport under which a selection fills the crop frame.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func viewport(filling cropFrame: ViewRect, with selection: FrameRect) -> Viewport {
    // The larger scale: a selection a pixel off the frame's ratio still fills it.
    var scale = max(cropFrame.width / selection.width, cropFrame.height / selection.height)
    if fitsWidth, selection.height >= Double(picture.frame.height) {
      // From this zoom on, the complete height is selected: use the smallest such zoom.
      let reach = min(selection.midX, Double(picture.frame.width) - selection.midX)
      scale = min(scale, cropFrame.width / (2 * reach))
    }
    return Viewport(scale: scale, placing: selection.center, at: cropFrame.center)
  }

  /// The smallest and largest zoom, in view points per frame pixel.
  ///
  /// In the style `marquee`, the smallest zoom shows the complete image. With a crop frame, the
  /// image just covers it or, if the viewfinder fits, is just as wide. The largest is fifteen times
  /// that, and at least eight points per pixel, or what the settings say. A minimum or maximum size
  /// of the selection narrows the range.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func zoomRange(for cropFrame: ViewRect?) -> (least: Double, most: Double) {
    guard isVisible else { return (1, 1) }
    guard let cropFrame else {
      let least = Viewport(showing: pictureBox, in: pictureArea).scale
      return (least, largestZoom(for: least))
    }
    let (width, height) = (cropFrame.width, cropFrame.height)
    var least = 1 / picture.largestScale(width: width, height: height)
    if fitsWidth { least = width / Double(picture.frame.width) }
    var most = largestZoom(for: least)
    if let minimum = settings.minimum {
      most = min(most, width / Double(minimum.width), height / Double(minimum.height))
    }
    if let maximum = settings.maximum {
      least = max(least, width / Double(maximum.width), height / Double(maximum.height))
    }
    // A small selection may be shown larger than the zoom limit; no step zooms out from there
    // automatically.
    return (least, max(least, most, heldScale))
  }

  /// The largest zoom for a smallest one, in view points per frame pixel.
  private func largestZoom(for least: Double) -> Double {
    settings.largestZoom.map { least * $0 }
      ?? max(least * Interaction.largestZoom, Interaction.reachablePixel)
  }
}

// Moving the viewport back within its limits, or holding it beyond them.
extension CropLayout {
  /// The viewport moved the least distance to a valid position: in the style `marquee`, the image
  /// covers the area or is centered in it; in other styles, it covers the frame on the screen.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func panRested(_ viewport: Viewport, cropFrame: ViewRect?) -> Viewport {
    guard isVisible else { return viewport }
    guard let cropFrame else {
      let box = viewport(pictureBox)
      return viewport.panned(by: Self.covering(pictureArea, with: box))
    }
    if fitsWidth {
      return viewport.panned(by: Self.covering(cropFrame, with: viewport(picture.frame.bounds)))
    }
    let visible = viewport.inverse(cropFrame)
    let inside = picture.moved(inside: visible)
    return viewport.panned(
      by: ViewVector(
        dx: (visible.midX - inside.midX) * viewport.scale,
        dy: (visible.midY - inside.midY) * viewport.scale))
  }

  /// How far `box` must move to cover `area`, or to be centered in it in a direction in which it is
  /// too short.
  private static func covering(_ area: ViewRect, with box: ViewRect) -> ViewVector {
    func move(_ lower: Double, _ length: Double, _ start: Double, _ side: Double) -> Double {
      guard length > side else { return start + (side - length) / 2 - lower }
      return min(max(lower, start + side - length), start) - lower
    }
    return ViewVector(
      dx: move(box.minX, box.width, area.minX, area.width),
      dy: move(box.minY, box.height, area.minY, area.height))
  }

  /// The viewport with zoom and position inside their limits; the zoom changes about `focus`.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func rested(_ raw: Viewport, cropFrame: ViewRect?, about focus: ViewPoint) -> Viewport {
    let range = zoomRange(for: cropFrame)
    let scale = min(max(raw.scale, range.least), range.most)
    // Zooming by a factor of one would still move the image by a rounding error.
    let zoomed = scale == raw.scale ? raw : raw.zoomed(by: scale / raw.scale, about: focus)
    return panRested(zoomed, cropFrame: cropFrame)
  }

  /// The viewport to show while fingers drag the image beyond its limits.
  func resisted(_ raw: Viewport, cropFrame: ViewRect?, about focus: ViewPoint) -> Viewport {
    let range = zoomRange(for: cropFrame)
    let scale = Interaction.resistedZoom(raw.scale, least: range.least, most: range.most)
    let zoomed = raw.zoomed(by: scale / raw.scale, about: focus)
    let rest = panRested(zoomed, cropFrame: cropFrame)
    return rest.panned(
      by: ViewVector(
        dx: Interaction.banded(zoomed.origin.x - rest.origin.x, length: view.width),
        dy: Interaction.banded(zoomed.origin.y - rest.origin.y, length: view.height)))
  }

  /// The inverse of ``resisted(_:cropFrame:about:)``: where fingers have dragged an image that is
  /// shown beyond its limits. Catching the image on its way back then causes no jump.
  func unresisted(_ displayed: Viewport, cropFrame: ViewRect?, about focus: ViewPoint) -> Viewport {
    let range = zoomRange(for: cropFrame)
    let limit = min(max(displayed.scale, range.least), range.most)
    let factor = LibM.power(displayed.scale / limit, 1 / Interaction.overZoomExponent - 1)
    let rest = panRested(displayed, cropFrame: cropFrame)
    let raw = rest.panned(
      by: ViewVector(
        dx: Interaction.unbanded(displayed.origin.x - rest.origin.x, length: view.width),
        dy: Interaction.unbanded(displayed.origin.y - rest.origin.y, length: view.height)))
    return factor == 1 ? raw : raw.zoomed(by: factor, about: focus)
  }
}

// Room for a canvas.
extension CropLayout {
  /// The part of the area for a crop of this many pixels, so that its canvas fits in the area too;
  /// the complete area without a canvas.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func room(for crop: FrameSize) -> ViewRect {
    guard let layout = canvas?.layout(of: crop) else { return area }
    let size = FrameRect(
      x: 0, y: 0, width: Double(layout.size.width), height: Double(layout.size.height))
    let fitted = Viewport(showing: size, in: area)(
      FrameRect(
        x: Double(layout.crop.x), y: Double(layout.crop.y), width: Double(layout.crop.width),
        height: Double(layout.crop.height)))
    // If the canvas is far larger than the crop, the crop must still be large enough to edit.
    let least = Self.leastRoom
    let growth = max(
      1, least / max(fitted.width / area.width, fitted.height / area.height))
    return growth == 1
      ? fitted
      : ViewRect(
        center: area.center, width: fitted.width * growth, height: fitted.height * growth)
  }

  /// The smallest share of the area's width or height that a crop on its canvas has.
  private static var leastRoom: Double { 0.3 }
}
