import CropImaging
import Foundation
import TestMaterial
import Testing

@Suite struct `The article on servers` {
  @Test func `holds the code that is compiled here`() throws {
    let code = try String(
      contentsOf: Repository.folder.appendingPathComponent(
        "Tests/CropPixelsTests/ServerArticle.swift"), encoding: .utf8)
    let article = try String(
      contentsOf: Repository.folder.appendingPathComponent(
        "Sources/CropImaging/CropImaging.docc/CropOnAServer.md"), encoding: .utf8)
    #expect(article.contains("```swift\n\(code)```"))
  }

  @Test(arguments: SharedPictures.rows.filter { $0.file.hasPrefix("orient-landscape-6") })
  func `crops an upload`(row: SharedPictures.Row) async throws {
    let upload = try Data(contentsOf: URL(fileURLWithPath: row.path))
    let result = ImageSource(bytes: try await upperHalf(of: upload), name: "result")
    let info = try CropEngine(backend: JPEGBackend.jpegOnly).info(result)
    #expect(info.shown.width == 600 && info.shown.height == 225)
  }
}
