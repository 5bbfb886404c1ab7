import CropCore

extension Output {
  /// Writes a scene: for each item its code, the count of its numbers, and the numbers.
  mutating func append(_ scene: Scene) {
    for item in scene.items { append(item) }
  }

  private mutating func append(_ item: SceneItem) {
    switch item {
    case .picture(let map):
      begin(.picture)
      append(map)
    case .shade(let outline, let opacity, let isClipped):
      begin(.shade)
      append(isClipped)
      append(opacity)
      append(outline)
    case .stroke(let outline, let width, let role):
      begin(.stroke)
      append(role.rawValue)
      append(width)
      append(outline)
    case .line(let from, let to, let width, let role):
      begin(.line)
      append(role.rawValue)
      append(width)
      append(from)
      append(to)
    case .bar(let rect, let role):
      begin(.bar)
      append(role.rawValue)
      append(rect)
    case .label(let label, let place): append(label, at: place)
    case .pictureEdge(let quad):
      begin(.pictureEdge)
      append(quad)
    case .quadShade(let quad, let opacity, let isClipped):
      begin(.quadShade)
      append(isClipped)
      append(opacity)
      append(quad)
    case .blocks(let rect, let first, let step):
      begin(.blocks)
      append(rect)
      append(first)
      append(step.dx)
      append(step.dy)
    case .canvas(let canvas, let outline):
      begin(.canvas)
      append(canvas)
      append(outline)
    case .magnifier(let center, let radius, let focus, let magnification):
      begin(.magnifier)
      append(center)
      append(focus)
      append(magnification)
      append(radius)
    }
  }

  private mutating func begin(_ item: ItemCode) {
    append(item.code)
    append(item.count)
  }

  private mutating func append(_ label: SceneLabel, at place: ViewPoint) {
    switch label {
    case .size(let size, let ratio):
      begin(.label)
      append(0)
      append(place)
      append(4)
      append(size.width)
      append(size.height)
      append(ratio?.width ?? 0)
      append(ratio?.height ?? 0)
    case .angle(let angle):
      append(ItemCode.label.code)
      append(5)
      append(1)
      append(place)
      append(1)
      append(angle.degrees)
    }
  }

  mutating func append<Space>(_ point: Point<Space>) {
    append(point.x)
    append(point.y)
  }

  mutating func append<Space>(_ rect: Rect<Space>) {
    append(rect.x)
    append(rect.y)
    append(rect.width)
    append(rect.height)
  }

  private mutating func append(_ quad: ViewQuad) {
    append(quad.a)
    append(quad.b)
    append(quad.c)
    append(quad.d)
  }

  private mutating func append(_ outline: Outline) {
    append(outline.shape.code)
    append(outline.rect)
    append(outline.shape.radius)
  }
}

extension CropShape {
  var code: Int {
    switch self {
    case .rectangle: ShapeCode.rectangle
    case .ellipse: ShapeCode.ellipse
    case .roundedRectangle: ShapeCode.rounded
    }
  }

  var radius: Double {
    if case .roundedRectangle(let radius) = self { radius } else { 0 }
  }

  init?(code: Int, radius: Double) {
    switch code {
    case ShapeCode.rectangle: self = .rectangle
    case ShapeCode.ellipse: self = .ellipse
    case ShapeCode.rounded: self = .roundedRectangle(radius: radius)
    default: return nil
    }
  }
}
