import CropImaging

/// Reads integers of a source by position, through a buffer. Bytes past the end are 0, since the
/// structure of the file was checked before.
struct ByteWindow {
  let source: ImageSource
  private var window: [UInt8] = []
  private var start = 0

  init(_ source: ImageSource) { self.source = source }

  /// Whether there is a byte at `place`.
  func has(_ place: Int) -> Bool { place < source.byteCount }

  /// The byte at `place`.
  subscript(place: Int) -> Int {
    mutating get {
      if place < start || place >= start + window.count { fill(from: place) }
      return place - start < window.count ? Int(window[place - start]) : 0
    }
  }

  /// The number of `count` bytes at `place`, the most significant first.
  mutating func big(_ place: Int, _ count: Int) -> Int {
    bytes(place, count).number(0, count, .big) ?? .max
  }

  /// The text of `count` bytes at `place`.
  mutating func text(_ place: Int, _ count: Int = 4) -> String {
    String(decoding: bytes(place, count), as: UTF8.self)
  }

  private mutating func bytes(_ place: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(self[place + $0]) }
  }

  private mutating func fill(from place: Int) {
    window = (try? source.bytes(at: place, upTo: 1 << 16)) ?? []
    start = place
  }
}

extension ImageSource {
  /// The `count` bytes from `offset`, fewer at the end.
  func bytes(at offset: Int, upTo count: Int) throws(CropError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: max(0, min(count, byteCount - offset)))
    let done: Int
    do {
      done = try buffer.withUnsafeMutableBytes { try read(into: $0, at: offset) }
    } catch let error as CropError {
      throw error
    } catch {
      throw .readFailed(file: name, detail: "\(error)")
    }
    buffer.removeLast(buffer.count - done)
    return buffer
  }
}
