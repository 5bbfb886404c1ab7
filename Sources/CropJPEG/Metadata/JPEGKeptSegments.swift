import CropCore

/// The segments that a JPEG made of another begins with: its metadata, put right.
///
/// Order: JFIF, EXIF, XMP, ICC profile, IPTC, Adobe's note on colours, comments.
package struct JPEGKeptSegments {
  /// In the order in which they are written; each is `new`.
  package private(set) var segments: [JPEGOutputSegment] = []
  /// Whether the source has EXIF, XMP, IPTC or a profile that is kept.
  package private(set) var keepsEXIF = false, keepsXMP = false, keepsIPTC = false
  /// Whether the source's ICC profile is kept.
  package private(set) var keepsProfile = false
  /// What is not kept of those, and of the comments.
  package private(set) var lost: MetadataLoss = []

  /// The most bytes of a profile that a segment holds.
  static var mostProfile: Int { JPEGSegment.mostContent - 14 }

  /// What of `parts` stays.
  ///
  /// - Parameters:
  ///   - policy: what is wanted.
  ///   - edit: what has changed.
  ///   - isTransposed: whether columns of pixels became rows.
  ///   - describesColours: whether JFIF, the ICC profile and Adobe's note are still true.
  package init(
    _ parts: JPEGParts, policy: MetadataPolicy, edit: MetadataEdit, isTransposed: Bool = false,
    describesColours: Bool = true
  ) {
    var kept = MetadataBlocks()
    if policy != .stripAll {
      kept = parts.metadata.edited(edit)
      kept.dropWhatNoSegmentHolds()
    }
    lost = kept.lost
    (keepsEXIF, keepsXMP, keepsIPTC) = (kept.exif != nil, kept.xmp != nil, kept.iptc != nil)
    kept.tell(edit.orientation)
    if describesColours, var jfif = parts.jfif {
      if isTransposed {
        // Two bytes for each direction.
        (jfif[8], jfif[9], jfif[10], jfif[11]) = (jfif[10], jfif[11], jfif[8], jfif[9])
      }
      add(0xE0, "", jfif)
    }
    if let exif = kept.exif { add(0xE1, "Exif\0\0", exif) }
    if let xmp = kept.xmp { add(0xE1, "http://ns.adobe.com/xap/1.0/\0", xmp) }
    if describesColours, let profile = parts.profile { add(profile: profile) }
    if policy == .keep, let ducky = parts.ducky { add(0xEC, "", ducky) }
    if kept.iptc != nil || kept.rights != nil {
      add(0xED, "", IPTCRecords.wrapped(kept.iptc, rights: kept.rights))
    }
    if describesColours, let adobe = parts.adobe { add(0xEE, "", adobe) }
    for comment in parts.comments {
      if policy == .keep, !comment.holdsPicture(to: comment.count) {
        add(0xFE, "", comment)
      } else {
        lost.insert(.comments)
      }
    }
  }

  private mutating func add(_ marker: UInt8, _ name: StaticString, _ rest: [UInt8]) {
    var content: [UInt8] = []
    content.append(name)
    content.append(rest, from: 0, to: rest.count)
    segments.append(.new(marker: marker, content: content))
  }

  private mutating func add(profile: [UInt8]) {
    keepsProfile = true
    let most = Self.mostProfile
    let count = (profile.count + most - 1) / most
    for index in 0..<count {
      var part = [UInt8(truncatingIfNeeded: index + 1), UInt8(truncatingIfNeeded: count)]
      part.append(profile, from: index * most, to: min(profile.count, (index + 1) * most))
      add(0xE2, "ICC_PROFILE\0", part)
    }
  }
}

extension MetadataBlocks {
  /// Drops what no segment of a JPEG has room for.
  package mutating func dropWhatNoSegmentHolds() {
    if let exif, exif.count > JPEGSegment.mostContent - 6 { self.exif = nil }
    if let xmp, xmp.count > JPEGSegment.mostContent - 29 { self.xmp = nil }
    if let iptc, iptc.count > JPEGSegment.mostContent - 32 - (rights?.count ?? 0) {
      self.iptc = nil
    }
  }
}
