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
  func `is none for what can't be a term`(term: Double) {
    #expect(AspectRatio(rounding: term, 1) == nil)
    #expect(AspectRatio(rounding: 1, term) == nil)
  }
}
