import Foundation

/// coregraphics/cgpathfillrule
public enum CGPathFillRule: Int, Sendable {
  /// coregraphics/cgpathfillrule/winding
  case winding, evenOdd
}

/// coregraphics/cgpath
public class CGPath {
  /// Not Apple's: the parts of the path.
  public internal(set) var parts: [Part] = []

  /// Not Apple's: a part of a path.
  public enum Part: Equatable, Sendable {
    case move(CGPoint), line(CGPoint), close
    case rect(CGRect), ellipse(CGRect), rounded(CGRect, CGFloat, CGFloat)
  }

  init(parts: [Part]) { self.parts = parts }

  /// coregraphics/cgpath/init(rect:transform:)
  public init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
    parts = [.rect(rect)]
  }

  /// coregraphics/cgpath/init(ellipsein:transform:)
  public init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
    parts = [.ellipse(rect)]
  }

  /// coregraphics/cgpath/init(roundedrect:cornerwidth:cornerheight:transform:)
  public init(
    roundedRect rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat,
    transform: UnsafePointer<CGAffineTransform>?
  ) {
    parts = [.rounded(rect, cornerWidth, cornerHeight)]
  }

  /// coregraphics/cgpath/isempty
  public var isEmpty: Bool { parts.isEmpty }
}

/// coregraphics/cgmutablepath
public final class CGMutablePath: CGPath {
  /// coregraphics/cgmutablepath/init()
  public init() { super.init(parts: []) }

  /// coregraphics/cgmutablepath/move(to:)
  public func move(to point: CGPoint) { parts.append(.move(point)) }
  /// coregraphics/cgmutablepath/addline(to:)
  public func addLine(to point: CGPoint) { parts.append(.line(point)) }
  /// coregraphics/cgmutablepath/addrect(_:)
  public func addRect(_ rect: CGRect) { parts.append(.rect(rect)) }
  /// coregraphics/cgmutablepath/addpath(_:)
  public func addPath(_ path: CGPath) { parts += path.parts }
  /// coregraphics/cgmutablepath/closesubpath()
  public func closeSubpath() { parts.append(.close) }
}
