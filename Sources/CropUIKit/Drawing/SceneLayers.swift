#if canImport(UIKit)
  import CropCore
  import UIKit

  /// Draws a scene in layers.
  ///
  /// The picture is a layer of its own whose contents are set once: an event only changes its
  /// transform. Lines and marks are a handful of shape layers that are used again for every scene.
  @MainActor
  final class SceneLayers {
    /// What lies behind a transparent picture, or stands for one that is not there yet.
    let ground = CAShapeLayer()
    /// The picture.
    let picture = CALayer()
    /// Its stored pixels where the preview is too coarse.
    let detail = CALayer()
    /// Shades, lines and marks, in drawing order.
    let marks = MarkLayers()
    let label = SizeLabel()
    let lens = LensLayer()
    var traits = UITraitCollection()

    private weak var view: UIView?
    private var isTranslucent = false
    /// How many pixels wide what is shown of the picture is; nil before it is there.
    private var shownWidth: Int?
    /// Where the picture lies in the view.
    private var place: Affine<ImageSpace, ViewSpace>?

    /// Puts everything on a view.
    func attach(to view: UIView) {
      self.view = view
      picture.anchorPoint = .zero
      picture.position = .zero
      for layer in [detail, lens.detail] {
        layer.anchorPoint = .zero
        layer.isHidden = true
      }
      picture.addSublayer(detail)
      for layer in [ground, picture, marks.root, lens.root] { view.layer.addSublayer(layer) }
      view.addSubview(label)
      lens.root.isHidden = true
      label.isHidden = true
    }

    /// Shows the pixels of a picture, or none; a preview may come later.
    func show(_ picture: CropPicture?, as preview: CGImage? = nil) {
      CATransaction.begin()
      CATransaction.setDisableActions(true)
      let contents = preview ?? picture?.immediateBitmap
      shownWidth = contents?.width
      let size = picture?.size ?? ImageSize(width: 0, height: 0)
      let bounds = CGRect(x: 0, y: 0, width: size.width, height: size.height)
      for layer in [self.picture, lens.picture] {
        layer.contents = contents
        // Its own space is the upright picture's pixels: the scene's transform fits as it is.
        layer.bounds = bounds
      }
      isTranslucent = picture?.isTranslucent ?? false
      showDetail(nil, of: nil)
      CATransaction.commit()
    }

    /// Shows stored pixels over the preview, in the part of the picture that they are.
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

    /// The part of the picture that is on the screen, where the preview has fewer pixels for it than
    /// the screen; nil where it has enough, or is the picture.
    func partToRefine(of source: CropPicture) -> ImageRect? {
      guard let place, let view, let width = shownWidth, width < source.size.width else {
        return nil
      }
      let share = Double(width) / Double(source.size.width)
      guard place.scale * Double(traits.displayScale) > share else { return nil }
      return place.part(of: source.size, shownIn: ViewRect(view.bounds))
    }

    /// Draws a scene at once, without animation: what moves comes as many scenes.
    func draw(_ scene: CropCore.Scene, look: CropLook, words: CropWords) {
      CATransaction.begin()
      CATransaction.setDisableActions(true)
      defer { CATransaction.commit() }
      let bounds = view?.bounds ?? .zero
      var isEmpty = true
      label.isHidden = true
      lens.root.isHidden = true
      marks.begin(in: bounds, look: look, traits: traits)
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

    /// Past four device pixels to the picture's pixel a person looks at pixels, so they stay
    /// square.
    private func filter(at map: Affine<ImageSpace, ViewSpace>) -> CALayerContentsFilter {
      map.scale * Double(traits.displayScale) >= 4 ? .nearest : .linear
    }
  }

  extension UIColor {
    /// The colour for dark or light surroundings: layers do not follow by themselves.
    func resolved(_ traits: UITraitCollection) -> CGColor {
      resolvedColor(with: traits).cgColor
    }
  }
#endif
