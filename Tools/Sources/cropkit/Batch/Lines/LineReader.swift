import CropImaging
import Glibc

/// A line of a manifest that is not blank.
struct BatchLine {
  /// The line number from 1, including blank lines.
  let number: Int
  /// The bytes without the line break; nil if there is more than a megabyte.
  let bytes: [UInt8]?
}

/// Splits incoming data into lines and the bytes that follow them. Not thread-safe.
final class LineReader {
  /// Reads bytes into a buffer and returns their number, 0 at the end.
  typealias Fill = (UnsafeMutableRawBufferPointer) throws(CropError) -> Int

  private let fill: Fill
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  /// The unread part of the buffer.
  private var rest = 0..<0
  private var number = 0

  private static let longestLine = 1 << 20

  init(_ fill: @escaping Fill) { self.fill = fill }

  deinit { buffer.deallocate() }

  /// The next line that is not blank; nil at the end.
  ///
  /// - Throws: what the source throws.
  func next() throws(CropError) -> BatchLine? {
    while var line = try anyLine() {
      number += 1
      guard !line.isTooLong else { return BatchLine(number: number, bytes: nil) }
      if number == 1, line.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { line.bytes.removeFirst(3) }
      let isBlank = line.bytes.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
      if !isBlank { return BatchLine(number: number, bytes: line.bytes) }
    }
    return nil
  }

  /// Reads the bytes that follow the last line into `place`; returns fewer only at the end of the
  /// data.
  ///
  /// - Throws: what the source throws.
  func take(into place: UnsafeMutableRawBufferPointer) throws(CropError) -> Int {
    var done = 0
    while done < place.count {
      let left = UnsafeMutableRawBufferPointer(rebasing: place[done...])
      if rest.isEmpty {
        // Reads large data directly into their destination.
        let count = try fill(left)
        guard count > 0 else { break }
        done += count
      } else {
        let count = min(left.count, rest.count)
        left.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[rest.prefix(count)]))
        rest.removeFirst(count)
        done += count
      }
    }
    return done
  }

  /// Skips the bytes that follow the last line; returns how many were skipped.
  ///
  /// - Throws: what the source throws.
  func skip(_ count: Int) throws(CropError) -> Int {
    var done = 0
    while done < count {
      if rest.isEmpty { guard try refill() else { break } }
      let piece = min(count - done, rest.count)
      rest.removeFirst(piece)
      done += piece
    }
    return done
  }

  private func refill() throws(CropError) -> Bool {
    rest = 0..<(try fill(buffer))
    return !rest.isEmpty
  }

  /// A line, blank or not; nil at the end.
  private func anyLine() throws(CropError) -> (bytes: [UInt8], isTooLong: Bool)? {
    var line: [UInt8] = []
    var isTooLong = false
    while true {
      if rest.isEmpty, try !refill() {
        return line.isEmpty && !isTooLong ? nil : (line, isTooLong)
      }
      let piece = UnsafeRawBufferPointer(rebasing: buffer[rest])
      let end = piece.firstIndex(of: 0x0A)
      let count = end ?? piece.count
      if line.count + count > Self.longestLine {
        isTooLong = true
        line = []
      }
      if !isTooLong { line += piece.prefix(count) }
      rest.removeFirst(end.map { $0 + 1 } ?? count)
      if end != nil { return (line, isTooLong) }
    }
  }
}
