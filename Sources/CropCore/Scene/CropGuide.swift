/// Lines and areas over the crop that help to place the photo, such as the head box of a passport
/// photo. They change no pixel, and are not part of the recipe or the history.
public struct CropGuide: Hashable, Sendable {
  /// What is drawn, the lowest first.
  public var marks: [GuideMark]

  /// A guide with the given marks, by default none.
  public init(marks: [GuideMark] = []) {
    self.marks = marks
  }

  /// The marks of several guides together.
  public init(_ guides: [CropGuide]) {
    marks = guides.flatMap { $0.marks }
  }

  /// The line along which a print is cut, and the edge of the area that is safe from the cut.
  ///
  /// - Parameter bleed: what is cut off at each edge, as a share of the crop's shorter side, from 0
  ///   to 0.25. Printers keep the same distance inside the cut free.
  public static func trim(bleed: Double) -> CropGuide {
    func inset(_ share: Double, _ label: GuideLabel) -> GuideMark {
      GuideMark(.inset, x: share, y: 0, width: 0, height: 0, label: label)
    }
    return CropGuide(marks: [inset(bleed, .trim), inset(2 * bleed, .safe)])
  }
}

/// One mark of a guide, in shares of the result's width and height: (0, 0) is its top left corner,
/// (1, 1) its bottom right one.
public struct GuideMark: Hashable, Sendable {
  /// What is drawn.
  public var shape: GuideShape
  /// The left or first end; of an inset, its distance from every edge as a share of the shorter
  /// side.
  public var x: Double
  /// The top or first end.
  public var y: Double
  /// From there to the other end, which may be to the left.
  public var width: Double
  /// From there to the other end, which may be above.
  public var height: Double
  /// The text beside it.
  public var label: GuideLabel

  /// A mark with the given values.
  public init(
    _ shape: GuideShape, x: Double, y: Double, width: Double, height: Double,
    label: GuideLabel = .plain
  ) {
    (self.shape, self.x, self.y) = (shape, x, y)
    (self.width, self.height, self.label) = (width, height, label)
  }
}

/// What a mark of a guide looks like.
public enum GuideShape: Int, Hashable, Sendable {
  /// A straight line.
  case line = 0
  /// An ellipse.
  case oval = 1
  /// A tinted rectangle, with lines at those of its edges that are not edges of the result.
  case area = 2
  /// A rectangle at the same distance from all edges of the result.
  case inset = 3
}

/// The text beside a mark; the user interface has the words.
public enum GuideLabel: Int, Hashable, Sendable {
  /// No text.
  case plain = 0
  /// Where the top of the head, the eyes and the chin may be.
  case crown, eyes, chin
  /// What the controls of an app cover.
  case covered
  /// Where a print is cut; what is safe from the cut.
  case trim, safe
}
