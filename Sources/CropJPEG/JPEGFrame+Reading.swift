import CropCore

/// The contents of a frame header, before validation.
package struct JPEGFrameHeader {
  /// The second byte of the marker before it.
  package let marker: UInt8
  /// The number of bits per sample.
  package let precision: Int
  package let height: Int
  package let width: Int
  /// The components, with the factors that the header states.
  package private(set) var components: [JPEGComponent] = []

  /// Reads a header of `count` bytes, after its length field.
  ///
  /// - Throws: `corrupt(.frameHeader)` if the length does not match the number of components;
  ///   `truncated`; any error of the input.
  init(reading reader: ByteReader, marker: UInt8, count: Int) throws(JPEGError) {
    let start = reader.offset
    self.marker = marker
    precision = Int(try reader.byte())
    height = try reader.big16()
    width = try reader.big16()
    let channels = Int(try reader.byte())
    guard count == 6 + 3 * channels else { throw .corrupt(.frameHeader, offset: start) }
    for _ in 0..<channels {
      let id = try reader.byte()
      let factors = try reader.byte()
      components.append(
        JPEGComponent(
          id: id, horizontal: Int(factors >> 4), vertical: Int(factors & 15),
          quantization: Int(try reader.byte())))
    }
  }

  /// Whether all sampling factors are 1 to 4.
  package var hasGoodFactors: Bool {
    for component in components {
      guard (1...4).contains(component.horizontal), (1...4).contains(component.vertical) else {
        return false
      }
    }
    return true
  }

  /// The frame; the header must have been validated.
  package var frame: JPEGFrame {
    var components = components
    if components.count == 1 {
      components[0] = JPEGComponent(
        id: components[0].id, horizontal: 1, vertical: 1, quantization: components[0].quantization)
    }
    return JPEGFrame(
      process: marker == 0xC0
        ? .baseline : marker == 0xC2 || marker == 0xCA ? .progressive : .extended,
      isArithmetic: marker == 0xC9 || marker == 0xCA, precision: precision,
      size: BitmapSize(width: width, height: height), components: components)
  }
}

extension JPEGFrame {
  /// Reads a frame header of `count` bytes, after its length field.
  init(reading reader: ByteReader, marker: UInt8, count: Int) throws(JPEGError) {
    let start = reader.offset
    let header = try JPEGFrameHeader(reading: reader, marker: marker, count: count)
    let channels = header.components.count
    guard channels > 0, header.width > 0 else { throw .corrupt(.frameHeader, offset: start) }
    guard header.height > 0 else { throw .unsupported(.heightAtEnd) }
    guard channels <= 4 else { throw .unsupported(.components) }
    guard header.precision == 8 || (header.precision == 12 && marker != 0xC0),
      header.hasGoodFactors
    else { throw .corrupt(.frameHeader, offset: start) }
    for index in 0..<channels {
      let component = header.components[index]
      guard component.quantization < 4,
        !header.components[..<index].contains(where: { $0.id == component.id })
      else { throw .corrupt(.frameHeader, offset: start) }
    }
    self = header.frame
  }
}

extension JPEGScan {
  /// Reads a scan header of `count` bytes, after its length field.
  init(
    reading reader: ByteReader, count: Int, frame: JPEGFrame, restartInterval: Int
  ) throws(JPEGError) {
    let start = reader.offset
    let channels = Int(try reader.byte())
    guard (1...4).contains(channels), channels <= frame.components.count, count == 4 + 2 * channels
    else { throw .corrupt(.scanHeader, offset: start) }
    var parts: [Part] = []
    for _ in 0..<channels {
      let id = try reader.byte()
      let tables = try reader.byte()
      guard let component = frame.components.firstIndex(where: { $0.id == id }),
        !parts.contains(where: { $0.component == component }), tables >> 4 < 4, tables & 15 < 4
      else { throw .corrupt(.scanHeader, offset: start) }
      parts.append(
        Part(component: component, dcTable: Int(tables >> 4), acTable: Int(tables & 15)))
    }
    // The first and last coefficient and the bit positions only matter in progressive files; in
    // sequential ones, 0, 63, 0 is assumed, as in all decoders.
    for _ in 0..<3 { _ = try reader.byte() }
    self.init(parts: parts, restartInterval: restartInterval, dataOffset: reader.offset)
  }
}
