import CropSystem
import Testing

@Suite struct CropErrorTests {
  private static let errors: [CropError] = [
    .truncated(file: "a.jpg", detail: "no end"),
    .limitExceeded(file: "a.jpg", limit: .pixels, actual: 300_500_000, allowed: 300_000_000),
    .limitExceeded(file: "a.jpg", limit: .output, actual: 2, allowed: 1),
    .timedOut(file: "a.jpg", seconds: 30),
    .outOfMemory(file: "a.jpg", allowed: 1 << 30),
    .outputExists(path: "b.jpg"), .outputIsInput(path: "a.jpg"),
    .wouldLoseData(path: "a.jpg", losses: [DataLoss(code: "gain-map", name: "gain map")]),
  ]

  @Test(arguments: errors) func `only users of the programs read about flags`(_ error: CropError) {
    #expect(error.message(for: .command).contains(" -"))
    for reader in [CropError.Reader.http, .swift, .python] {
      #expect(!error.message(for: reader).contains(" -"), "\(reader)")
    }
  }

  @Test func `each reader is told what it can do`() {
    let big = CropError.limitExceeded(
      file: "a.jpg", limit: .pixels, actual: 300_500_000, allowed: 300_000_000)
    let finding = "a.jpg: has 300.5 megapixels, more than the limit of 300; "
    #expect(big.message(for: .command) == finding + "raise --limit-pixels to allow it")
    #expect(big.message(for: .python) == finding + "raise limits[\"pixels\"] to allow it")
    #expect("\(big)" == finding + "raise Limits.pixels to allow it")
    #expect(
      big.message(for: .http)
        == finding + "make it smaller, or ask the server's administrator to allow more")
  }

  @Test func `an optional field changes the message`() {
    let error = CropError.tooManyBytes(file: "a", reached: 20, allowed: 10, quality: nil)
    #expect(error.description.contains("write JPEG, WebP"))
    let known = CropError.outputChanged(path: "a", kept: "a-old")
    #expect(known.description.hasSuffix("now called a-old"))
    #expect(
      CropError.outputChanged(path: "a", kept: nil).description.hasSuffix("crop the new file"))
  }
}
