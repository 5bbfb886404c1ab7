/// What buttons, menus and programs ask for.
extension CropSession {
  mutating func handle(_ command: Command) {
    switch command.need(under: settings) {
    case .unchanged: return
    case .nothing: break
    case .rest: gestures.end(keeping: true, &editor)
    case .image:
      guard image != nil else { return editor.announcer.refuse() }
      gestures.end(keeping: true, &editor)
    }
    switch command {
    // Settings
    case .style(let style):
      gestures.armed = nil
      editor.setStyle(style)
    case .cover(let cover): editor.setCover(cover)
    case .minimumSize(let size): editor.setLimits(minimum: size, maximum: settings.maximum)
    case .maximumSize(let size): editor.setLimits(minimum: settings.minimum, maximum: size)
    case .largestZoom(let zoom): editor.relayout { $0.document.settings.largestZoom = zoom }
    case .grid(let grid):
      settings.grid = grid
      editor.announcer.changes.insert(.scene)
    case .guide(let guide):
      settings.guide = guide
      editor.announcer.changes.insert(.scene)
    case .lossless(let mode):
      settings.lossless = mode
      editor.announcer.changes.insert(.scene)
    case .reduceMotion(let reduces): editor.setReducesMotion(reduces)
    case .rightToLeft(let rightToLeft): settings.isRightToLeft = rightToLeft
    case .keepsRatio(let keeps): settings.keepsRatio = keeps
    case .margin(let margin): editor.relayout { $0.document.settings.margin = margin }
    case .layoutArea(let area): editor.relayout { $0.document.settings.layoutArea = area }
    case .viewfinderTop(let share):
      editor.relayout { $0.document.settings.viewfinderTop = share }
    // Interaction
    case .focus(let key):
      editor.focus = key
      // Ignores key releases while another element has keyboard focus.
      if key == nil { gestures.isSpaceHeld = false }
    case .armDraw(let isArmed): arm(.draw, isArmed && settings.style.canDraw)
    case .armLevel(let isArmed): arm(.level, isArmed && settings.style != .quad)
    case .cancelGesture: gestures.cancel(&editor)
    case .crop: editor.announcer.changes.insert(isValid ? .cropWanted : .refused)
    case .increment(let key): adjust(key, by: 1)
    case .decrement(let key): adjust(key, by: -1)
    // Zoom
    case .zoom(let factor): zoom(by: factor)
    case .fit: fit()
    // History
    case .undo: editor.walk(forward: false)
    case .redo: editor.walk(forward: true)
    case .reset: editor.reset()
    // Turns and tilt
    case .turn(let clockwise): editor.turn(clockwise: clockwise)
    case .mirror(let vertically): editor.mirror(vertically: vertically)
    case .tilt(let angle, let phase): editor.tilt(to: angle, phase)
    // The selection
    case .clear: settings.style == .marquee ? editor.clearSelection() : editor.reset()
    case .selectAll: editor.place { $0.selectAll() }
    case .select(let rect): editor.select(rect)
    case .center: editor.center()
    case .snapToGrid: editor.snapToGrid()
    case .set(let field, let value): editor.set(field, to: value)
    // The result
    case .ratio(let ratio): editor.setRatio(ratio)
    case .swapRatio: editor.swapRatio()
    case .outputSize(let size): editor.setOutputSize(size)
    case .longestSide(let side): editor.setLongestSide(side)
    case .shape(let shape): editor.setShape(shape)
    case .canvas(let canvas, let movesRatio): editor.setCanvas(canvas, movesRatio: movesRatio)
    }
  }

  /// Arms the next drag, or disarms it if it is armed for that.
  private mutating func arm(_ drag: NextDrag, _ isArmed: Bool) {
    if isArmed || armed == drag { gestures.armed = isArmed ? drag : nil }
  }

  /// Increases or decreases an element's value.
  private mutating func adjust(_ key: ElementKey, by step: Double) {
    switch key {
    case .picture: zoom(by: step > 0 ? Interaction.keyZoom : 1 / Interaction.keyZoom)
    case .selection: editor.resize(.bottomRight, outward: step)
    case .topLeft, .top, .topRight, .right, .bottomRight, .bottom, .bottomLeft, .left:
      if let handle = key.handle { editor.resize(handle, outward: step) }
    }
  }

  // Nothing else zooms while pointers are down.

  mutating func zoom(by factor: Double) { if gestures.isIdle { editor.zoom(by: factor) } }
  mutating func fit() { if gestures.isIdle { editor.fit() } }
}

extension Command {
  /// What a command needs: nothing, that no gesture is under way, or an image. A setting that is
  /// `unchanged` is ignored.
  fileprivate enum Need { case unchanged, nothing, rest, image }

  fileprivate func need(under settings: SessionSettings) -> Need {
    switch self {
    case .reduceMotion, .lossless, .rightToLeft, .keepsRatio, .focus, .armDraw, .armLevel,
      .cancelGesture, .crop:
      .nothing
    case .grid(let grid): grid == settings.grid ? .unchanged : .nothing
    case .guide(let guide): guide == settings.guide ? .unchanged : .nothing
    case .style(let style): style == settings.style ? .unchanged : .rest
    case .cover(let cover): cover == settings.cover ? .unchanged : .rest
    case .minimumSize(let size), .maximumSize(let size):
      size?.isEmpty ?? false ? .nothing : .rest
    case .margin(let margin): margin == settings.margin ? .unchanged : .rest
    case .largestZoom(let zoom): zoom == settings.largestZoom ? .unchanged : .rest
    case .layoutArea(let area): area == settings.layoutArea ? .unchanged : .rest
    case .viewfinderTop(let share): share == settings.viewfinderTop ? .unchanged : .rest
    case .ratio, .shape, .canvas: .rest
    case .undo, .redo, .reset, .clear, .selectAll, .select, .center, .snapToGrid, .set, .turn,
      .mirror, .tilt, .swapRatio, .outputSize, .longestSide, .zoom, .fit, .increment, .decrement:
      .image
    }
  }
}
