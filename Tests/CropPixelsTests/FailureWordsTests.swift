import CropImaging
import Testing

@testable import CropPixels

@Suite struct `The words of a failure` {
  @Test(arguments: [
    ("source_custom: bad seek to 4294967296\n", "it points outside itself"),
    ("source_custom: bad seek to 9\n\ntiff2vips: read error\n", "tiff2vips: read error"),
    ("VipsIcc: fallback to suggested intent\n  pngload: bad CRC\n", "pngload: bad CRC"),
    ("VipsIcc: no profile\n", "VipsIcc: no profile"), ("\n \n", "it gives no reason"),
  ])
  func `are those of the line that tells most`(words: String, detail: String) {
    let error = FailureWords(VipsFailure(words: words))
      .error(file: "a.tif", format: .tiff, limits: Limits())
    #expect(error == .corrupt(file: "a.tif", detail: detail))
  }

  @Test func `name the operation that gave none`() throws {
    let words = try Runtime.exclusively { Messages.failure(of: "tiffload_source").words }
    #expect(words.contains("tiffload_source"))
  }
}
