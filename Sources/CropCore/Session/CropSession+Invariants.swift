#if CROPKIT_CHECKS
  // Debug builds have these checks; release builds, and with them the page's module, have none of them.
  extension CropSession {
    /// Traps if the state is one that no input may lead to, whatever the input.
    ///
    /// Called after everything that changes the session from outside.
    func checkInvariants() {
      checkDocument()
      checkPlacement()
      checkInteraction()
    }

    private func checkDocument() {
      let edit = document.edit
      precondition(
        abs(edit.tilt.degrees) <= CropRecipe.largestTilt.degrees, "the tilt is beyond the largest")
      precondition(
        document.history.past.count <= Interaction.longestHistory, "the history is too long")
      guard let image else {
        precondition(edit.selection == nil, "something is selected on no picture")
        precondition(!canUndo && !canRedo, "there is a history without a picture")
        return
      }
      guard let selection = edit.selection else {
        precondition(focus == nil || focus == .picture, "an element that is gone has the keyboard")
        return
      }
      var recipe = CropRecipe(rect: selection, tilt: edit.tilt, shape: edit.shape)
      recipe.orientation = edit.orientation
      precondition(
        (try? recipe.resolved(for: image)) != nil, "the selection can't be cut out of the picture")
    }

    private func checkPlacement() {
      // A view without a size, as before its first layout, has no scale to show a picture at.
      guard isShown else { return }
      let viewport = placement.viewport
      precondition(
        viewport.scale > 0 && viewport.scale.isFinite, "the picture is shown at no scale")
      precondition(
        viewport.origin.x.isFinite && viewport.origin.y.isFinite, "the picture is shown nowhere")
    }

    private func checkInteraction() {
      let ids = interaction.pointers.map(\.id)
      precondition(
        ids.indices.allSatisfy { !ids[..<$0].contains(ids[$0]) }, "a pointer is down twice")
      precondition(
        !interaction.gesture.isUnderWay || !ids.isEmpty, "a gesture is under way without a pointer")
    }
  }
#endif
