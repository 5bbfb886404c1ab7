import CropCore
import CropJPEG
import TestMaterial
import Testing

/// Border blocks written with tables that lack codes.
struct BorderTableTests {
  /// 01 ends a block, 00 is a coefficient of one bit after no zeros.
  private let few: (counts: [UInt8], symbols: [UInt8]) = ([0, 2], [0x01, 0x00])

  @Test func `a border block has only symbols that the table codes`() throws {
    // Two blocks whose first coefficients are ±1; a steep step needs codes that the table lacks.
    let block = "01 100" + "00 1" + "00 0" + "00 1" + "01"
    let source = HandMadeJPEG(columns: 2, step: 60, ac: few).file([block + block])
    for width in 1...15 {
      let ours = try cut(source, BitmapRect(x: 0, y: 0, width: width, height: 8)).bytes
      let blocks = try Coefficients(ours).components[0].blocks
      for block in blocks {
        let last = block[1...].lastIndex { $0 != 0 } ?? 0
        #expect(block[1...].allSatisfy { abs($0) <= 1 })
        #expect(last == 0 || block[1...last].allSatisfy { $0 != 0 })
      }
    }
  }

  @Test func `a table without an end of block gets 63 values`() throws {
    // 0 is a coefficient of one bit after no zeros; nothing else can be coded.
    let table: (counts: [UInt8], symbols: [UInt8]) = ([1], [0x01])
    let block = "00" + String(repeating: "01", count: 63)
    let source = HandMadeJPEG(columns: 2, step: 1, ac: table).file([block + block])
    let ours = try cut(source, BitmapRect(x: 0, y: 0, width: 5, height: 8)).bytes
    let blocks = try Coefficients(ours).components[0].blocks
    #expect(blocks.count == 1)
    #expect(blocks[0][1...].allSatisfy { abs($0) == 1 })
  }

  @Test func `a table that ends blocks with sixteen zeros is used so`() throws {
    // 00 is sixteen zeros, 01 a coefficient of one bit after fourteen zeros.
    let table: (counts: [UInt8], symbols: [UInt8]) = ([0, 2], [0xF0, 0xE1])
    // 15 + 48 positions are 63.
    let block = "00" + "01 1" + "00 00 00"
    let source = HandMadeJPEG(columns: 2, step: 1, ac: table).file([block + block])
    let ours = try cut(source, BitmapRect(x: 0, y: 0, width: 5, height: 8)).bytes
    #expect(try Coefficients(ours).endsTightly)
  }

  @Test(arguments: ["30", "90", "100"])
  func `tables made for the picture are enough for its borders`(quality: String) throws {
    var random = Seeded(seed: 77)
    let source = try #require(
      TestPicture.jpeg(
        width: 64, height: 64, arguments: ["-optimize", "-quality", quality], random: &random))
    let cutter = try JPEGCutter(input(source))
    for size in 17...47 {
      let bytes = try cut(cutter, BitmapRect(x: 16, y: 0, width: size, height: size)).bytes
      #expect(try Coefficients(bytes).endsTightly)
    }
  }
}
