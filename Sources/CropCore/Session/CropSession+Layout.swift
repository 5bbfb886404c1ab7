/// Where things lie when they rest.
extension CropSession {
  /// The part of the view in which pictures and frames are fitted: all but the margin, which shrinks
  /// with small views, or the room that was set, as far as the view has it.
  var area: ViewRect {
    if let room = room?.cut(to: view.bounds), room.width >= 1, room.height >= 1 { return room }
    let room = min(view.width, view.height)
    return view.bounds.inset(by: min(margin, room / 8))
  }

  /// Whether the view is large enough to show anything.
  var isShown: Bool { image != nil && view.width >= 1 && view.height >= 1 }

  /// The viewfinder's opening: the largest of its ratio in the area, centred or with its top where
  /// that was set.
  var opening: ViewRect {
    let (area, ratio) = (area, ratioToKeep ?? .square)
    let width = min(area.width, area.height * ratio.value)
    var opening = ViewRect(center: area.center, width: width, height: width / ratio.value)
    if let openingTop {
      opening.y = max(area.minY, min(openingTop * view.height, area.maxY - opening.height))
    }
    return opening
  }

  /// The point about which the view zooms when no finger says where.
  var middleOfView: ViewPoint { style == .viewfinder ? opening.center : area.center }

  /// The box that holds the tilted picture, in frame pixels.
  var pictureBox: FrameRect {
    let (width, height) = (Double(frame.width), Double(frame.height))
    let (c, s) = edit.tilt.degrees == 0 ? (1, 0) : (edit.tilt.cosine, abs(edit.tilt.sine))
    return FrameRect(
      center: picture.center, width: width * c + height * s, height: width * s + height * c)
  }

  /// The frame on the screen that stays where it is while the picture moves beneath; nil in a
  /// marquee, where the picture rests and nothing else does.
  var restingFrame: ViewRect? {
    switch style {
    case .marquee: nil
    case .viewfinder: opening
    case .studio: validRest?.frame ?? edit.selection.map { viewport($0) }
    }
  }

  /// Where frame and picture were put, if nothing has changed since.
  var validRest: Rest? {
    guard let rest, rest.viewport == viewport, rest.selection == edit.selection else { return nil }
    return rest
  }

  /// Remembers where frame and picture were put, beside what became of it in whole pixels.
  mutating func keepRest(_ frame: ViewRect?, raw: Viewport) {
    guard let frame, let selection = edit.selection else { return rest = nil }
    rest = Rest(raw: raw, frame: frame, viewport: viewport, selection: selection)
  }

  /// Where the picture rests when nothing has been zoomed.
  func restingViewport() -> Viewport {
    guard isShown else { return Viewport(scale: 1, origin: .zero) }
    switch style {
    case .marquee:
      return Viewport(showing: pictureBox, in: area)
    case .studio:
      return Viewport(showing: edit.selection ?? frame.bounds, in: area)
    case .viewfinder:
      return viewport(of: edit.selection ?? frame.bounds, in: opening)
    }
  }

  /// The viewport under which a selection fills a frame on the screen.
  func viewport(of selection: FrameRect, in frame: ViewRect) -> Viewport {
    // The larger scale: a selection a pixel off the frame's ratio still fills it.
    var scale = max(frame.width / selection.width, frame.height / selection.height)
    if fitsWidth, selection.height >= Double(self.frame.height) {
      // All of the height is selected at any zoom from here to there: the smallest.
      let reach = min(selection.midX, Double(self.frame.width) - selection.midX)
      scale = min(scale, frame.width / (2 * reach))
    }
    return Viewport(scale: scale, placing: selection.center, at: frame.center)
  }

  /// Whether the picture need only be as wide as the frame on the screen.
  var fitsWidth: Bool { style == .viewfinder && cover == .fit && edit.tilt.degrees == 0 }

  /// The smallest and largest zoom, in view points a frame pixel.
  ///
  /// Marquee: from the whole picture in view. With a frame: from the picture just covering it (or,
  /// when the viewfinder fits, just as wide). Up to fifteen times that, and always to eight points a
  /// pixel; a minimum or maximum size of the selection narrows it.
  func zoomRange(for frame: ViewRect?) -> (least: Double, most: Double) {
    guard isShown else { return (1, 1) }
    guard let frame else {
      let least = Viewport(showing: pictureBox, in: area).scale
      return (least, max(least * Interaction.largestZoom, Interaction.reachablePixel))
    }
    var least = 1 / picture.largestScale(width: frame.width, height: frame.height)
    if fitsWidth { least = frame.width / Double(self.frame.width) }
    var most = max(least * Interaction.largestZoom, Interaction.reachablePixel)
    if let minimum {
      most = min(most, frame.width / Double(minimum.width), frame.height / Double(minimum.height))
    }
    if let maximum {
      least = max(
        least, frame.width / Double(maximum.width), frame.height / Double(maximum.height))
    }
    // A small selection may be shown larger than one can zoom: from there no step zooms out by itself.
    let held = gesture.isActive ? viewportBeforeGesture.scale : viewport.scale
    return (least, max(least, most, held))
  }

  /// The viewport moved the least distance that lets the picture rest: in a marquee it covers the
  /// area or is centred in it, elsewhere it covers the frame on the screen.
  func panRested(_ viewport: Viewport, frame: ViewRect?) -> Viewport {
    guard isShown else { return viewport }
    guard let frame else {
      let box = viewport(pictureBox)
      return viewport.panned(by: Self.covering(area, with: box))
    }
    if fitsWidth {
      return viewport.panned(by: Self.covering(frame, with: viewport(self.frame.bounds)))
    }
    let shown = viewport.inverse(frame)
    let inside = picture.moved(inside: shown)
    return viewport.panned(
      by: ViewVector(
        dx: (shown.midX - inside.midX) * viewport.scale,
        dy: (shown.midY - inside.midY) * viewport.scale))
  }

  /// How far `box` must move so that it covers `area`, in each direction where it is long enough, and
  /// is centred in it where it is not.
  private static func covering(_ area: ViewRect, with box: ViewRect) -> ViewVector {
    func move(_ lower: Double, _ length: Double, _ start: Double, _ room: Double) -> Double {
      guard length > room else { return start + (room - length) / 2 - lower }
      return min(max(lower, start + room - length), start) - lower
    }
    return ViewVector(
      dx: move(box.minX, box.width, area.minX, area.width),
      dy: move(box.minY, box.height, area.minY, area.height))
  }

  /// The viewport brought within the limits of zoom and place; the zoom changes about `focus`.
  func rested(_ raw: Viewport, frame: ViewRect?, about focus: ViewPoint) -> Viewport {
    let range = zoomRange(for: frame)
    let scale = min(max(raw.scale, range.least), range.most)
    // A zoom by one would still move the picture by a rounding error.
    let zoomed = scale == raw.scale ? raw : raw.zoomed(by: scale / raw.scale, about: focus)
    return panRested(zoomed, frame: frame)
  }

  /// What is shown while fingers hold the picture beyond its limits.
  func resisted(_ raw: Viewport, frame: ViewRect?, about focus: ViewPoint) -> Viewport {
    let range = zoomRange(for: frame)
    let scale = Interaction.resistedZoom(raw.scale, least: range.least, most: range.most)
    let zoomed = raw.zoomed(by: scale / raw.scale, about: focus)
    let rest = panRested(zoomed, frame: frame)
    return rest.panned(
      by: ViewVector(
        dx: Interaction.banded(zoomed.origin.x - rest.origin.x, length: view.width),
        dy: Interaction.banded(zoomed.origin.y - rest.origin.y, length: view.height)))
  }

  /// Where fingers hold a picture that is shown beyond its limits: the way back, so that catching it
  /// on its way back makes no jump.
  func unresisted(_ shown: Viewport, frame: ViewRect?, about focus: ViewPoint) -> Viewport {
    let range = zoomRange(for: frame)
    let limit = min(max(shown.scale, range.least), range.most)
    let factor = LibM.power(shown.scale / limit, 1 / Interaction.overZoomExponent - 1)
    let rest = panRested(shown, frame: frame)
    let raw = rest.panned(
      by: ViewVector(
        dx: Interaction.unbanded(shown.origin.x - rest.origin.x, length: view.width),
        dy: Interaction.unbanded(shown.origin.y - rest.origin.y, length: view.height)))
    return factor == 1 ? raw : raw.zoomed(by: factor, about: focus)
  }

  /// The selection that a viewport puts in the frame on the screen, quantised.
  ///
  /// - Parameter start: the selection before, whose size is kept to the pixel while only panning.
  func selection(in frame: ViewRect, under viewport: Viewport, keeping start: FrameRect?)
    -> FrameRect
  {
    let shown = viewport.inverse(frame)
    if let start {
      let corner = FramePoint(
        x: shown.midX - start.width / 2, y: shown.midY - start.height / 2)
      return rules.moved(start, to: corner)
    }
    if fitsWidth, shown.height > Double(self.frame.height) {
      // The picture is lower than the opening: the largest of the ratio that it covers.
      let scale = Double(self.frame.height) / shown.height
      let strip = FrameRect(
        center: FramePoint(x: shown.midX, y: Double(self.frame.height) / 2),
        width: shown.width * scale, height: Double(self.frame.height))
      return rules.quantised(strip).rect
    }
    return rules.quantised(shown).rect
  }

  /// Lays everything out in a view of another size; the same part of the picture stays selected and
  /// the same part stays in view.
  mutating func resize(to size: ViewSize) {
    guard size != view else { return }
    relay { $0.view = size }
  }

  /// Changes what decides where things lie, and lays them out anew.
  mutating func relay(_ change: (inout Self) -> Void) {
    endGesture(keeping: true)
    let shown = ShownMiddle(self)
    change(&self)
    motion = nil
    changes.formUnion([.scene, .elements])
    relaid(from: shown)
  }

  /// Lays everything out; what was shown in the middle, and the zoom, stay as far as they can.
  mutating func relaid(from shown: ShownMiddle) {
    guard isShown else { return }
    guard style == .marquee || fitsWidth, let zoom = shown.zoom else {
      return viewport = restingViewport()
    }
    let frame = restingFrame
    let scale = zoomRange(for: frame).least * zoom
    viewport = rested(
      Viewport(scale: scale, placing: picture.turned(shown.middle), at: middleOfView), frame: frame,
      about: middleOfView)
  }
}

/// What a session showed in the middle before it is laid out anew.
struct ShownMiddle {
  /// The zoom in multiples of the smallest; nil where nothing was shown.
  let zoom: Double?
  /// What lay in the middle, on the picture before its tilt.
  let middle: FramePoint

  init(_ session: borrowing CropSession) {
    let least = session.zoomRange(for: session.restingFrame).least
    zoom = session.isShown ? session.viewport.scale / least : nil
    middle = session.picture.turnedBack(session.viewport.inverse(session.middleOfView))
  }
}
