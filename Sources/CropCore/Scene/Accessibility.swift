/// What assistive technology finds.
extension CropSession {
  /// The accessible elements in reading order: the image, then the selection and its handles, if
  /// any.
  public var elements: [AccessibleElement] {
    guard editor.isVisible else { return [] }
    let (edit, viewport) = (editor.document.edit, editor.placement.viewport)
    var elements = [
      AccessibleElement(
        key: .picture, frame: viewport(editor.layout.pictureBox), isFocused: focus == .picture,
        actions: [.increment, .decrement], value: frame.bounds)
    ]
    guard let selection = edit.selection else { return elements }
    let rect = viewport(selection)
    elements.append(
      AccessibleElement(
        key: .selection, frame: rect, isFocused: focus == .selection,
        actions: [.increment, .decrement, .move, .activate], value: selection))
    guard settings.style != .viewfinder else { return elements }
    let side = Interaction.touchHitArea
    for handle in CropHandle.allCases {
      guard let key = ElementKey(rawValue: handle.rawValue + ElementKey.topLeft.rawValue) else {
        continue
      }
      var value = selection
      // The four corners are placed individually.
      if let quad = edit.quad {
        (value.x, value.y) = (quad.point(handle).x, quad.point(handle).y)
      }
      elements.append(
        AccessibleElement(
          key: key,
          frame: ViewRect(
            center: viewport(edit.point(of: handle, on: selection)), width: side,
            height: side),
          isFocused: focus == key, actions: [.increment, .decrement, .move], value: value))
    }
    return elements
  }
}
