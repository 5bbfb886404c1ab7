import Foundation
import TestMaterial
import Testing

@testable import CropFormats

@Suite struct `Unpacking` {
  /// "hello hello hello" from zlib: stored, and with the fixed codes.
  private let streams: [[UInt8]] = [
    [0x78, 0x01, 0x01, 17, 0, 238, 255] + Array("hello hello hello".utf8) + [0x3A, 0x2E, 6, 0x7D],
    [0x78, 0x01, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x90, 0, 0x3A, 0x2E, 6, 0x7D],
  ]

  @Test func `streams of both simple kinds are unpacked`() {
    for stream in streams {
      let text = Zlib.unpacked(stream[...], most: 100)
      #expect(text == Array("hello hello hello".utf8))
    }
  }

  @Test func `a stream that holds more than allowed is refused`() {
    for stream in streams {
      #expect(Zlib.unpacked(stream[...], most: 17) != nil)
      #expect(Zlib.unpacked(stream[...], most: 16) == nil)
    }
  }

  @Test func `a stream with a wrong checksum is refused`() {
    for stream in streams {
      #expect(Zlib.unpacked((stream.dropLast() + [0])[...], most: 100) == nil)
    }
  }

  @Test func `a stored stream is decompressed`() throws {
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
    #expect(Zlib.unpacked(try #require(Zlib.stored(bytes))[...], most: 1 << 20) == bytes)
  }

  @Test func `a damaged stream is refused, and nothing traps`() {
    for stream in streams {
      for count in Thorough.all(Array(0..<stream.count - 4), or: 200) {
        _ = Zlib.unpacked(stream[..<count], most: 1000)
      }
    }
    var random = Seeded(seed: 43)
    var largest = 0
    for _ in 0..<Thorough.count(20_000) {
      let bytes = [0x78, 0x9C] + (0..<60).map { _ in UInt8.random(in: 0...255, using: &random) }
      largest = max(largest, Zlib.unpacked(bytes[...], most: 1 << 10)?.count ?? 0)
    }
    #expect(largest <= 1 << 10)
    #expect(Zlib.unpacked([], most: 10) == nil)
    #expect(Zlib.unpacked([0x78, 0xBC, 0, 0], most: 10) == nil, "a dictionary is asked for")
  }
}
