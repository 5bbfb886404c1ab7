import CropCore
import Testing

@Suite struct `A ratio that is typed` {
  @Test(arguments: [
    (3.0, 2.0, 3, 2), (16, 9, 16, 9), (2.35, 1, 47, 20), (1, 1.5, 2, 3), (1.0004, 1, 1, 1),
    (0.001, 1, 1, 1000), (1_000_000, 1, 1_000_000, 1), (999_999.5, 0.5, 1_999_999, 1),
  ])
  func `is met to the third decimal`(width: Double, height: Double, wide: Int, high: Int) {
    #expect(AspectRatio(rounding: width, height) == AspectRatio(wide, high))
  }

  @Test(arguments: [0, -1, 0.0004, 1_000_000.5, .infinity, -.infinity, .nan, 1e300])
  func `is nil for invalid terms`(term: Double) {
    #expect(AspectRatio(rounding: term, 1) == nil)
    #expect(AspectRatio(rounding: 1, term) == nil)
  }
}

@Suite struct `A ratio that is written` {
  @Test(arguments: [
    ("16:9", 16, 9), ("3/2", 3, 2), ("1.91:1", 191, 100), ("1 : 1.5", 2, 3),
    ("0.000001:1", 1, 1_000_000),
    ("1.777778:1", 888_889, 500_000), ("1.9999999:1", 2, 1), ("1000000:1", 1_000_000, 1),
    // Six decimals would need more than 32 bits, so they are rounded to three.
    ("999999.000001:1", 999_999, 1),
  ])
  func `is read from its text`(text: String, width: Int, height: Int) {
    #expect(AspectRatio(text: text) == AspectRatio(width, height))
  }

  @Test(arguments: [
    "", ":", "16:", ":9", "0:1", "1:0.0000001", "-1:2", "+1:2", "1e1:2", "1.:2", ".5:2",
    "1..2:3", "1:2:3",
    "1 2:3", "16:9 ", "1000001:1", "99999999999999999999:1", "nan:1",
  ])
  func `is nil for other texts`(text: String) {
    #expect(AspectRatio(text: text) == nil)
  }

  @Test func `may be a word or a quotient for any choice`() {
    func fixed(_ width: Int, _ height: Int) -> RatioChoice? {
      AspectRatio(width, height).map { .fixed($0) }
    }
    #expect(RatioChoice(text: "") == .free && RatioChoice(text: "free") == .free)
    #expect(RatioChoice(text: "original") == .original(isSwapped: false))
    #expect(RatioChoice(text: "square") == fixed(1, 1) && RatioChoice(text: "16/9") == fixed(16, 9))
    #expect(RatioChoice(text: "1.7777777777777777") == fixed(16, 9))
    #expect(
      RatioChoice(text: "0.5625") == fixed(9, 16) && RatioChoice(text: "2.39") == fixed(239, 100))
    #expect(RatioChoice(text: "3.14159265") == fixed(355, 113))
    for text in ["wide", "fre", "freed", "-1.5", "0", "0.00001", "1e3", "1000001"] {
      #expect(RatioChoice(text: text) == nil, "\(text)")
    }
  }
}
