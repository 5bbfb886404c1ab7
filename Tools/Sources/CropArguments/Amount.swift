import ArgumentParser

/// A whole number with an optional K, M or G, such as `300M`.
///
/// The letter stands for 1000, 10⁶ or 10⁹ where things are counted, and for 1024, 2²⁰ or 2³⁰ where
/// bytes are.
public struct Amount: ExpressibleByArgument {
  private let count: Int
  private let power: Int

  /// The amount that an argument states; nil for anything but a whole number of at least 1.
  public init?(argument: String) {
    let letters = "KMG"
    let unit = argument.uppercased().last.flatMap { letters.firstIndex(of: $0) }
    let digits = unit == nil ? argument[...] : argument.dropLast()
    guard let count = Int(digits), count >= 1, digits.allSatisfy(\.isNumber) else { return nil }
    self.count = count
    power = unit.map { letters.distance(from: letters.startIndex, to: $0) + 1 } ?? 0
    guard scaled(by: 1024) != nil else { return nil }
  }

  /// The number of things.
  public var things: Int { scaled(by: 1000) ?? .max }

  /// The number of bytes.
  public var bytes: Int { scaled(by: 1024) ?? .max }

  private func scaled(by step: Int) -> Int? {
    var value = count
    for _ in 0..<power {
      let (product, overflow) = value.multipliedReportingOverflow(by: step)
      if overflow { return nil }
      value = product
    }
    return value
  }
}
