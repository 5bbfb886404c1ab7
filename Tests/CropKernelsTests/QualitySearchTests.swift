import CropKernels
import Testing

/// The best quality of a file with a maximum size.
struct QualitySearchTests {
  /// Searches with results of a hundred bytes per step of quality; also returns the qualities
  /// tried.
  private func search(
    of best: Int, atMost bytes: Int, hasQuality: Bool = true
  ) -> (found: Int?, reached: Int, tried: [Int]) {
    var search = QualitySearch(from: best)
    var tried: [Int] = []
    while let quality = search.next {
      tried.append(quality)
      search.note(isSmallEnough: quality * 100 <= bytes, hasQuality: hasQuality)
    }
    let found = tried.last { $0 * 100 <= bytes }
    return (found, (found ?? tried.last ?? 0) * 100, tried)
  }

  @Test(arguments: 1...100, [30, 31, 47, 90, 94])
  func `it is the best possible, in at most eight encodings`(limit: Int, best: Int) {
    let (found, reached, tried) = search(of: best, atMost: limit * 100)
    #expect(tried.count <= 8)
    #expect(found == (limit >= 30 || limit >= best ? min(limit, best) : nil))
    #expect(reached == (found ?? 30) * 100)
  }

  @Test(arguments: 30...100)
  func `from 100 on eight encodings come within a step of it`(limit: Int) throws {
    let (found, _, tried) = search(of: 100, atMost: limit * 100)
    #expect(tried.count <= 8)
    #expect([limit - 1, limit].contains(try #require(found)))
  }

  @Test func `a result that is small enough is encoded once`() {
    let (found, _, tried) = search(of: 90, atMost: 9000)
    #expect(found == 90 && tried == [90])
  }

  @Test func `without a quality setting, nothing else is tried`() {
    let (found, reached, tried) = search(of: 90, atMost: 8999, hasQuality: false)
    #expect(found == nil && reached == 9000 && tried == [90])
  }

  @Test func `a lower quality than the least is not raised`() {
    let (found, reached, tried) = search(of: 20, atMost: 1900)
    #expect(found == nil && reached == 2000 && tried == [20])
  }
}
