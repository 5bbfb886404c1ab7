/// Where a picture and a frame lie in a view when they rest.
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
/// It is a pure function of settings, view, picture and ratio: nothing in it remembers.
struct CropLayout: Sendable {
  let settings: SessionSettings
  /// The view's size, in points.
  let view: ViewSize
  /// The picture under its tilt; its frame is empty where there is none.
  let picture: TiltedPicture
  /// The ratio that a selection must have; nil where any will do.
  let ratio: AspectRatio?
  /// The scale that the picture has already, from which no step zooms out by itself.
  let heldScale: Double

  /// The part of the view in which pictures and frames are fitted: all but the margin, which shrinks
  /// with small views, or the area that was set, as far as the view has it.
  var area: ViewRect {
    if let area = settings.layoutArea?.cut(to: view.bounds), area.width >= 1, area.height >= 1 {
      return area
    }
    return view.bounds.inset(by: min(settings.margin, min(view.width, view.height) / 8))
  }

  /// Whether the view is large enough to show anything.
  var isShown: Bool { picture.frame.width > 0 && view.width >= 1 && view.height >= 1 }

  /// The viewfinder's frame: the largest of its ratio in the area, centred or with its top where that
  /// was set.
  var viewfinderFrame: ViewRect {
    let (area, ratio) = (area, ratio ?? .square)
    let width = min(area.width, area.height * ratio.value)
    var frame = ViewRect(center: area.center, width: width, height: width / ratio.value)
    if let top = settings.viewfinderTop {
      frame.y = max(area.minY, min(top * view.height, area.maxY - frame.height))
    }
    return frame
  }

  /// The point about which the view zooms when no finger says where.
  var middle: ViewPoint {
    settings.style == .viewfinder ? viewfinderFrame.center : area.center
  }

  /// The box that holds the tilted picture, in frame pixels.
  var pictureBox: FrameRect {
    let (width, height) = (Double(picture.frame.width), Double(picture.frame.height))
    let tilt = picture.tilt
    let (c, s) = tilt.degrees == 0 ? (1, 0) : (tilt.cosine, abs(tilt.sine))
    return FrameRect(
      center: picture.center, width: width * c + height * s, height: width * s + height * c)
  }

  /// Whether the picture need only be as wide as the frame on the screen.
  var fitsWidth: Bool {
    settings.style == .viewfinder && settings.cover == .fit && picture.tilt.degrees == 0
  }
}

// Where the picture is put.
extension CropLayout {
  /// Where the picture rests when nothing has been zoomed.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func restingViewport(for selection: FrameRect?) -> Viewport {
    guard isShown else { return Viewport(scale: 1, origin: .zero) }
    switch settings.style {
    case .marquee:
      return Viewport(showing: pictureBox, in: area)
    case .studio:
      return Viewport(showing: selection ?? picture.frame.bounds, in: area)
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
      // All of the height is selected at any zoom from here to there: the smallest.
      let reach = min(selection.midX, Double(picture.frame.width) - selection.midX)
      scale = min(scale, cropFrame.width / (2 * reach))
    }
    return Viewport(scale: scale, placing: selection.center, at: cropFrame.center)
  }

  /// The smallest and largest zoom, in view points a frame pixel.
  ///
  /// Marquee: from the whole picture in view. With a crop frame: from the picture just covering it (or,
  /// when the viewfinder fits, just as wide). Up to fifteen times that, and always to eight points a
  /// pixel; a minimum or maximum size of the selection narrows it.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func zoomRange(for cropFrame: ViewRect?) -> (least: Double, most: Double) {
    guard isShown else { return (1, 1) }
    guard let cropFrame else {
      let least = Viewport(showing: pictureBox, in: area).scale
      return (least, max(least * Interaction.largestZoom, Interaction.reachablePixel))
    }
    let (width, height) = (cropFrame.width, cropFrame.height)
    var least = 1 / picture.largestScale(width: width, height: height)
    if fitsWidth { least = width / Double(picture.frame.width) }
    var most = max(least * Interaction.largestZoom, Interaction.reachablePixel)
    if let minimum = settings.minimum {
      most = min(most, width / Double(minimum.width), height / Double(minimum.height))
    }
    if let maximum = settings.maximum {
      least = max(least, width / Double(maximum.width), height / Double(maximum.height))
    }
    // A small selection may be shown larger than one can zoom: from there no step zooms out by itself.
    return (least, max(least, most, heldScale))
  }
}

// Back within the limits, or held beyond them.
extension CropLayout {
  /// The viewport moved the least distance that lets the picture rest: in a marquee it covers the
  /// area or is centred in it, elsewhere it covers the frame on the screen.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func panRested(_ viewport: Viewport, cropFrame: ViewRect?) -> Viewport {
    guard isShown else { return viewport }
    guard let cropFrame else {
      let box = viewport(pictureBox)
      return viewport.panned(by: Self.covering(area, with: box))
    }
    if fitsWidth {
      return viewport.panned(by: Self.covering(cropFrame, with: viewport(picture.frame.bounds)))
    }
    let shown = viewport.inverse(cropFrame)
    let inside = picture.moved(inside: shown)
    return viewport.panned(
      by: ViewVector(
        dx: (shown.midX - inside.midX) * viewport.scale,
        dy: (shown.midY - inside.midY) * viewport.scale))
  }

  /// How far `box` must move so that it covers `area`, in each direction where it is long enough, and
  /// is centred in it where it is not.
  private static func covering(_ area: ViewRect, with box: ViewRect) -> ViewVector {
    func move(_ lower: Double, _ length: Double, _ start: Double, _ side: Double) -> Double {
      guard length > side else { return start + (side - length) / 2 - lower }
      return min(max(lower, start + side - length), start) - lower
    }
    return ViewVector(
      dx: move(box.minX, box.width, area.minX, area.width),
      dy: move(box.minY, box.height, area.minY, area.height))
  }

  /// The viewport brought within the limits of zoom and place; the zoom changes about `focus`.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func rested(_ raw: Viewport, cropFrame: ViewRect?, about focus: ViewPoint) -> Viewport {
    let range = zoomRange(for: cropFrame)
    let scale = min(max(raw.scale, range.least), range.most)
    // A zoom by one would still move the picture by a rounding error.
    let zoomed = scale == raw.scale ? raw : raw.zoomed(by: scale / raw.scale, about: focus)
    return panRested(zoomed, cropFrame: cropFrame)
  }

  /// What is shown while fingers hold the picture beyond its limits.
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

  /// Where fingers hold a picture that is shown beyond its limits: the way back, so that catching it
  /// on its way back makes no jump.
  func unresisted(_ shown: Viewport, cropFrame: ViewRect?, about focus: ViewPoint) -> Viewport {
    let range = zoomRange(for: cropFrame)
    let limit = min(max(shown.scale, range.least), range.most)
    let factor = LibM.power(shown.scale / limit, 1 / Interaction.overZoomExponent - 1)
    let rest = panRested(shown, cropFrame: cropFrame)
    let raw = rest.panned(
      by: ViewVector(
        dx: Interaction.unbanded(shown.origin.x - rest.origin.x, length: view.width),
        dy: Interaction.unbanded(shown.origin.y - rest.origin.y, length: view.height)))
    return factor == 1 ? raw : raw.zoomed(by: factor, about: focus)
  }
}
