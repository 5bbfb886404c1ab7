import Foundation
import Testing

/// A ZIP archive with uncompressed files, read by its directory.
struct StoredZIP {
  /// The files in the directory's order.
  let files: [(name: String, bytes: Data)]

  var names: [String] { files.map(\.name) }

  /// The file with a name.
  subscript(name: String) -> Data? { files.first { $0.name == name }?.bytes }

  /// - Throws: if a number in it is wrong.
  init(_ archive: Data) throws {
    let bytes = [UInt8](archive)
    func number(_ place: Int, _ width: Int) throws -> Int {
      try #require(place >= 0 && place + width <= bytes.count)
      return bytes[place..<(place + width)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let end = bytes.count - 22
    try #require(try number(end, 4) == 0x0605_4b50)
    let count = try number(end + 10, 2)
    var place = try number(end + 16, 4)
    try #require(try number(end + 12, 4) == end - place)
    var files: [(String, Data)] = []
    var next = 0
    for _ in 0..<count {
      try #require(try number(place, 4) == 0x0201_4b50 && number(place + 10, 2) == 0)
      let (sum, size) = (try number(place + 16, 4), try number(place + 24, 4))
      let (length, start) = (try number(place + 28, 2), try number(place + 42, 4))
      let name = bytes[(place + 46)..<(place + 46 + length)]
      // The file's local header has the same values, and the files follow each other without gaps.
      try #require(try start == next && number(start, 4) == 0x0403_4b50)
      try #require(bytes[(start + 6)..<(start + 30)] == bytes[(place + 8)..<(place + 32)])
      next = start + 30 + length + size
      try #require(next <= end && bytes[(start + 30)..<(start + 30 + length)] == name)
      let contents = bytes[(next - size)..<next]
      try #require(Self.checksum(contents) == sum)
      files.append((try #require(String(validating: name, as: UTF8.self)), Data(contents)))
      place += 46 + length
    }
    try #require(place == end)
    self.files = files
  }

  /// CRC-32, bit by bit.
  private static func checksum(_ bytes: some Sequence<UInt8>) -> Int {
    var sum: UInt32 = .max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return Int(~sum)
  }
}
