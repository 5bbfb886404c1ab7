/// What assistive technology finds.
extension CropSession {
  /// The picture, then the selection and its handles where there are any, in reading order.
  public var elements: [AccessibleElement] {
    guard isShown else { return [] }
    let whole = frame.bounds
    var elements = [
      AccessibleElement(
        key: .picture, frame: placement.viewport(layout.pictureBox), isFocused: focus == .picture,
        actions: [.increment, .decrement], value: whole)
    ]
    guard let selection = document.edit.selection else { return elements }
    let rect = placement.viewport(selection)
    elements.append(
      AccessibleElement(
        key: .selection, frame: rect, isFocused: focus == .selection,
        actions: [.increment, .decrement, .move, .activate], value: selection))
    guard settings.style != .viewfinder else { return elements }
    let side = Interaction.touchHitArea
    for handle in Handle.allCases {
      guard let key = ElementKey(rawValue: handle.rawValue + ElementKey.topLeft.rawValue) else {
        continue
      }
      elements.append(
        AccessibleElement(
          key: key, frame: ViewRect(center: rect.point(handle), width: side, height: side),
          isFocused: focus == key, actions: [.increment, .decrement, .move], value: selection))
    }
    return elements
  }
}
