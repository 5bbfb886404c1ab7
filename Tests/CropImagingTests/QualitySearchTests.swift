import CropSystem
import Testing

@testable import CropImaging

/// The best quality of a file that may have so many bytes.
struct QualitySearchTests {
  /// Searches where a result has a hundred bytes for each step of quality; also tells what was tried.
  private func search(
    of best: Int, atMost bytes: Int, hasQuality: Bool = true
  ) throws(CropError) -> (found: Int?, reached: Int, tried: [Int]) {
    var tried: [Int] = []
    let (found, reached) = try QualitySearch.best(
      of: best, atMost: bytes, hasQuality: hasQuality, size: { $0 * 100 }
    ) { quality throws(CropError) in
      tried.append(quality)
      return quality
    }
    return (found, reached, tried)
  }

  @Test(arguments: 1...100, [30, 31, 47, 90, 94])
  func `it is the best there is, in eight encodings at most`(limit: Int, best: Int) throws {
    let (found, reached, tried) = try search(of: best, atMost: limit * 100)
    #expect(tried.count <= 8)
    #expect(found == (limit >= 30 || limit >= best ? min(limit, best) : nil))
    #expect(reached == (found ?? 30) * 100)
  }

  @Test(arguments: 30...100)
  func `from 100 on eight encodings come within a step of it`(limit: Int) throws {
    let (found, _, tried) = try search(of: 100, atMost: limit * 100)
    #expect(tried.count <= 8)
    #expect([limit - 1, limit].contains(try #require(found)))
  }

  @Test func `what is small enough is encoded once`() throws {
    let (found, _, tried) = try search(of: 90, atMost: 9000)
    #expect(found == 90 && tried == [90])
  }

  @Test func `where there is no quality nothing else is tried`() throws {
    let (found, reached, tried) = try search(of: 90, atMost: 8999, hasQuality: false)
    #expect(found == nil && reached == 9000 && tried == [90])
  }

  @Test func `a lower quality than the least is not raised`() throws {
    let (found, reached, tried) = try search(of: 20, atMost: 1900)
    #expect(found == nil && reached == 2000 && tried == [20])
  }
}
