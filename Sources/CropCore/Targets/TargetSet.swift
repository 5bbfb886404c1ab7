#if !hasFeature(Embedded)
  /// A list of targets that comes with the program, chosen by name.
  public struct TargetSet: Hashable, Sendable {
    /// The name by which it is chosen, such as `social`.
    public let name: String
    /// The places, in the order in which they are listed.
    public let targets: [PhotoTarget]

    /// The set of a name; nil where there is none.
    public init?(name: String) {
      guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
      self = found
    }

    private init(_ name: String, _ targets: [PhotoTarget]) {
      self.name = name
      self.targets = targets
    }
  }

  extension TargetSet {
    /// All of them.
    public static let all: [TargetSet] = [
      TargetSet(
        "social",
        [
          ratio("square", 1, 1), ratio("portrait", 4, 5), ratio("story", 9, 16),
          ratio("wide", 16, 9),
          // What a link to a page shows of it.
          PhotoTarget(name: "link", frame: .size(FrameSize(width: 1200, height: 630))),
          ratio("banner", 3, 1),
        ].compactMap(\.self)),
      // Centimetres, either way up; the fewest pixels are those of 300 an inch.
      TargetSet(
        "print",
        [(9, 13), (10, 15), (13, 18), (20, 30)].flatMap { short, long in
          [print(short, long), print(long, short)].compactMap(\.self)
        }),
    ]

    private static func ratio(_ name: String, _ width: Int, _ height: Int) -> PhotoTarget? {
      AspectRatio(width, height).map { PhotoTarget(name: name, frame: .ratio($0)) }
    }

    private static func print(_ width: Int, _ height: Int) -> PhotoTarget? {
      func pixels(_ centimetres: Int) -> Int {
        Int((Double(centimetres) / 2.54 * 300).rounded(.up))
      }
      return AspectRatio(width, height).map {
        PhotoTarget(
          name: "\(width)x\(height)", frame: .ratio($0),
          minimum: FrameSize(width: pixels(width), height: pixels(height)))
      }
    }
  }
#endif
