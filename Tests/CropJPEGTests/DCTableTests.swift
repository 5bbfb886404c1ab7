import CropCore
import CropJPEG
import Testing

/// What happens if the source's DC table lacks a code that must be written.
struct DCTableTests {
  /// A gray image of three adjacent blocks, 24 by 8 pixels, from its bits.
  ///
  /// The AC table has one code, 0, for the end of the block.
  static func picture(dcCounts: [UInt8], dcSymbols: [UInt8], bits: String) -> [UInt8] {
    HandMadeJPEG(columns: 3, dc: (dcCounts, dcSymbols)).file([bits])
  }

  let last = BitmapRect(x: 8, y: 0, width: 16, height: 8)

  /// The DC values of each block.
  static func values(_ bytes: [UInt8]) throws -> [Int16] {
    try Coefficients(bytes).components[0].blocks.map { $0[0] }
  }

  /// The content of the first Huffman table.
  static func table(_ bytes: [UInt8]) -> [UInt8] {
    guard
      let at = bytes.indices.dropLast(3).first(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC4 }
      )
    else { return [] }
    return Array(bytes[at + 4..<at + 2 + Int(bytes[at + 3])])
  }

  @Test func `a table with room gains codes and keeps the old ones`() throws {
    // 00 is category 0, 01 category 3; 10 and 11 are unused.
    let source = Self.picture(
      dcCounts: [0, 2], dcSymbols: [0, 3], bits: "01 101 0  01 101 0  00 0")
    #expect(try Self.values(source) == [5, 10, 10])
    let ours = try cut(source, last).bytes
    #expect(try Self.values(ours) == [10, 10])
    #expect(
      Self.table(ours)
        == [0, 0, 2] + [UInt8](repeating: 0, count: 13) + [
          10, 0, 3, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11,
        ])
  }

  @Test func `a full table is replaced by the standard's`() throws {
    // 0 is category 0, 1 category 3: no code is unused.
    let source = Self.picture(dcCounts: [2], dcSymbols: [0, 3], bits: "1 101 0  1 101 0  0 0")
    #expect(try Self.values(source) == [5, 10, 10])
    let ours = try cut(source, last).bytes
    #expect(try Self.values(ours) == [10, 10])
    #expect(
      Self.table(ours)
        == [0, 0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0] + [UInt8](0...11))
    let all = try cut(source, BitmapRect(x: 0, y: 0, width: 24, height: 8)).bytes
    #expect(try Self.values(all) == [5, 10, 10])
  }

  @Test func `a value that no 8-bit picture has is damage`() throws {
    // Category 11, three times +2047.
    let source = Self.picture(
      dcCounts: [0, 1], dcSymbols: [11],
      bits: "00 11111111111 0  00 11111111111 0  00 11111111111 0")
    #expect(try Self.values(source) == [2047, 4094, 6141])
    let error = #expect(throws: JPEGError.self) { try cut(source, last) }
    guard case .corrupt(.dcRange, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `an invalid code is damage`() throws {
    // 11 is not a DC code.
    let source = Self.picture(dcCounts: [0, 2], dcSymbols: [0, 3], bits: "11 0 00 0 00 0")
    let error = #expect(throws: JPEGError.self) { try cut(source, last) }
    guard case .corrupt(.code, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
