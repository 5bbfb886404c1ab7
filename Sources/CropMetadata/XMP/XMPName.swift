/// A name in an XMP packet, identified by its namespace.
///
/// Rules use the usual prefix of a namespace, such as in `crs:HasCrop`, whatever prefix the packet
/// uses.
package struct XMPName {
  /// The index of the namespace in the table; nil if it is not in the table or was not declared.
  let namespace: Int?
  /// The start of the name in the packet: without its prefix if the namespace is known.
  let start: Int
}

extension XMPScanner {
  /// The usual prefix of each namespace that a rule mentions, and the start of the namespace.
  ///
  /// All of Google's and Apple's are removed: they describe other images in the file, depths and
  /// panoramas.
  private static var namespaces: StaticString {
    """
    rdf:http://www.w3.org/1999/02/22-rdf
    tiff:http://ns.adobe.com/tiff/1.0/
    exif:http://ns.adobe.com/exif/1.0/
    xmpGImg:http://ns.adobe.com/xap/1.0/g/img/
    xmp:http://ns.adobe.com/xap/1.0/
    xmpNote:http://ns.adobe.com/xmp/note/
    hdrgm:http://ns.adobe.com/hdr-
    crs:http://ns.adobe.com/camera-raw-
    photoshop:http://ns.adobe.com/photoshop/1.0/
    Iptc4xmpCore:http://iptc.org/std/Iptc4xmpCore/
    Iptc4xmpExt:http://iptc.org/std/Iptc4xmpExt/
    GPano:http://ns.google.com/photos/1.0/panorama/
    GCamera:http://ns.google.com/
    apdi:http://ns.apple.com/
    MP:http://ns.microsoft.com/photo/1.2/
    mwg-rs:http://www.metadataworkinggroup.com/schemas/regions
    acdsee-rs:http://ns.acdsee.com/regions
    photomechanic:http://ns.camerabits.com/
    cropkit:urn:cropkit:
    darktable:http://darktable.sf.net/

    """
  }

  /// The index of the namespace that an attribute declares; nil if it is not in the table.
  func namespace(_ attribute: Attribute) -> Int? {
    var line = 0
    var at = -1
    var isMatch = true
    for index in 0..<Self.namespaces.utf8CodeUnitCount {
      let letter = Self.namespaces.utf8Start[index]
      if letter == UInt8(ascii: "\n") {
        if isMatch { return line }
        line = index + 1
        at = -1
        isMatch = true
      } else if at >= 0 {
        if byte(at) != letter { isMatch = false }
        at += 1
      } else if letter == UInt8(ascii: ":") {
        at = attribute.value
      }
    }
    return nil
  }

  /// The line of `table` that contains a prefix of the name; nil if there is none.
  ///
  /// Each prefix is followed by a space or a line break.
  package func line(of name: XMPName, in table: StaticString) -> Int? {
    var line = 0
    var prefix = name.namespace
    var at = name.start
    var isMatch = true
    for index in 0..<table.utf8CodeUnitCount {
      let letter = table.utf8Start[index]
      if letter > UInt8(ascii: " ") {
        var known = byte(at)
        if let place = prefix {
          known = Self.namespaces.utf8Start[place]
          prefix = known == UInt8(ascii: ":") ? nil : place + 1
        } else {
          at += 1
        }
        if known != letter { isMatch = false }
        continue
      }
      if isMatch { return line }
      if letter == UInt8(ascii: "\n") { line += 1 }
      prefix = name.namespace
      at = name.start
      isMatch = true
    }
    return nil
  }

  /// Whether the name of a property is that of a latitude or a longitude.
  func isCoordinate(_ name: XMPName) -> Bool {
    hasLocalPart(name, "latitude") || hasLocalPart(name, "longitude")
  }

  /// Whether the name of a property contains a text of lowercase letters after its prefix, in
  /// letters of any case.
  func hasLocalPart(_ name: XMPName, _ text: StaticString) -> Bool {
    // A declaration of a namespace is not a property.
    if source.has("xmlns:", at: name.start) { return false }
    let end = endOfName(name.start)
    var at = name.start
    for index in at..<end where byte(index) == UInt8(ascii: ":") { at = index + 1 }
    while at < end {
      var count = 0
      while count < text.utf8CodeUnitCount, byte(at + count) | 0x20 == text.utf8Start[count] {
        count += 1
      }
      if count == text.utf8CodeUnitCount { return true }
      at += 1
    }
    return false
  }
}
