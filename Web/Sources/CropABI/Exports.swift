import CropCore

// The module's functions, called by Web/Element/core.js. An instance of the module holds one session.
// Numbers are Double unless they are codes. An input answers with the bits of `Changes`; an output
// with the address of a list of Double: how many follow, then these, good until the next call.
// JavaScript runs a module on one thread, so the session needs no guard.

nonisolated(unsafe) var session = CropSession(style: .studio)
nonisolated(unsafe) var output = Output()

private func send(_ input: Input) -> Int32 { Int32(session.handle(input).rawValue) }

/// Writes a list about the session, which is lent: reading it in its place would copy all of it.
private func write(
  _ list: (inout Output, borrowing CropSession) -> Void
) -> UnsafePointer<Double> {
  output.start()
  list(&output, session)
  return output.finish()
}

let refused = Int32(Changes.refused.rawValue)

/// A whole number from JavaScript, nil for what is none or does not fit.
private func whole(_ value: Double) -> Int? { Int(exactly: value) }

/// Shows another picture of so many upright pixels.
@_expose(wasm, "ck_open") @_cdecl("ck_open")
public func open(width: Double, height: Double) -> Int32 {
  guard let width = whole(width), let height = whole(height) else { return refused }
  return Int32(session.open(ImageSize(width: width, height: height)).rawValue)
}

/// The view has another size, in points.
@_expose(wasm, "ck_resize") @_cdecl("ck_resize")
public func resize(width: Double, height: Double) -> Int32 {
  send(.resize(ViewSize(width: width, height: height)))
}

/// A pointer did something; the codes are those of the core's enumerations.
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

/// The wheel turned by so many points, or in detents if not precise.
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

/// A trackpad magnified by a factor about a point.
@_expose(wasm, "ck_magnify") @_cdecl("ck_magnify")
public func magnify(x: Double, y: Double, factor: Double, time: Double) -> Int32 {
  send(.magnify(at: ViewPoint(x: x, y: y), factor: factor, time: time))
}

/// A key was pressed.
@_expose(wasm, "ck_key") @_cdecl("ck_key")
public func key(code: Int32, modifiers: Int32, time: Double) -> Int32 {
  guard let key = Key(rawValue: Int(code)) else { return refused }
  return send(.key(key, Modifiers(rawValue: Int(modifiers)), time: time))
}

/// A frame has passed; `time` in seconds.
@_expose(wasm, "ck_tick") @_cdecl("ck_tick")
public func tick(time: Double) -> Int32 { send(.tick(time)) }

/// A button or a program asks for something; Web/interface.json has the codes; `time` in seconds.
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

/// Shows the recipe that was written into the input list; no width and height stand for the whole picture.
@_expose(wasm, "ck_set_recipe") @_cdecl("ck_set_recipe")
public func setRecipe() -> Int32 {
  var numbers = Numbers()
  guard let recipe = numbers.recipe(), let changes = try? session.restore(recipe) else {
    return refused
  }
  return Int32(changes.rawValue)
}

/// Lays the picture down in another way; the same part stays selected.
@_expose(wasm, "ck_lay") @_cdecl("ck_lay")
public func lay(turns: Int32, mirrored: Int32, tilt: Double) -> Int32 {
  let orientation = Orientation(isMirrored: mirrored != 0, quarterTurns: Int(turns))
  let laying = TargetDocument.Laying(orientation: orientation, tilt: Angle(degrees: tilt))
  return Int32(session.lay(laying).rawValue)
}

/// Whether a finger put down there is the session's and not the page's: 1 or 0.
@_expose(wasm, "ck_needs_touch") @_cdecl("ck_needs_touch")
public func needsTouch(x: Double, y: Double) -> Int32 {
  session.needsTouch(at: ViewPoint(x: x, y: y)) ? 1 : 0
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

/// The recipe: whether there is one, then its numbers.
@_expose(wasm, "ck_recipe") @_cdecl("ck_recipe")
public func recipe() -> UnsafePointer<Double> {
  write { output, session in
    guard let recipe = session.recipe else { return output.append(false) }
    output.append(true)
    output.append(recipe)
  }
}

/// What the controls around the picture show.
@_expose(wasm, "ck_state") @_cdecl("ck_state")
public func state() -> UnsafePointer<Double> {
  write { output, session in output.appendState(session) }
}

/// Numbers of the core that the page shows or starts from.
@_expose(wasm, "ck_constants") @_cdecl("ck_constants")
public func constants() -> UnsafePointer<Double> {
  write { output, _ in output.appendConstants() }
}

/// How to draw the result on a canvas: its size, the six numbers that take upright pixels there, whether
/// pixels are copied, the outline, and a rounded corner's width and height; nothing while nothing valid
/// is selected. Its longer side has at most `maxSide` pixels, unless that is 0; the last numbers say
/// whether it is that short without, and whether it is the picture as it is.
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
    }
  }
}

/// Tells the session in which JPEG its picture is stored, in stored pixels; no width stands for none.
/// Answers with the bits of `Changes`.
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

/// What to copy of the JPEG under one of its modes: the part in stored pixels and the orientation of the
/// result; nothing where pixels must be made anew. Under any other number, the part that the result is
/// drawn from.
@_expose(wasm, "ck_jpeg_plan") @_cdecl("ck_jpeg_plan")
public func jpegPlan(mode: Int32) -> UnsafePointer<Double> {
  write { output, session in
    var part = session.drawnPart
    var flag = Orientation.up
    if let mode = LosslessMode(code: Int(mode)) {
      guard let plan = session.jpegPlan(mode), plan.way == .lossless else { return }
      part = plan.rect
      flag = plan.flag
    }
    guard let part else { return }
    output.append(part.x)
    output.append(part.y)
    output.append(part.width)
    output.append(part.height)
    output.append(flag.rawValue)
  }
}

/// What to say aloud: a code, a count and numbers; nothing before the first.
@_expose(wasm, "ck_announcement") @_cdecl("ck_announcement")
public func announcement() -> UnsafePointer<Double> {
  write { output, session in
    if let announcement = session.announcement { output.append(announcement) }
  }
}
