/// The image and its edits: what is cropped, without a view.
///
/// Its functions are the changes that users and programs make. Each is a step of the history only
/// if it is made by ``step(_:at:_:)``.
struct Document: Hashable, Sendable {
  /// The settings; style and limits determine which selections are valid.
  var settings = SessionSettings()
  /// The size of the upright image; nil if no image is open.
  var image: ImageSize?
  /// The JPEG in which the image is stored; nil if it is not in one that can be cut by blocks.
  var jpeg: StoredJPEG?
  var edit = Edit()
  /// The edit when the image was opened.
  var initial = Edit()
  /// The steps that can be undone and redone.
  var history = History()
  /// The user's last choice, from which changes of ratio and tilt start.
  var intent: Intent?
  /// Whether a recipe was restored since the image was opened, so that its frame was made earlier.
  var isRestored = false
}

extension Document {
  /// Opens another image with the style's initial selection and an empty history.
  mutating func open(_ image: ImageSize) {
    close()
    self.image = image
    edit = conformed(edit)
    initial = edit
  }

  /// Closes the image. The settings, the ratio, the shape and the canvas are kept.
  mutating func close() {
    let kept = edit
    self = Self(settings: settings)
    (edit.ratio, edit.shape, edit.canvas) = (kept.ratio, kept.shape, kept.canvas)
  }

  /// Whether there is a selection that can be cropped.
  var isValid: Bool { edit.selection != nil }
  var canReset: Bool { edit != initial }
  /// The frame: the size of the image after its quarter turns, in pixels.
  var frame: FrameSize { frame(of: edit) }
  var picture: TiltedPicture { TiltedPicture(frame: frame, tilt: edit.tilt) }

  private func frame(of edit: Edit) -> FrameSize {
    guard let image else { return FrameSize(width: 0, height: 0) }
    return OrientationMap<ImageSpace, FrameSpace>(edit.orientation, of: image).target
  }

  // MARK: Rules

  /// The rules that a selection must satisfy.
  var rules: SelectionRules { rules(of: edit) }

  private func rules(of edit: Edit) -> SelectionRules {
    let frame = frame(of: edit)
    // Size limits only apply to rectangles.
    let isQuad = settings.style == .quad
    return SelectionRules(
      bounds: TiltedPicture(frame: frame, tilt: edit.tilt), ratio: ratioToKeep(edit, on: frame),
      minimum: isQuad
        ? FrameSize(width: 1, height: 1) : settings.minimum ?? FrameSize(width: 1, height: 1),
      maximum: isQuad ? nil : settings.maximum)
  }

  /// The ratio that a selection must have: the chosen one; a viewfinder without one is square.
  var ratioToKeep: AspectRatio? { ratioToKeep(edit, on: frame) }

  private func ratioToKeep(_ edit: Edit, on frame: FrameSize) -> AspectRatio? {
    if settings.style == .quad { return nil }
    return edit.ratio.ratio(on: frame) ?? (settings.style == .viewfinder ? .square : nil)
  }

  /// The rule that the selection violates because a higher one has precedence; nil for none.
  var violatedRule: SelectionRule? { edit.selection.flatMap { rules.broken(by: $0) } }

  /// Whether the selection is at a size limit, or a rule is violated.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  var isAtLimit: Bool {
    if violatedRule != nil { return true }
    guard settings.minimum != nil || settings.maximum != nil, let selection = edit.selection
    else { return false }
    func isAt(_ size: FrameSize?) -> Bool {
      size.map {
        selection.width == Double($0.width) || selection.height == Double($0.height)
      } ?? false
    }
    return isAt(settings.minimum) || isAt(settings.maximum)
  }

  /// The selection that the style starts with.
  func firstSelection(of edit: Edit) -> FrameRect? {
    guard image != nil, settings.style != .marquee else { return nil }
    let rules = rules(of: edit)
    return onGrid(rules.quantized(rules.bounds.largestCentered).rect, of: edit)
  }

  /// A selection that the program chose, moved to where its crop of a JPEG is lossless, if
  /// possible.
  func onGrid(_ selection: FrameRect, of edit: Edit) -> FrameRect {
    guard let jpeg, edit.tilt.degrees == 0 else { return selection }
    return FrameGrid(jpeg, orientation: edit.orientation).nearest(to: selection)
  }

  /// An edit that has a selection if the style requires one, with the ratio to keep and within the
  /// limits.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  func conformed(_ edit: Edit) -> Edit {
    var edit = edit
    let rules = rules(of: edit)
    if settings.style == .quad { return edit.withQuad(on: rules.bounds) }
    edit.quad = nil
    guard let selection = edit.selection else {
      edit.selection = firstSelection(of: edit)
      return edit
    }
    if let ratio = rules.ratio, !ratio.matches(PixelLengths(selection)) {
      edit.selection = onGrid(rules.quantized(ratio.fitted(in: selection)).rect, of: edit)
    } else if !rules.allowsSize(of: selection) {
      edit.selection = rules.quantized(selection).rect
    }
    return edit
  }
}

// The history.
extension Document {
  var canUndo: Bool { changes(history.past) }
  var canRedo: Bool { changes(history.future) }

  /// Whether any of the steps looks different from the current state.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  private func changes(_ steps: [History.Step]) -> Bool {
    steps.contains { conformed($0) != edit }
  }

  /// A step's edit under the current style and limits.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  private func conformed(_ step: History.Step) -> Edit {
    if step.era == history.era { return step.edit }
    var edit = step.edit
    edit.made = step.made
    return conformed(edit)
  }

  /// Applies a change as one step of the history, and returns whether it changed anything.
  @discardableResult
  mutating func step(
    _ kind: History.Kind, at time: Seconds, _ change: (inout Self) -> Void
  ) -> Bool {
    let before = edit
    change(&self)
    return record(since: before, kind, at: time)
  }

  /// Stores the changes since an edit as one step of the history; false if there are none.
  @discardableResult
  mutating func record(since before: Edit, _ kind: History.Kind, at time: Seconds) -> Bool {
    guard edit != before else { return false }
    history.record(before, kind: kind, at: time)
    return true
  }

  /// Goes through the history to the next edit that looks different; false if there is none.
  @inline(never)  // One copy for all its callers, for the size of the page's module.
  mutating func walk(forward: Bool) -> Bool {
    guard forward ? canRedo : canUndo else { return false }
    var next = edit
    while next == edit, let step = history.walk(forward: forward, from: next) {
      next = conformed(step)
      history.setPresent(next, made: step.made)
    }
    edit = next
    intent = nil
    return true
  }

  /// Restores the state in which the image was opened.
  mutating func reset() {
    edit = initial
    intent = nil
  }

  /// Makes the selection satisfy changed settings, which is not a step of the history; the history
  /// keeps the state before. If nothing was edited, the selection becomes the new style's initial
  /// one.
  mutating func changeSettings(_ change: (inout SessionSettings) -> Void) {
    let wasUntouched = !canReset
    change(&settings)
    guard image != nil else { return }
    var step = history.step(to: edit)
    if wasUntouched, step.made == edit.made {
      (step.made.selection, step.made.quad) = (nil, nil)
    }
    history.startEra()
    edit = conformed(step)
    history.setPresent(edit, made: step.made)
    (initial.selection, initial.quad) = (nil, nil)
    initial = conformed(initial)
    intent = nil
  }

  /// Takes over a recipe that fits the image, as one step.
  mutating func restore(_ recipe: ResolvedCrop, output: OutputSize?, at time: Seconds) {
    isRestored = true
    step(.command, at: time) { document in
      let style = document.settings.style
      document.edit.orientation = recipe.orientation
      document.edit.tilt = recipe.tilt
      (document.edit.selection, document.edit.quad) = (recipe.rect, recipe.quad)
      document.edit.shape = recipe.shape
      document.edit.output = output
      if let ratio = document.ratioToKeep, !ratio.matches(PixelLengths(recipe.rect)) {
        // A viewfinder takes the recipe's ratio, so that it shows what is cropped.
        let own = AspectRatio(Int(recipe.rect.width), Int(recipe.rect.height))
        document.edit.ratio = style == .viewfinder ? own.map { .fixed($0) } ?? .free : .free
      }
      // In quad style, the ratio would apply to the result, whose size the recipe has.
      if style == .quad { (document.edit.ratio, document.edit.opposesSheet) = (.free, false) }
      document.edit = document.conformed(document.edit)
      document.intent = nil
    }
  }
}
