import CropCore

/// The corrected metadata segments at the start of a JPEG that is made from another one.
///
/// Order: JFIF, EXIF, XMP, ICC profile, IPTC, Adobe's color segment, comments.
package struct JPEGKeptSegments {
  /// The segments in the order in which they are written; each is `new`.
  package private(set) var segments: [JPEGOutputSegment] = []
  /// Whether the source has EXIF, XMP, IPTC or a profile that is kept.
  package private(set) var keepsEXIF = false, keepsXMP = false, keepsIPTC = false
  /// Whether the source's ICC profile is kept.
  package private(set) var keepsProfile = false
  /// The removed parts of these, and of the comments.
  package private(set) var lost: MetadataLoss = []

  /// The largest part of a profile that fits in a segment, in bytes.
  static var mostProfile: Int { JPEGSegment.mostContent - 14 }

  /// Selects the segments of `parts` to keep.
  ///
  /// - Parameters:
  ///   - edit: which metadata to keep, and what the crop changed.
  ///   - isTransposed: whether rows and columns of pixels were exchanged.
  ///   - describesColors: whether JFIF, the ICC profile and Adobe's segment are still valid.
  package init(
    _ parts: JPEGParts, edit: MetadataEdit, isTransposed: Bool = false,
    describesColors: Bool = true
  ) {
    var kept = MetadataBlocks()
    if edit.policy != .stripAll {
      kept = parts.metadata.edited(edit)
      kept.dropWhatNoSegmentHolds()
    }
    lost = kept.lost
    (keepsEXIF, keepsXMP, keepsIPTC) = (kept.exif != nil, kept.xmp != nil, kept.iptc != nil)
    kept.tell(edit.orientation)
    if describesColors, var jfif = parts.jfif {
      switch edit.density {
      case .kept where isTransposed:
        // Exchanges the densities across and down, two bytes each.
        (jfif[8], jfif[9], jfif[10], jfif[11]) = (jfif[10], jfif[11], jfif[8], jfif[9])
      case .kept: break
      case .dropped, .stated: jfif.setJFIFDensity(edit.density.density)
      }
      add(0xE0, "", jfif)
    } else if describesColors, let density = edit.density.density {
      // JFIF would change how decoders read the colors of some files.
      kept.state(density)
    }
    if let exif = kept.exif { add(0xE1, "Exif\0\0", exif) }
    if let xmp = kept.xmp { add(0xE1, "http://ns.adobe.com/xap/1.0/\0", xmp) }
    if describesColors, let profile = parts.profile { add(profile: profile) }
    if edit.policy == .keep, let ducky = parts.ducky { add(0xEC, "", ducky) }
    if kept.iptc != nil || kept.rights != nil {
      add(0xED, "", IPTCRecords.wrapped(kept.iptc, rights: kept.rights))
    }
    if describesColors, let adobe = parts.adobe { add(0xEE, "", adobe) }
    for comment in parts.comments {
      if edit.policy == .keep, !comment.holdsPicture(to: comment.count) {
        add(0xFE, "", comment)
      } else {
        lost.insert(.comments)
      }
    }
  }

  /// The kinds of metadata of `parts` that are missing although they were not to be removed;
  /// `found` are those of the complete file.
  package func dropped(
    of found: [MetadataKind], _ parts: JPEGParts, under policy: MetadataPolicy
  ) -> [MetadataKind] {
    var dropped = found.neverKept(under: policy)
    if policy != .stripAll {
      dropped += lost.kinds
      if found.contains(.exif), !keepsEXIF { dropped.append(.exif) }
      if parts.metadata.xmp != nil, !keepsXMP { dropped.append(.xmp) }
      if parts.metadata.iptc != nil, !keepsIPTC { dropped.append(.photoshop) }
    }
    if found.contains(.icc), !keepsProfile { dropped.append(.icc) }
    return dropped
  }

  private mutating func add(_ marker: UInt8, _ name: StaticString, _ rest: [UInt8]) {
    var content: [UInt8] = []
    content.append(name)
    content.append(rest, from: 0, to: rest.count)
    segments.append(.new(marker: marker, content: content))
  }

  private mutating func add(profile: [UInt8]) {
    keepsProfile = true
    for part in Self.parts(of: profile) { add(0xE2, "ICC_PROFILE\0", part) }
  }

  /// A profile in chunks, each after its number and how many there are.
  static func parts(of profile: [UInt8]) -> [[UInt8]] {
    let most = mostProfile
    let count = (profile.count + most - 1) / most
    var parts: [[UInt8]] = []
    for index in 0..<count {
      var part = [UInt8(truncatingIfNeeded: index + 1), UInt8(truncatingIfNeeded: count)]
      part.append(profile, from: index * most, to: min(profile.count, (index + 1) * most))
      parts.append(part)
    }
    return parts
  }
}

extension MetadataBlocks {
  /// Removes metadata that does not fit in a segment.
  package mutating func dropWhatNoSegmentHolds() {
    if let exif, exif.count > JPEGSegment.mostContent - 6 { self.exif = nil }
    if let xmp, xmp.count > JPEGSegment.mostContent - 29 { self.xmp = nil }
    if let iptc, iptc.count > JPEGSegment.mostContent - 32 - (rights?.count ?? 0) {
      self.iptc = nil
    }
  }
}
