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

    init(_ name: String, _ targets: [PhotoTarget?]) {
      self.name = name
      self.targets = targets.compactMap(\.self)
    }
  }
#endif
