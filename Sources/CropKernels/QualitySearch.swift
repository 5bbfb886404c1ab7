/// The search for the highest quality at which a file has at most a given number of bytes.
///
/// The caller encodes with ``next`` and notes whether the result was small enough, until ``next`` is
/// nil. The last result that was small enough is the best one; if none was, the last one is the
/// smallest.
public struct QualitySearch: Sendable {
  /// The lowest quality that is tried; below it, a smaller image looks better.
  public static var least: Int { 30 }
  /// The largest number of encodings of one result.
  public static var mostEncodings: Int { 8 }

  /// The quality to try next, 1 to 100; nil at the end of the search.
  public private(set) var next: Int?
  private var low = QualitySearch.least
  private var high: Int
  private var encodings = 0

  /// A search that starts with the highest quality, 1 to 100.
  public init(from best: Int) {
    next = best
    high = best
  }

  /// Notes the result of an encoding with ``next``.
  ///
  /// - Parameters:
  ///   - isSmallEnough: whether the result has at most the given number of bytes.
  ///   - hasQuality: whether the format of the result has a quality; otherwise there is nothing else
  ///     to try.
  public mutating func note(isSmallEnough: Bool, hasQuality: Bool) {
    guard let quality = next else { return }
    encodings += 1
    if encodings == 1 {
      next = isSmallEnough || !hasQuality || high <= Self.least ? nil : Self.least
      return
    }
    // If the least is too large, so is every other one.
    if isSmallEnough { low = quality } else { high = quality }
    // Each step halves the range.
    next = encodings < Self.mostEncodings && high - low > 1 ? (low + high) / 2 : nil
  }
}
