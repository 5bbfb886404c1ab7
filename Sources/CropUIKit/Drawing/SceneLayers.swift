#if canImport(UIKit)
  import CropCore
  import UIKit

  /// Draws a scene in layers.
  ///
  /// The image is a separate layer whose contents are set once: an event only changes its
  /// transform. Lines and marks are a few shape layers that are reused for every scene.
  @MainActor
  final class SceneLayers {
    /// The background of a transparent image, or the placeholder of one that is not loaded yet.
    let ground = CAShapeLayer()
    let picture = CALayer()
    /// Its stored pixels, where the preview has too few pixels.
    let detail = CALayer()
    /// Shades, lines and marks, in drawing order.
    let marks = MarkLayers()
    let label = SizeLabel()
    let lens = LensLayer()
    let notes = GuideNotes()
    var traits = UITraitCollection()
    /// Whether pixels of the image that are brighter than white are shown so.
    var isHDR = false {
      didSet { if isHDR != oldValue { followHDR() } }
    }

    private weak var view: UIView?
    private var isTranslucent = false
    /// The width of the displayed bitmap, in pixels; nil before it is loaded.
    private var shownWidth: Int?
    private var place: Affine<ImageSpace, ViewSpace>?

    func attach(to view: UIView) {
      self.view = view
      picture.anchorPoint = .zero
      picture.position = .zero
      for layer in [detail, lens.detail] {
        layer.anchorPoint = .zero
        layer.isHidden = true
      }
      // Copies in smaller sizes, without which a large image that is shown small shimmers while it
      // moves.
      for layer in [picture, lens.picture] { layer.minificationFilter = .trilinear }
      picture.addSublayer(detail)
      for layer in [ground, picture, marks.root, lens.root] { view.layer.addSublayer(layer) }
      view.addSubview(notes)
      view.addSubview(label)
      lens.root.isHidden = true
      label.isHidden = true
      followHDR()
    }

    private func followHDR() {
      for layer in [picture, detail, lens.picture, lens.detail] { layer.setHDR(isHDR) }
    }

    /// Shows the pixels of an image, or none; a preview may follow later.
    func show(_ picture: CropPicture?, as preview: CGImage? = nil) {
      CATransaction.begin()
      CATransaction.setDisableActions(true)
      let contents = preview ?? picture?.immediateBitmap
      shownWidth = contents?.width
      let size = picture?.size ?? ImageSize(width: 0, height: 0)
      let bounds = CGRect(x: 0, y: 0, width: size.width, height: size.height)
      for layer in [self.picture, lens.picture] {
        layer.contents = contents
        // The layer's space is the upright image's pixels, so the scene's transform applies
        // directly.
        layer.bounds = bounds
      }
      isTranslucent = picture?.isTranslucent ?? false
      showDetail(nil, of: nil)
      CATransaction.commit()
    }

    /// Shows stored pixels over the preview, at their part of the image.
    func showDetail(_ pixels: CGImage?, of part: ImageRect?) {
      CATransaction.begin()
      CATransaction.setDisableActions(true)
      for layer in [detail, lens.detail] {
        layer.contents = pixels
        layer.isHidden = pixels == nil
        guard let part else { continue }
        layer.position = CGPoint(x: part.x, y: part.y)
        layer.bounds = CGRect(x: 0, y: 0, width: part.width, height: part.height)
      }
      CATransaction.commit()
    }

    /// The visible part of the image, if the preview has fewer pixels for it than the screen; nil
    /// if it has enough, or is the complete bitmap.
    func partToRefine(of source: CropPicture) -> ImageRect? {
      guard let place, let view, let width = shownWidth, width < source.size.width else {
        return nil
      }
      let share = Double(width) / Double(source.size.width)
      guard place.scale * Double(traits.displayScale) > share else { return nil }
      return place.part(of: source.size, shownIn: ViewRect(view.bounds))
    }

    /// Draws a scene immediately, without animation: an animation is a sequence of scenes.
    func draw(_ scene: CropScene, look: CropLook, words: CropWords) {
      CATransaction.begin()
      CATransaction.setDisableActions(true)
      defer { CATransaction.commit() }
      let bounds = view?.bounds ?? .zero
      var isEmpty = true
      label.isHidden = true
      lens.root.isHidden = true
      marks.begin(in: bounds, look: look, traits: traits)
      notes.begin(in: bounds)
      place = nil
      for item in scene.items {
        switch item {
        case .pictureEdge(let quad):
          isEmpty = false
          drawGround(quad, look)
        case .picture(let map):
          place = map
          picture.setAffineTransform(CGAffineTransform(map))
          for layer in [picture, detail] { layer.magnificationFilter = filter(at: map) }
        case .label(let value, let point):
          if look.showsLabel { label.show(words.text(of: value), at: CGPoint(point)) }
        case .note(let value, let point):
          if let text = words.text(of: value) { notes.add(text, at: CGPoint(point)) }
        case .magnifier(let center, let radius, let focus, let magnification):
          guard look.showsLens, let place else { continue }
          lens.show(
            place.magnified(
              by: magnification, showing: focus, at: ViewPoint(x: radius, y: radius)),
            at: CGPoint(center), radius: radius, ground: look.ground.resolved(traits))
        default: marks.add(item)
        }
      }
      marks.end()
      notes.end()
      picture.isHidden = isEmpty
      ground.isHidden = isEmpty
    }

    private func drawGround(_ quad: ViewQuad, _ look: CropLook) {
      let edge = CGPath.edge(quad)
      ground.path = edge
      marks.pictureEdge = edge
      if picture.contents == nil {
        ground.fillColor = look.placeholder.resolved(traits)
      } else {
        ground.fillColor = isTranslucent ? Checkerboard.color.resolved(traits) : nil
      }
    }

    /// The filter: above four device pixels per image pixel, pixels are shown as squares.
    private func filter(at map: Affine<ImageSpace, ViewSpace>) -> CALayerContentsFilter {
      map.scale * Double(traits.displayScale) >= 4 ? .nearest : .linear
    }
  }

  extension UIColor {
    /// The color for dark or light mode, which layers do not adapt automatically.
    func resolved(_ traits: UITraitCollection) -> CGColor {
      resolvedColor(with: traits).cgColor
    }
  }
#endif
