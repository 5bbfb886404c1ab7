extension CropSession {
  /// Traps if the state is invalid, which no input may cause. It is called after every change from
  /// outside, but only in debug builds; release builds, such as the page's module, don't check.
  @inline(__always)
  func checkInvariants() {
    #if CROPKIT_CHECKS
      checkDocument()
      checkPlacement()
      checkInteraction()
    #endif
  }

  #if CROPKIT_CHECKS
    private func checkDocument() {
      let edit = editor.document.edit
      precondition(
        abs(edit.tilt.degrees) <= CropRecipe.largestTilt.degrees, "the tilt is beyond the largest")
      precondition(
        editor.document.history.past.count <= Interaction.longestHistory, "the history is too long")
      guard let image else {
        precondition(edit.selection == nil, "something is selected on no picture")
        precondition(!canUndo && !canRedo, "there is a history without a picture")
        return
      }
      guard let selection = edit.selection else {
        precondition(focus == nil || focus == .picture, "the focus is on a missing element")
        return
      }
      precondition(
        (edit.quad != nil) == (settings.style == .quad), "four corners in a style that has none")
      precondition(
        edit.quad.map { $0.pixelBounds == selection && edit.tilt == .zero && $0.onGrid == $0 }
          ?? true,
        "the selection is not what the corners lie in")
      var recipe = CropRecipe(
        rect: edit.quad == nil ? selection : nil, tilt: edit.tilt, shape: edit.shape,
        quad: edit.quad)
      recipe.orientation = edit.orientation
      precondition(recipe.fits(image), "the selection can't be cut out of the picture")
    }

    private func checkPlacement() {
      // A view without a size, as before its first layout, has no scale to show an image at.
      guard editor.isVisible else { return }
      let viewport = editor.placement.viewport
      precondition(
        viewport.scale > 0 && viewport.scale.isFinite, "the picture is shown at no scale")
      precondition(
        viewport.origin.x.isFinite && viewport.origin.y.isFinite, "the viewport is not finite")
    }

    private func checkInteraction() {
      let ids = gestures.pointers.map(\.id)
      precondition(
        ids.indices.allSatisfy { !ids[..<$0].contains(ids[$0]) }, "a pointer is down twice")
      precondition(
        !gestures.gesture.isUnderWay || !ids.isEmpty, "a gesture is under way without a pointer")
    }
  #endif
}
