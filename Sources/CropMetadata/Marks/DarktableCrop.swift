import CropCore

/// The crop in a darktable sidecar (`photo.jpg.xmp`), as an entry of its history.
///
/// It is written for the module that all versions since 2.0 read, `clipping` (crop and rotate), in
/// version 5 of its parameters: 15 floats and 6 integers, little-endian, in hexadecimal digits. The
/// first is the clockwise angle in degrees, followed by left, top, right and bottom as shares of
/// the smallest upright rectangle around the turned image. The rest has the values that darktable
/// uses for a crop without keystones. The module `flip` orients the stored pixels. Verified by
/// rendering with darktable 4.2.
package struct DarktableCrop: Hashable, Sendable {
  /// The orientation from the stored pixels to the frame.
  let orientation: Orientation
  /// The clockwise tilt of the image.
  let tilt: CropAngle
  /// Shares of the width and height of the bounding box of the tilted image.
  let left: Double, top: Double, right: Double, bottom: Double

  /// The crop that darktable shows for `crop`, on an image whose file states the orientation
  /// `shown`.
  package init(_ crop: ResolvedCrop, shown: Orientation) {
    orientation = shown.followed(by: crop.orientation)
    tilt = crop.tilt
    let (cosine, sine) = tilt.degrees == 0 ? (1, 0) : (tilt.cosine, abs(tilt.sine))
    let (width, height) = (Double(crop.frame.width), Double(crop.frame.height))
    let across = width * cosine + height * sine
    let down = width * sine + height * cosine
    // Both rotate about the frame's center.
    let (x, y) = (crop.rect.x + (across - width) / 2, crop.rect.y + (down - height) / 2)
    left = x / across
    top = y / down
    right = (x + crop.rect.width) / across
    bottom = (y + crop.rect.height) / down
  }

  /// The value of `flip` for an orientation: its bits mirror top–bottom, mirror left–right, and,
  /// applied first, exchange rows and columns.
  private var flip: UInt32 {
    switch orientation {
    case .up: 0
    case .upMirrored: 2
    case .down: 3
    case .downMirrored: 1
    case .leftMirrored: 4
    case .right: 5
    case .rightMirrored: 7
    case .left: 6
    }
  }

  /// The parameters of `clipping`, as darktable writes them.
  private var clipping: [UInt8] {
    var text: [UInt8] = []
    for value in [tilt.degrees, left, top, right, bottom, 0, 0] { text.append(hexadecimal: value) }
    // The unused corners of a keystone: a fifth from each edge.
    for value in [0.2, 0.2, 0.8, 0.2, 0.8, 0.8, 0.2, 0.8] { text.append(hexadecimal: value) }
    // No keystone, no symmetry, none applied, no automatic crop; a ratio of -2:-2 means none.
    for value: UInt32 in [0, 0, 0, 0, 0xFFFF_FFFE, 0xFFFF_FFFE] { text.append(hexadecimal: value) }
    return text
  }

  /// A sidecar that contains only this crop.
  package var sidecar: [UInt8] {
    var text: [UInt8] = []
    text.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      """)
    appendDescription(about: nil, to: &text)
    text.append(
      """
       </rdf:RDF>
      </x:xmpmeta>

      """)
    return text
  }

  /// Appends a description with a history of only this crop.
  ///
  /// - Parameter packet: the packet whose first description states its subject.
  func appendDescription(about packet: XMPPhotoProperties?, to text: inout [UInt8]) {
    text.append(
      "\n  <rdf:Description xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" rdf:about=")
    packet.appendAbout(to: &text)
    text.append(
      """

          xmlns:darktable="http://darktable.sf.net/"
         darktable:xmp_version="5"
         darktable:raw_params="0"
         darktable:history_end="2">
         <darktable:history>
          <rdf:Seq>
      """)
    appendEntries(from: 0, to: &text)
    text.append(
      """

          </rdf:Seq>
         </darktable:history>
        </rdf:Description>

      """)
  }

  /// Appends the two steps of a history; the first one has the given number.
  func appendEntries(from number: Int, to text: inout [UInt8]) {
    append(entry: number, "flip", version: "2", to: &text)
    text.append(hexadecimal: flip)
    text.append("\"/>")
    append(entry: number + 1, "clipping", version: "5", to: &text)
    text.append(clipping, from: 0, to: clipping.count)
    text.append("\"/>")
  }

  /// Appends the start of a step, up to the value of its parameters.
  private func append(
    entry number: Int, _ module: StaticString, version: StaticString, to text: inout [UInt8]
  ) {
    // The namespaces are declared here, whatever prefixes the packet uses.
    text.append(
      """

           <rdf:li xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
            xmlns:darktable="http://darktable.sf.net/"
            darktable:num="
      """)
    text.append(decimal: Double(number))
    text.append("\"\n      darktable:operation=\"")
    text.append(module)
    text.append("\"\n      darktable:enabled=\"1\"\n      darktable:modversion=\"")
    text.append(version)
    text.append("\"\n      darktable:params=\"")
  }
}

extension [UInt8] {
  fileprivate mutating func append(hexadecimal value: Double) {
    append(hexadecimal: Float(value).bitPattern)
  }

  /// Appends the bytes of `value`, lowest first, in lower-case hexadecimal digits.
  fileprivate mutating func append(hexadecimal value: UInt32) {
    for byte in 0..<4 {
      for shift: UInt32 in [4, 0] {
        let digit = UInt8(truncatingIfNeeded: value >> (UInt32(byte) * 8 + shift)) & 15
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
      }
    }
  }
}
