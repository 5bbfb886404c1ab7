#if canImport(UIKit)
  import CropCore
  import UIKit

  // Converts the core's values to the types of Apple's frameworks.

  extension CGPoint {
    package init(_ point: ViewPoint) {
      self.init(x: point.x, y: point.y)
    }
  }

  extension ViewPoint {
    package init(_ point: CGPoint) {
      self.init(x: Double(point.x), y: Double(point.y))
    }
  }

  extension CGRect {
    package init(_ rect: ViewRect) {
      self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    }
  }

  extension ViewRect {
    package init(_ rect: CGRect) {
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

    /// The outline of the image.
    static func edge(_ quad: ViewQuad) -> CGPath {
      let path = CGMutablePath()
      path.move(to: CGPoint(quad.a))
      for corner in [quad.b, quad.c, quad.d] { path.addLine(to: CGPoint(corner)) }
      path.closeSubpath()
      return path
    }
  }

  extension CGMutablePath {
    /// Adds the lines of a grid inside a rectangle, `step` apart, starting with those through
    /// `first`.
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
