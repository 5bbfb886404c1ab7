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
  func `are those of the most informative line`(words: String, detail: String) {
    let error = FailureWords(VipsFailure(words: words))
      .error(file: "a.tif", format: .tiff, limits: Limits())
    #expect(error == .corrupt(file: "a.tif", detail: detail))
  }

  @Test(arguments: [
    "heif: Invalid input: Unspecified: Too many auxiliary image references (2.0)\n",
    "heif: Invalid input: Non-existing item ID referenced: Non-existing aux image referenced (2.2000)\n",
    "heif: Memory allocation error: Security limit exceeded: Image size 17000x17000 exceeds (6.1000)\n",
    "heif: Unsupported file-type: Unspecified: File does not include any supported brands.\n (3.0)\n",
  ])
  func `of libheif are not damage if it only lacks a feature`(words: String) {
    let error = FailureWords(VipsFailure(words: words))
      .error(file: "a.heic", format: .heic, limits: Limits())
    #expect(error.exitStatus == 69, "\(error)")
  }

  @Test func `name the operation without a message`() throws {
    let words = try Runtime.exclusively { Messages.failure(of: "tiffload_source").words }
    #expect(words.contains("tiffload_source"))
  }
}
