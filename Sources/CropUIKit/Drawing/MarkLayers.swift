#if canImport(UIKit)
  import CropCore
  import UIKit

  /// Draws shades, lines and marks as shape layers; consecutive items of the same style share one.
  @MainActor
  final class MarkLayers {
    /// Contains the layers in drawing order.
    let root = CALayer()
    /// The outline of the image, to which a shade may be clipped.
    var pictureEdge: CGPath?

    private var look = CropLook()
    private var traits = UITraitCollection()
    private var bounds = CGRect.zero
    private var layers: [CAShapeLayer] = []
    private var used = 0
    private var pen: Pen?
    private var path = CGMutablePath()
    private var marks = CGMutablePath()
    private var edgeOfMarks: CAShapeLayer?

    /// The drawing style of consecutive items.
    private enum Pen: Equatable {
      case stroke(SceneRole, CGFloat)
      case fill(SceneRole)
      case blocks
      case area
    }

    func begin(in bounds: CGRect, look: CropLook, traits: UITraitCollection) {
      (self.bounds, self.look, self.traits) = (bounds, look, traits)
      used = 0
      pen = nil
      marks = CGMutablePath()
      edgeOfMarks = nil
    }

    func add(_ item: SceneItem) {
      switch item {
      case .shade(let outline, let opacity, let isClipped):
        addShade(outside: .outline(outline), opacity, isClipped: isClipped)
      case .quadShade(let quad, let opacity, let isClipped):
        addShade(outside: .edge(quad), opacity, isClipped: isClipped)
      case .stroke(let outline, let width, let role):
        // The dark outlines of the marks are below the frame and every mark.
        if role == .edge { reserveEdge() }
        take(.stroke(role, role == .frame ? look.frameWidth ?? width : width))
        path.addPath(.outline(outline))
      case .line(let from, let to, let width, let role):
        take(.stroke(role, width))
        path.move(to: CGPoint(from))
        path.addLine(to: CGPoint(to))
      case .bar(let rect, let role):
        guard look.showsHandles else { return }
        take(.fill(role))
        path.addRect(CGRect(rect))
        marks.addRect(CGRect(rect))
      case .blocks(let rect, let first, let step):
        take(.blocks)
        path.addBlocks(in: rect, first: first, step: step)
      case .guideArea(let quad):
        take(.area)
        path.addPath(.edge(quad))
      default: break
      }
    }

    func end() {
      flush()
      edgeOfMarks?.path = marks
      for layer in layers[used...] { layer.isHidden = true }
    }

    // MARK: Layers

    /// The next layer, on top of the earlier ones.
    private func next() -> CAShapeLayer {
      if used == layers.count {
        let layer = CAShapeLayer()
        layers.append(layer)
        root.addSublayer(layer)
      }
      let layer = layers[used]
      used += 1
      layer.isHidden = false
      layer.mask = nil
      layer.opacity = 1
      layer.fillRule = .nonZero
      layer.fillColor = nil
      layer.strokeColor = nil
      return layer
    }

    private func addShade(outside outline: CGPath, _ opacity: Double, isClipped: Bool) {
      flush()
      let layer = next()
      let shape = CGMutablePath()
      shape.addRect(bounds)
      shape.addPath(outline)
      layer.path = shape
      layer.fillRule = .evenOdd
      layer.fillColor = look.shade.resolved(traits)
      layer.opacity = Float(CGFloat(opacity / Interaction.shade) * look.shadeOpacity)
      if isClipped, let pictureEdge {
        let mask = CAShapeLayer()
        mask.path = pictureEdge
        layer.mask = mask
      }
      guard let fill = look.fill else { return }
      let inside = next()
      inside.path = outline
      inside.fillColor = fill.resolved(traits)
    }

    private func reserveEdge() {
      guard edgeOfMarks == nil, look.showsHandles else { return }
      flush()
      let layer = next()
      layer.strokeColor = look.edge.resolved(traits)
      layer.lineWidth = 2
      layer.path = nil
      edgeOfMarks = layer
    }

    /// Uses a pen; a different pen starts a new layer.
    private func take(_ pen: Pen) {
      guard pen != self.pen else { return }
      flush()
      self.pen = pen
      path = CGMutablePath()
    }

    private func flush() {
      guard let pen else { return }
      self.pen = nil
      switch pen {
      case .fill(let role):
        let layer = next()
        layer.fillColor = color(of: role).resolved(traits)
        layer.path = path
      case .blocks: stroke(look.blocks, width: 1)
      case .area:
        let layer = next()
        layer.fillColor = look.guide.resolved(traits)
        layer.opacity = Float(look.guideOpacity)
        layer.path = path
      case .stroke(let role, let width):
        // A white line has a dark outline, so that it is visible on bright images too.
        if role != .edge, role != .frame {
          stroke(role == .grid ? look.gridEdge : look.edge, width: width + 2)
        }
        stroke(color(of: role), width: width)
      }
    }

    private func stroke(_ color: UIColor, width: CGFloat) {
      let layer = next()
      layer.strokeColor = color.resolved(traits)
      layer.lineWidth = width
      layer.path = path
    }

    private func color(of role: SceneRole) -> UIColor {
      switch role {
      case .frame: look.frame
      case .edge: look.edge
      case .grid: look.grid
      case .guide: look.guide
      case .handle: look.handle
      case .snap, .activeHandle, .level: look.accent
      }
    }
  }
#endif
