import Testing

@testable import CropMetadata

@Suite struct `Texts among bytes` {
  @Test func `are found at their first complete occurrence`() {
    let bytes = Array("ft ftyp.ftyp".utf8)
    #expect(bytes.place(of: "ftyp") == 3)
    #expect(bytes.place(of: "ftyp", from: 3) == 3)
    #expect(bytes.place(of: "ftyp", from: 4) == 8)
    #expect(bytes.place(of: "ftyp", from: 9) == nil)
    #expect(bytes.place(of: "ftyp.ftyp!") == nil)
    #expect(Array(bytes.dropLast()).place(of: "ftyp", from: 4) == nil)
    #expect([UInt8]().place(of: "f") == nil && bytes.place(of: "f", from: 99) == nil)
  }
}
