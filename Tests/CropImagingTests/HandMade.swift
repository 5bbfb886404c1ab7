import CropImaging
import Foundation

/// Files made by hand, small enough to be compared with their standards.
enum HandMade {
  /// The parts, one after the other.
  static func all(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

  static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  static func big16(_ n: Int) -> [UInt8] { [UInt8(n >> 8 & 255), UInt8(n & 255)] }
  static func big32(_ n: Int) -> [UInt8] { big16(n >> 16) + big16(n) }
  static func little16(_ n: Int) -> [UInt8] { big16(n).reversed() }
  static func little32(_ n: Int) -> [UInt8] { big32(n).reversed() }

  // MARK: JPEG

  static let start: [UInt8] = [0xFF, 0xD8]
  static let end: [UInt8] = [0xFF, 0xD9]

  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big16(content.count + 2) + content
  }

  static func frame(
    _ width: Int, _ height: Int, marker: UInt8 = 0xC0, precision: UInt8 = 8,
    factors: [UInt8] = [0x22, 0x11, 0x11]
  ) -> [UInt8] {
    let channels: [[UInt8]] = factors.enumerated().map { i, factor in [UInt8(i + 1), factor, 0] }
    let head = all([precision], big16(height), big16(width), [UInt8(factors.count)])
    return segment(marker, head + channels.joined())
  }

  static let scan: [UInt8] =
    segment(0xDA, [3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0x34]

  /// A complete JPEG with `before` ahead of its frame header.
  static func jpeg(_ before: [UInt8] = [], frame: [UInt8] = frame(16, 8)) -> [UInt8] {
    start + before + frame + scan + end
  }

  /// EXIF with the given orientation, in TIFF's structure.
  static func exif(
    _ value: Int, type: Int = 3, count: Int = 1, isLittle: Bool = true, times: Int = 1,
    next: Int = 0
  ) -> [UInt8] {
    func short(_ n: Int) -> [UInt8] { isLittle ? little16(n) : big16(n) }
    func long(_ n: Int) -> [UInt8] { isLittle ? little32(n) : big32(n) }
    let slot: [UInt8] =
      switch type {
      case 1, 6: [UInt8(value & 255), 0, 0, 0]
      case 3, 8: short(value) + [0, 0]
      default: long(value)
      }
    let field = all(short(0x0112), short(type), long(count), slot)
    let fields = Array(repeatElement(field, count: times).joined())
    let order: [UInt8] = isLittle ? [0x49, 0x49] : [0x4D, 0x4D]
    return all(order, short(42), long(8), short(times), fields, long(next))
  }

  static func exifSegment(_ exif: [UInt8]) -> [UInt8] {
    segment(0xE1, Array("Exif\0\0".utf8) + exif)
  }

  // MARK: PNG

  static func chunk(_ name: String, _ content: [UInt8] = []) -> [UInt8] {
    PNGChunk.encoded(name, content)
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func png(
    _ width: Int = 4, _ height: Int = 3, depth: UInt8 = 8, kind: UInt8 = 2, interlace: UInt8 = 0,
    before: [UInt8] = [], after: [UInt8] = []
  ) -> [UInt8] {
    let header = all(big32(width), big32(height), [depth, kind, 0, 0, interlace])
    let data = all(before, chunk("IDAT", [1, 2, 3]), chunk("IEND"), after)
    return all(signature, chunk("IHDR", header), data)
  }

  /// The chunks that make a PNG an animation with this many frames, all of the image's size.
  static func animation(
    frames: Int, announced: Int? = nil, width: Int = 4, height: Int = 3, plays: Int = 0
  ) -> [UInt8] {
    var chunks = chunk("acTL", big32(announced ?? frames) + big32(plays))
    for frame in 0..<frames {
      let size = all(big32(width), big32(height), big32(0), big32(0))
      chunks += chunk("fcTL", all(big32(frame), size, big16(1), big16(10), [0, 0]))
    }
    return chunks
  }

  // MARK: GIF

  static func gifFrame(_ left: Int, _ top: Int, _ width: Int, _ height: Int) -> [UInt8] {
    let place = all(little16(left), little16(top), little16(width), little16(height))
    return all([0x2C], place, [0, 2, 2, 0x44, 0x01, 0])
  }

  static func gif(_ width: Int, _ height: Int, _ frames: [[UInt8]]) -> [UInt8] {
    let table: [UInt8] = [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let head = all(text("GIF89a"), little16(width), little16(height), table)
    return all(head, Array(frames.joined()), [0x3B])
  }

  // MARK: TIFF

  /// A TIFF of one strip of 4 bytes at offset 8; `fields` are tag, type, value.
  static func tiff(
    _ fields: [(Int, Int, Int)] = [], width: Int = 2, height: Int = 2, next: Int = 0
  ) -> [UInt8] {
    var list = [(256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1), (262, 3, 1)]
    list += [(273, 4, 8), (277, 3, 1), (278, 4, height), (279, 4, 4)]
    for field in fields {
      list.removeAll { $0.0 == field.0 }
      list.append(field)
    }
    let entries: [[UInt8]] = list.sorted { $0.0 < $1.0 }.map { tag, type, value in
      let slot: [UInt8] = type == 3 ? little16(value) + [0, 0] : little32(value)
      return all(little16(tag), little16(type), little32(1), slot)
    }
    let head = all([0x49, 0x49, 42, 0], little32(12), [1, 2, 3, 4], little16(list.count))
    return all(head, Array(entries.joined()), little32(next))
  }

  // MARK: WebP

  static func riff(_ chunks: [UInt8]) -> [UInt8] {
    all(text("RIFF"), little32(chunks.count + 4), text("WEBP"), chunks)
  }

  static func webpChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let padding: [UInt8] = content.count & 1 == 1 ? [0] : []
    return all(text(name), little32(content.count), content, padding)
  }

  static func lossless(_ width: Int, _ height: Int) -> [UInt8] {
    let size = (width - 1) | (height - 1) << 14
    return webpChunk("VP8L", all([0x2F], little32(size), [0, 0, 0]))
  }

  static func canvas(_ width: Int, _ height: Int, flags: UInt8) -> [UInt8] {
    let sides = all(Array(little32(width - 1).dropLast()), Array(little32(height - 1).dropLast()))
    return webpChunk("VP8X", all([flags, 0, 0, 0], sides))
  }

  // MARK: HEIF

  static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    all(big32(content.count + 8), text(name), content)
  }

  static func fullBox(_ name: String, version: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
    box(name, [version, 0, 0, 0] + content)
  }

  /// A HEIF file of one item with `length` bytes of data at the end; properties apply in order.
  static func heif(
    brand: String = "avif", type: String = "av01", properties: [[UInt8]], length: Int = 4,
    others: [(type: String, contents: [UInt8])] = []
  ) -> [UInt8] {
    func file(_ offset: Int) -> [UInt8] {
      var entry = fullBox("infe", version: 2, all(big16(1), big16(0), text(type), [0]))
      var place = all(big16(1), big16(0), big16(1), big32(offset), big32(length))
      var next = offset + 4
      for (index, other) in others.enumerated() {
        entry += fullBox("infe", version: 2, all(big16(2 + index), big16(0), text(other.type), [0]))
        place += all(
          big16(2 + index), big16(0), big16(1), big32(next), big32(other.contents.count))
        next += other.contents.count
      }
      let links = (1...properties.count).map { UInt8($0) }
      let linked = all(big32(1), big16(1), [UInt8(properties.count)], links)
      let list = all(box("ipco", Array(properties.joined())), fullBox("ipma", linked))
      let items = all(
        fullBox("pitm", big16(1)),
        fullBox("iloc", all(big16(0x4400), big16(1 + others.count), place)),
        fullBox("iinf", big16(1 + others.count) + entry), box("iprp", list))
      let head = box("ftyp", all(text(brand), big32(0), text(brand)))
      return all(
        head, fullBox("meta", items), box("mdat", [1, 2, 3, 4] + others.flatMap(\.contents)))
    }
    // The offset always has four bytes.
    return file(file(0).count - 4 - others.reduce(0) { $0 + $1.contents.count })
  }

  static func extents(_ width: Int, _ height: Int) -> [UInt8] {
    fullBox("ispe", big32(width) + big32(height))
  }
}

// MARK: JPEG XL

extension HandMade {
  /// Numbers of the given widths in bits, least significant bit first (ISO/IEC 18181-1, annex B).
  static func bits(_ fields: [(Int, Int)]) -> [UInt8] {
    var bytes: [UInt8] = []
    var place = 0
    for (value, count) in fields {
      for bit in 0..<count {
        if place % 8 == 0 { bytes.append(0) }
        bytes[place / 8] |= UInt8(value >> bit & 1) << UInt8(place % 8)
        place += 1
      }
    }
    return bytes
  }

  /// A codestream of 200 × 120 whose pixels are described only by `metadata`.
  static func codestream(_ metadata: [(Int, Int)] = [(1, 1)]) -> [UInt8] {
    // Not small; 1 and nine bits for the height; no ratio; the same for the width.
    bits([(0x0AFF, 16), (0, 1), (0, 2), (119, 9), (0, 3), (0, 2), (199, 9)] + metadata)
  }

  /// A JPEG XL in a container.
  static func boxes(_ boxes: [UInt8]...) -> [UInt8] {
    box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", text("jxl \0\0\0\0jxl "))
      + boxes.joined()
  }

  /// A Brotli stream with `bytes` uncompressed (RFC 7932, 9.2).
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    // The window; not the last block; the length less 1 in four nibbles; not compressed. Then an
    // empty last block.
    bits([(0, 1), (0, 1), (0, 2), (bytes.count - 1, 16), (1, 1)]) + bytes + [3]
  }
}
