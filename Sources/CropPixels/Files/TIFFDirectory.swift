import CropImaging

/// One directory of a TIFF, read from the file: what its pixels are coded with.
///
/// BigTIFF is not looked into.
struct TIFFDirectory {
  /// The number of the compression (tag 259), nil where it is not told.
  private(set) var compression: Int?
  /// The columns and rows of its tiles (tags 322 and 323), which can be decoded one by one; nil where it
  /// is stored in strips.
  private(set) var tile: (width: Int, height: Int)?

  /// The directory of the page with this number, from 0; nil where there is none to be found.
  init?(_ source: PictureSource, page: Int) {
    guard let head = Self.bytes(of: source, at: 0, count: 8) else { return nil }
    let isLittleEndian = head[0] == 0x49
    func number(_ bytes: ArraySlice<UInt8>) -> Int {
      (isLittleEndian ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
    }
    guard number(head[2..<4]) == 42 else { return nil }
    var offset = number(head[4..<8])
    for index in 0...max(0, page) {
      guard offset >= 8,
        let count = Self.bytes(of: source, at: offset, count: 2).map({ number($0[...]) }),
        let entries = Self.bytes(of: source, at: offset + 2, count: 12 * count + 4)
      else { return nil }
      if index < page {
        offset = number(entries[(12 * count)...])
        continue
      }
      var found: [Int: Int] = [:]
      for entry in 0..<count {
        let fields = Array(entries[12 * entry..<12 * entry + 12])
        // A type of 3 is two bytes; of compressions and tiles, the only other is four.
        found[number(fields[0..<2])] = number(fields[8..<(number(fields[2..<4]) == 3 ? 10 : 12)])
      }
      compression = found[259]
      if let width = found[322], let height = found[323] { tile = (width, height) }
    }
  }

  private static func bytes(of source: PictureSource, at offset: Int, count: Int) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: count)
    let done = buffer.withUnsafeMutableBytes { (try? source.read(into: $0, at: offset)) ?? 0 }
    return done == count ? buffer : nil
  }
}
