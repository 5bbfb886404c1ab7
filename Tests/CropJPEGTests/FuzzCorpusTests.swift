import CropCore
import CropJPEG
import Foundation
import TestMaterial
import Testing

/// The fuzzing corpus.
struct FuzzCorpusTests {
  @Test func `the corpus exists`() { #expect(FuzzCorpus.files.count >= 18) }

  @Test(arguments: FuzzCorpus.files.map(\.name))
  func `every part of a sound file of the corpus keeps its coefficients`(name: String) throws {
    let source = try #require(HostileTests.corpus[name])
    guard let whole = try? Coefficients(source) else { return }
    let cutter = try JPEGCutter(input(source))
    let grid = cutter.header.grid
    let columns = (grid.size.width + grid.cellWidth - 1) / grid.cellWidth
    let rows = (grid.size.height + grid.cellHeight - 1) / grid.cellHeight
    for x in 0..<columns {
      for y in 0..<rows {
        for right in x + 1...columns {
          for bottom in y + 1...rows {
            let rect = BitmapRect(
              x: x * grid.cellWidth, y: y * grid.cellHeight,
              width: min(grid.size.width, right * grid.cellWidth) - x * grid.cellWidth,
              height: min(grid.size.height, bottom * grid.cellHeight) - y * grid.cellHeight)
            let ours = try Coefficients(try cut(cutter, rect).bytes)
            #expect(
              ours == whole.part(cellX: x, cellY: y, width: rect.width, height: rect.height),
              "\(rect)")
          }
        }
      }
    }
  }
}

/// The small files of the fuzzing corpus, including earlier findings; they are part of the
/// repository.
enum FuzzCorpus {
  static let files: [(name: String, bytes: [UInt8])] = Repository.corpus("JPEG").compactMap {
    file in
    guard file.pathExtension == "jpg", let data = try? Data(contentsOf: file) else { return nil }
    return (file.deletingPathExtension().lastPathComponent, [UInt8](data))
  }
}
