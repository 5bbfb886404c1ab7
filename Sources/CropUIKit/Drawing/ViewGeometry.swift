#if canImport(UIKit)
  import CropCore
  import UIKit

  // The core's values as Apple's frameworks take them: the same numbers in other types.

  extension CGPoint {
    init(_ point: ViewPoint) {
      self.init(x: point.x, y: point.y)
    }
  }

  extension ViewPoint {
    init(_ point: CGPoint) {
      self.init(x: Double(point.x), y: Double(point.y))
    }
  }

  extension CGRect {
    init(_ rect: ViewRect) {
      self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    }
  }

  extension ViewRect {
    init(_ rect: CGRect) {
      self.init(
        x: Double(rect.origin.x), y: Double(rect.origin.y), width: Double(rect.size.width),
        height: Double(rect.size.height))
    }
  }

  extension CGAffineTransform {
    init<From, To>(_ map: Affine<From, To>) {
      self.init(a: map.a, b: map.b, c: map.c, d: map.d, tx: map.tx, ty: map.ty)
    }
  }

  extension CGPath {
    /// An outline in the view.
    static func outline(_ outline: Outline) -> CGPath {
      let rect = CGRect(outline.rect)
      switch outline.shape {
      case .rectangle: return CGPath(rect: rect, transform: nil)
      case .ellipse: return CGPath(ellipseIn: rect, transform: nil)
      case .roundedRectangle(let radius):
        return CGPath(
          roundedRect: rect, cornerWidth: radius, cornerHeight: radius, transform: nil)
      }
    }

    /// The picture's edge.
    static func edge(_ quad: ViewQuad) -> CGPath {
      let path = CGMutablePath()
      path.move(to: CGPoint(quad.a))
      for corner in [quad.b, quad.c, quad.d] { path.addLine(to: CGPoint(corner)) }
      path.closeSubpath()
      return path
    }
  }

  extension CGMutablePath {
    /// The lines of a grid across a rectangle, `step` apart from the first of each on.
    func addBlocks(in rect: ViewRect, first: ViewPoint, step: ViewVector) {
      for x in stride(from: first.x, through: rect.maxX, by: step.dx) {
        move(to: CGPoint(x: x, y: rect.minY))
        addLine(to: CGPoint(x: x, y: rect.maxY))
      }
      for y in stride(from: first.y, through: rect.maxY, by: step.dy) {
        move(to: CGPoint(x: rect.minX, y: y))
        addLine(to: CGPoint(x: rect.maxX, y: y))
      }
    }
  }
#endif
