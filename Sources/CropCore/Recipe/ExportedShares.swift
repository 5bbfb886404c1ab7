#if !hasFeature(Embedded)
  /// A part of a picture and its focus as shares, the way systems hold them that cut pictures themselves.
  struct ExportedShares {
    private let part: Rect<ImageSpace>
    private let image: ImageSize
    /// The focus, in pixels; without one the part.
    private let focus: Rect<ImageSpace>
    /// What the part holds of the focus, as shares of the part; nil for none.
    let kept: (left: Double, top: Double, width: Double, height: Double)?

    init(_ part: ImageRect, of image: ImageSize, focus box: FocusBox?) {
      self.part = part.rect
      self.image = image
      guard let box else {
        focus = part.rect
        kept = nil
        return
      }
      let (across, down) = (Double(image.width), Double(image.height))
      let focus = Rect<ImageSpace>(
        x: box.x * across, y: box.y * down, width: box.width * across, height: box.height * down)
      self.focus = focus
      let (left, top) = (max(focus.minX, part.rect.minX), max(focus.minY, part.rect.minY))
      let right = min(focus.maxX, part.rect.maxX)
      let bottom = min(focus.maxY, part.rect.maxY)
      guard left <= right, top <= bottom else {
        kept = nil
        return
      }
      let (width, height) = (part.rect.width, part.rect.height)
      kept = (
        (left - part.rect.minX) / width, (top - part.rect.minY) / height, (right - left) / width,
        (bottom - top) / height
      )
    }

    /// By their names in `Web/exporters.json`.
    var numbers: [String: String] {
      let (across, down) = (Double(image.width), Double(image.height))
      var all = [
        "shareLeft": part.minX / across, "shareTop": part.minY / down,
        "shareWidth": part.width / across, "shareHeight": part.height / down,
        "shareRight": (across - part.maxX) / across, "shareBottom": (down - part.maxY) / down,
        "focusX": focus.center.x / across, "focusY": focus.center.y / down,
        "focusWidth": focus.width / across, "focusHeight": focus.height / down,
      ]
      if let kept {
        all["keptLeft"] = kept.left
        all["keptTop"] = kept.top
        all["keptWidth"] = kept.width
        all["keptHeight"] = kept.height
      }
      let ratio = AspectRatio(Int(part.width), Int(part.height)).flatMap { $0.isExact ? $0 : nil }
      return all.mapValues(CropExporter.decimal).merging(
        ["ratio": ratio.map { "\($0.width):\($0.height)" } ?? "NaN"]
      ) { first, _ in first }
    }
  }
#endif
