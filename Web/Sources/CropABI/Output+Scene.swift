import CropCore

extension Output {
  /// Writes a scene: for each item its code, how many numbers follow, and these.
  mutating func append(_ scene: Scene) {
    for item in scene.items { append(item) }
  }

  private mutating func append(_ item: SceneItem) {
    switch item {
    case .picture(let map):
      begin(0, 6)
      append(map.a)
      append(map.b)
      append(map.c)
      append(map.d)
      append(map.tx)
      append(map.ty)
    case .shade(let outline, let opacity, let isClipped):
      begin(1, 8)
      append(isClipped)
      append(opacity)
      append(outline)
    case .stroke(let outline, let width, let role):
      begin(2, 8)
      append(role.rawValue)
      append(width)
      append(outline)
    case .line(let from, let to, let width, let role):
      begin(3, 6)
      append(role.rawValue)
      append(width)
      append(from)
      append(to)
    case .bar(let rect, let role):
      begin(4, 5)
      append(role.rawValue)
      append(rect)
    case .label(let label, let place): append(label, at: place)
    case .pictureEdge(let quad):
      begin(6, 8)
      append(quad.a)
      append(quad.b)
      append(quad.c)
      append(quad.d)
    case .blocks(let rect, let first, let step):
      begin(8, 8)
      append(rect)
      append(first)
      append(step.dx)
      append(step.dy)
    case .magnifier(let center, let radius, let focus, let magnification):
      begin(7, 6)
      append(center)
      append(focus)
      append(magnification)
      append(radius)
    }
  }

  private mutating func begin(_ code: Int, _ count: Int) {
    append(code)
    append(count)
  }

  private mutating func append(_ label: SceneLabel, at place: ViewPoint) {
    switch label {
    case .size(let size, let ratio):
      begin(5, 8)
      append(0)
      append(place)
      append(4)
      append(size.width)
      append(size.height)
      append(ratio?.width ?? 0)
      append(ratio?.height ?? 0)
    case .angle(let angle):
      begin(5, 5)
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

  private mutating func append(_ outline: Outline) {
    append(outline.shape.code)
    append(outline.rect)
    append(outline.shape.radius)
  }
}

extension CropShape {
  var code: Int {
    switch self {
    case .rectangle: 0
    case .ellipse: 1
    case .roundedRectangle: 2
    }
  }

  var radius: Double {
    if case .roundedRectangle(let radius) = self { radius } else { 0 }
  }

  init?(code: Int, radius: Double) {
    switch code {
    case 0: self = .rectangle
    case 1: self = .ellipse
    case 2: self = .roundedRectangle(radius: radius)
    default: return nil
    }
  }
}
