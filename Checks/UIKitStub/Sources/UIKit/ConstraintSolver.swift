/// Not Apple's: solves a view's constraints by elimination, higher priorities first.
///
/// A constraint that contradicts earlier ones is ignored; an inequality only counts if the
/// equalities violate it. That is enough for layouts that are completely specified.
@MainActor
struct ConstraintSolver {
  /// A linear equation: coefficients by variable, and their sum.
  private struct Row {
    var terms: [Int: Double]
    var sum: Double

    mutating func subtract(_ other: Row, times factor: Double) {
      for (variable, value) in other.terms {
        let rest = (terms[variable] ?? 0) - value * factor
        terms[variable] = abs(rest) < 1e-9 ? nil : rest
      }
      sum -= other.sum * factor
    }
  }

  private let root: UIView
  private var items: [ObjectIdentifier: Int] = [:]
  private var rows: [(pivot: Int, row: Row)] = []

  /// Positions the subviews and guides that have constraints.
  static func layOut(_ view: UIView) {
    view.placeGuides()
    guard !view.activeConstraints.isEmpty else { return }
    var solver = ConstraintSolver(root: view)
    solver.solve(view.activeConstraints)
    solver.place()
  }

  private init(root: UIView) {
    self.root = root
  }

  private mutating func solve(_ constraints: [NSLayoutConstraint]) {
    let ordered = constraints.sorted { $0.priority.rawValue > $1.priority.rawValue }
    var held: [NSLayoutConstraint] = []
    // A violated inequality becomes an equality, ahead of constraints with a lower priority.
    func isHeld(_ constraint: NSLayoutConstraint) -> Bool { held.contains { $0 === constraint } }
    for _ in 0...constraints.count {
      rows = []
      for constraint in ordered where constraint.relation == .equal || isHeld(constraint) {
        add(row(of: constraint))
      }
      let broken = ordered.first { $0.relation != .equal && !isHeld($0) && !holds($0) }
      guard let broken else { return }
      held.append(broken)
    }
  }

  private func holds(_ constraint: NSLayoutConstraint) -> Bool {
    var copy = self
    let row = copy.row(of: constraint)
    let value = row.terms.reduce(0) { $0 + $1.value * self.value(of: $1.key) } - row.sum
    return constraint.relation == .lessThanOrEqual ? value <= 1e-6 : value >= -1e-6
  }

  private mutating func row(of constraint: NSLayoutConstraint) -> Row {
    var row = Row(terms: [:], sum: Double(constraint.constant))
    add(constraint.first, 1, to: &row)
    if let second = constraint.second { add(second, -1, to: &row) }
    return row
  }

  private mutating func add(_ place: LayoutPlace, _ sign: Double, to row: inout Row) {
    let frame: CGRect?
    if let guide = place.guide,
      guide === root.safeAreaLayoutGuide || guide === root.layoutMarginsGuide
    {
      frame = guide.layoutFrame
    } else if place.guide == nil, place.view === root {
      frame = root.bounds
    } else {
      frame = nil
    }
    let base: Int
    if let object: AnyObject = place.guide ?? place.view, frame == nil {
      base = items[ObjectIdentifier(object)] ?? items.count * 4
      items[ObjectIdentifier(object)] = base
    } else {
      base = -1
    }
    // An item's four variables are its left, top, width and height.
    func term(_ index: Int, _ factor: Double) {
      if let frame {
        let numbers = [frame.minX, frame.minY, frame.width, frame.height]
        row.sum -= sign * factor * Double(numbers[index])
      } else {
        row.terms[base + index, default: 0] += sign * factor
      }
    }
    switch place.attribute {
    case .left: term(0, 1)
    case .right:
      term(0, 1)
      term(2, 1)
    case .centerX:
      term(0, 1)
      term(2, 0.5)
    case .top: term(1, 1)
    case .bottom:
      term(1, 1)
      term(3, 1)
    case .centerY:
      term(1, 1)
      term(3, 0.5)
    case .width: term(2, 1)
    case .height: term(3, 1)
    }
  }

  /// Adds an equation; if it follows from earlier ones or contradicts them, it changes nothing.
  private mutating func add(_ row: Row) {
    var row = row
    for (pivot, known) in rows {
      if let factor = row.terms[pivot] { row.subtract(known, times: factor) }
    }
    // The variable with the largest factor; a position before a length, so that an unconstrained
    // length is zero.
    let pivots = row.terms.sorted { a, b in
      if abs(a.value) != abs(b.value) { return abs(a.value) > abs(b.value) }
      let (isPlace, isOther) = (a.key % 4 < 2, b.key % 4 < 2)
      return isPlace == isOther ? a.key < b.key : isPlace
    }
    guard let (pivot, factor) = pivots.first else { return }
    row.terms = row.terms.mapValues { $0 / factor }
    row.sum /= factor
    for index in rows.indices {
      if let other = rows[index].row.terms[pivot] { rows[index].row.subtract(row, times: other) }
    }
    rows.append((pivot, row))
  }

  /// A variable's value; zero if unconstrained.
  private func value(of variable: Int) -> Double {
    rows.first { $0.pivot == variable }?.row.sum ?? 0
  }

  private func place() {
    func frame(_ object: AnyObject) -> CGRect? {
      guard let base = items[ObjectIdentifier(object)] else { return nil }
      return CGRect(
        x: value(of: base), y: value(of: base + 1), width: value(of: base + 2),
        height: value(of: base + 3))
    }
    for view in root.subviews where !view.translatesAutoresizingMaskIntoConstraints {
      if let frame = frame(view) { view.frame = frame }
    }
    for guide in root.layoutGuides {
      if let frame = frame(guide) { guide.layoutFrame = frame }
    }
  }
}
