import CropCore

// The module's functions, called by Web/Element/core.js. An instance of the module has one session.
// Numbers are Double unless they are codes. An input returns the bits of `Changes`; an output
// returns the address of a list of Double: the count, then the numbers, valid until the next call.
// JavaScript runs a module on one thread, so the session needs no lock.

nonisolated(unsafe) var session = CropSession(style: .studio)
nonisolated(unsafe) var output = Output()

private func send(_ input: Input) -> Int32 { Int32(session.handle(input).rawValue) }

/// Writes a list about the session, which is passed `inout`, since the compiler would copy it for a
/// borrowing closure.
private func write(_ list: (inout Output, inout CropSession) -> Void) -> UnsafePointer<Double> {
  output.start()
  list(&output, &session)
  return output.finish()
}

let refused = Int32(Changes.refused.rawValue)

/// An integer from JavaScript; nil for other numbers.
private func whole(_ value: Double) -> Int? { Int(exactly: value) }

/// Shows another image of this size in upright pixels.
@_expose(wasm, "ck_open") @_cdecl("ck_open")
public func open(width: Double, height: Double) -> Int32 {
  guard let width = whole(width), let height = whole(height) else { return refused }
  return Int32(session.open(ImageSize(width: width, height: height)).rawValue)
}

/// Sets the size of the view in points.
@_expose(wasm, "ck_resize") @_cdecl("ck_resize")
public func resize(width: Double, height: Double) -> Int32 {
  send(.resize(ViewSize(width: width, height: height)))
}

/// Handles a pointer event; the codes are those of the core's enumerations.
@_expose(wasm, "ck_pointer") @_cdecl("ck_pointer")
public func pointer(
  phase: Int32, id: Int32, x: Double, y: Double, time: Double, kind: Int32, button: Int32,
  modifiers: Int32
) -> Int32 {
  guard let phase = PointerPhase(rawValue: Int(phase)), let kind = PointerKind(rawValue: Int(kind)),
    let button = PointerButton(rawValue: Int(button))
  else { return refused }
  return send(
    .pointer(
      PointerInput(
        phase, id: Int(id), at: ViewPoint(x: x, y: y), time: time, kind: kind, button: button,
        modifiers: Modifiers(rawValue: Int(modifiers)))))
}

/// Handles a wheel event, in points, or in steps if it is not precise.
@_expose(wasm, "ck_wheel") @_cdecl("ck_wheel")
public func wheel(
  x: Double, y: Double, dx: Double, dy: Double, isPrecise: Int32, modifiers: Int32, time: Double
) -> Int32 {
  send(
    .wheel(
      WheelInput(
        at: ViewPoint(x: x, y: y), delta: ViewVector(dx: dx, dy: dy), isPrecise: isPrecise != 0,
        modifiers: Modifiers(rawValue: Int(modifiers)), time: time)))
}

/// Handles a trackpad's magnification by a factor around a point.
@_expose(wasm, "ck_magnify") @_cdecl("ck_magnify")
public func magnify(x: Double, y: Double, factor: Double, time: Double) -> Int32 {
  send(.magnify(at: ViewPoint(x: x, y: y), factor: factor, time: time))
}

/// Handles a pressed key.
@_expose(wasm, "ck_key") @_cdecl("ck_key")
public func key(code: Int32, modifiers: Int32, time: Double) -> Int32 {
  guard let key = Key(rawValue: Int(code)) else { return refused }
  return send(.key(key, Modifiers(rawValue: Int(modifiers)), time: time))
}

/// Advances animations by a frame; `time` is in seconds.
@_expose(wasm, "ck_tick") @_cdecl("ck_tick")
public func tick(time: Double) -> Int32 { send(.tick(time)) }

/// Runs a command of a button or a program; the codes are in Web/interface.json, `time` is in
/// seconds.
@_expose(wasm, "ck_command") @_cdecl("ck_command")
public func command(code: Int32, a: Double, b: Double, time: Double) -> Int32 {
  guard let command = Command(code: code, a, b) else { return refused }
  return send(.command(command, time: time))
}

/// Whether a command's code is known: 1 or 0.
@_expose(wasm, "ck_supports") @_cdecl("ck_supports")
public func supports(code: Int32) -> Int32 {
  Command(code: code, 1, 1).map { _ in 1 } ?? 0
}

/// Shows the recipe in the input list; zero width and height mean the complete image.
@_expose(wasm, "ck_set_recipe") @_cdecl("ck_set_recipe")
public func setRecipe() -> Int32 {
  var numbers = Numbers()
  guard let recipe = numbers.recipe(), let changes = try? session.restore(recipe) else {
    return refused
  }
  return Int32(changes.rawValue)
}

/// Sets mirror, turns and tilt; the selection keeps its place in the image.
@_expose(wasm, "ck_set_transform") @_cdecl("ck_set_transform")
public func setTransform(turns: Int32, mirrored: Int32, tilt: Double) -> Int32 {
  let orientation = Orientation(isMirrored: mirrored != 0, quarterTurns: Int(turns))
  let transform = PictureTransform(orientation: orientation, tilt: Angle(degrees: tilt))
  return Int32(session.setTransform(transform).rawValue)
}

/// Whether a touch at a point is for the session instead of the page: 1 or 0.
@_expose(wasm, "ck_needs_touch") @_cdecl("ck_needs_touch")
public func needsTouch(x: Double, y: Double) -> Int32 {
  func isNeeded(_ session: inout CropSession) -> Bool {
    session.needsTouch(at: ViewPoint(x: x, y: y))
  }
  return isNeeded(&session) ? 1 : 0
}

/// The scene, as `Output.append(_:)` writes it.
@_expose(wasm, "ck_scene") @_cdecl("ck_scene")
public func scene() -> UnsafePointer<Double> {
  write { output, session in
    output.append(session.scene)
  }
}

/// The accessible elements: key, role, frame, focus, actions, and the values with their count.
@_expose(wasm, "ck_elements") @_cdecl("ck_elements")
public func elements() -> UnsafePointer<Double> {
  write { output, session in
    for element in session.elements {
      output.append(element.key.rawValue)
      output.append(element.role.rawValue)
      output.append(element.frame)
      output.append(element.isFocused)
      output.append(element.actions.rawValue)
      output.append(element.key == .picture ? 2 : 4)
      output.append(element.value.width)
      output.append(element.value.height)
      if element.key != .picture { output.append(element.value.origin) }
    }
  }
}

/// The recipe: whether there is one, its numbers and, for four corners, those corners; its
/// rectangle is then the one around them.
@_expose(wasm, "ck_recipe") @_cdecl("ck_recipe")
public func recipe() -> UnsafePointer<Double> {
  write { output, session in
    guard let recipe = session.recipe else { return output.append(false) }
    output.append(true)
    output.append(recipe)
    if let quad = recipe.quad { output.append(quad) }
  }
}

/// Puts the result on the canvas in the input list. The list starts with whether there is a canvas,
/// and whether it takes the selection's ratio.
@_expose(wasm, "ck_set_canvas") @_cdecl("ck_set_canvas")
public func setCanvas(time: Double) -> Int32 {
  var numbers = Numbers()
  let (isThere, movesRatio) = (numbers.flag(), numbers.flag())
  let canvas = isThere ? numbers.canvas() : nil
  guard !isThere || canvas != nil else { return refused }
  return send(.command(.canvas(canvas, movesRatio: movesRatio), time: time))
}

/// The canvas around the result, and the crop's rectangle on it if it fits; empty without a canvas.
@_expose(wasm, "ck_canvas") @_cdecl("ck_canvas")
public func canvas() -> UnsafePointer<Double> {
  write { output, session in
    guard let canvas = session.canvas else { return }
    output.append(canvas)
    if let layout = session.canvasLayout { output.append(layout) }
  }
}

/// The state for the controls around the image.
@_expose(wasm, "ck_state") @_cdecl("ck_state")
public func state() -> UnsafePointer<Double> {
  write { output, session in output.appendState(session) }
}

/// Constants of the core that the page shows or starts with.
@_expose(wasm, "ck_constants") @_cdecl("ck_constants")
public func constants() -> UnsafePointer<Double> {
  write { output, _ in output.appendConstants() }
}

/// How to draw the result on a canvas: its size, the six numbers of the map from upright pixels,
/// whether pixels are copied, the outline, and the width and height of a rounded corner; empty
/// without a valid selection. Its longer side has at most `maxSide` pixels, unless that is 0. Two
/// more numbers follow: whether it is that short without scaling, and whether it is the unchanged
/// image. For four corners, the map leads to a part of the image, whose width and height follow,
/// and then the corners in it.
@_expose(wasm, "ck_result") @_cdecl("ck_result")
public func result(maxSide: Double) -> UnsafePointer<Double> {
  write { output, session in
    var recipe = session.recipe
    let size = session.resultSize ?? FrameSize(width: 0, height: 0)
    let fits = maxSide <= 0 || Double(max(size.width, size.height)) <= maxSide
    if !fits { recipe?.output = .maxSide(max(1, whole(maxSide.rounded(.down)) ?? 1)) }
    if let image = session.image, let crop = try? recipe?.resolved(for: image) {
      let drawing = crop.drawing
      output.append(drawing.size.width)
      output.append(drawing.size.height)
      output.append(drawing.map)
      output.append(drawing.copiesPixels)
      output.append(drawing.shape.code)
      output.append(drawing.cornerWidth)
      output.append(drawing.cornerHeight)
      output.append(fits)
      output.append(crop.isIdentity)
      if let quad = crop.quad, let part = drawing.part {
        let place = crop.neededPart
        output.append(part.width)
        output.append(part.height)
        output.append(
          quad.map { FramePoint(x: $0.x - Double(place.x), y: $0.y - Double(place.y)) })
      }
    }
  }
}

/// Sets the JPEG that the image is stored in, in stored pixels; zero width means that it is not a
/// JPEG. Returns the bits of `Changes`.
@_expose(wasm, "ck_set_jpeg") @_cdecl("ck_set_jpeg")
public func setJPEG(
  width: Int32, height: Int32, cellWidth: Int32, cellHeight: Int32, orientation: Int32
) -> Int32 {
  guard width > 0, let orientation = Orientation(rawValue: Int(orientation)) else {
    return Int32(session.setJPEG(nil).rawValue)
  }
  let grid = JPEGGrid(
    size: BitmapSize(width: Int(width), height: Int(height)),
    cellWidth: Int(cellWidth), cellHeight: Int(cellHeight))
  return Int32(session.setJPEG(StoredJPEG(grid: grid, orientation: orientation)).rawValue)
}

/// The part of the JPEG to copy in a lossless mode: the part in stored pixels, the orientation of
/// the result, and the number of columns or rows at an edge that are requantized; empty if pixels
/// must be re-encoded. For any other mode, the part from which the result is drawn.
@_expose(wasm, "ck_jpeg_plan") @_cdecl("ck_jpeg_plan")
public func jpegPlan(mode: Int32) -> UnsafePointer<Double> {
  write { output, session in
    var part = session.drawnPart
    var flag = Orientation.up
    var requantized = 0
    if let mode = LosslessMode(code: Int(mode)) {
      guard let plan = session.jpegPlan(mode), plan.way == .lossless else { return }
      part = plan.rect
      flag = plan.flag
      requantized = plan.requantized.most
    }
    guard let part else { return }
    output.append(part.x)
    output.append(part.y)
    output.append(part.width)
    output.append(part.height)
    output.append(flag.rawValue)
    output.append(requantized)
  }
}

/// The announcement for screen readers: a code, a count and numbers; empty before the first one.
@_expose(wasm, "ck_announcement") @_cdecl("ck_announcement")
public func announcement() -> UnsafePointer<Double> {
  write { output, session in
    if let announcement = session.announcement { output.append(announcement) }
  }
}
