import CropCore
import CropImaging
import Foundation
import TestMaterial
import Testing

/// A backend that responds without decoding.
struct NoBackend: PixelBackend {
  var error = CropError.componentMissing(component: "pixels", advice: "this is a test")

  func crop(_ request: PixelRequest) throws(CropError) -> CropResult {
    throw error
  }

  func preview(
    _ source: ImageSource, info: ImageInfo, maxSide: Int, options: ResultOptions, limits: Limits
  ) throws(CropError) -> CropResult {
    throw error
  }
}

@Suite struct `Shared pictures` {
  let engine = CropEngine(backend: NoBackend())

  @Test(arguments: SharedPictures.rows)
  func `the header has the values of the list`(row: SharedPictures.Row) throws {
    let result = Result { () throws(CropError) in
      try engine.info(try ImageSource(path: row.path))
    }
    switch (row.expected, result) {
    case ("valid", .success(let info)):
      #expect("\(info.format)" == row.format || info.format.rawValue == row.format)
      #expect("\(info.stored.width)x\(info.stored.height)" == row.stored)
      #expect("\(info.shown.width)x\(info.shown.height)" == row.shown)
      if let number = Int(row.orientation) { #expect(info.orientation.rawValue == number) }
    case ("valid", .failure(let error)): Issue.record("\(error)")
    case ("limit", .failure(.limitExceeded)): break
    case ("soft", .failure(.truncated)):
      let info = try engine.info(try ImageSource(path: row.path), isLenient: true)
      #expect(info.warnings.map(\.code) == ["truncated"])
    case ("corrupt", .failure(let error)): #expect(error.exitStatus == 65)
    // Only the decoder can detect this.
    case ("corrupt", .success): break
    default: Issue.record("\(row.file): \(result), expected \(row.expected)")
    }
  }
}
