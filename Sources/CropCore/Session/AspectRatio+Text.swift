#if !hasFeature(Embedded)
  extension AspectRatio {
    /// The ratio that `W:H` or `W/H` says in whole or decimal numbers, such as `16:9` or `1.91:1`; nil
    /// for anything else.
    public init?(text: String) {
      let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "/" }
      guard parts.count == 2 else { return nil }
      var millionths: [Int] = []
      for part in parts {
        // Six decimals are more than any picture can tell apart.
        guard part.allSatisfy({ "0123456789.+eE-".contains($0) }), let term = Double(part),
          term > 0,
          term <= Self.largestTypedTerm
        else { return nil }
        millionths.append(Int((term * 1e6).rounded(.toNearestOrAwayFromZero)))
      }
      self.init(millionths[0], millionths[1])
    }
  }
#endif
