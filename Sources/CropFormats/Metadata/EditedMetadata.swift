import CropCore
import CropJPEG

/// Which metadata of the source a result keeps.
public typealias MetadataPolicy = CropJPEG.MetadataPolicy

/// The metadata that a result keeps, edited for it, independent of its format and writer.
package struct EditedMetadata: Sendable {
  private var kept = MetadataBlocks()
  /// Texts and comments.
  package private(set) var texts: [ImageMetadata.TextNote] = []
  /// Metadata that the source has and that should have been kept, but that the result lacks.
  package private(set) var dropped: [MetadataKind] = []

  /// The EXIF block, from `II` or `MM` on.
  package var exif: [UInt8]? { kept.exif }
  /// The XMP packet.
  package var xmp: [UInt8]? { kept.xmp }
  /// The IPTC-IIM records, without Photoshop's wrapping.
  package var iptc: [UInt8]? { kept.iptc }

  /// Photoshop's copyright resources, which a JPEG keeps.
  package var rights: [UInt8]? { kept.rights }

  /// Whether there is no metadata.
  package var isEmpty: Bool {
    exif == nil && xmp == nil && iptc == nil && rights == nil && texts.isEmpty
  }

  /// No metadata.
  package init() {}

  /// The metadata of `found`, from an image described by `info`, to keep in a result of the given
  /// format after `edit`.
  package init(
    _ found: ImageMetadata, edit: MetadataEdit, info: ImageInfo, format: ImageFormat,
    provenance: Provenance? = nil
  ) {
    dropped = info.neverKept(under: edit.policy)
    if edit.policy != .stripAll {
      kept = found.blocks.edited(edit)
      if edit.policy == .keep { texts = found.texts.filter(\.isHarmless) }
      keepWhatFits(format)
      dropped += kept.lost.kinds
      if found.blocks.exif != nil, exif == nil { dropped.append(.exif) }
      if found.blocks.xmp != nil, xmp == nil { dropped.append(.xmp) }
      if found.blocks.iptc != nil, iptc == nil { dropped.append(.photoshop) }
      if texts.count < found.texts.count || found.hasOtherTexts {
        dropped.append(.text)
      }
    }
    kept.tell(edit.orientation)
    if let density = edit.density.density { state(density, format) }
    if let provenance, format != .gif {
      kept.xmp = provenance.added(
        to: kept.xmp, maxBytes: format == .jpeg ? JPEGSegments.mostXMP : .max)
    }
  }

  /// All metadata of `found`, unchanged except for the density that they state; nil if some of it
  /// can't be written again.
  package init?(_ found: ImageMetadata, stating density: PixelDensity, format: ImageFormat) {
    guard !found.hasOtherTexts, found.laterXMP == nil else { return nil }
    (kept, texts) = (found.blocks, found.texts)
    if let exif = kept.exif {
      let block = EXIFBlock.stating(density, in: exif) ?? exif
      kept.exif = block.has("Exif\0\0") ? Array(block.dropFirst(6)) : block
    }
    kept.xmp = kept.xmp.map { XMPPacket.withoutDensity($0) ?? $0 }
    state(density, format)
  }

  /// States the density in EXIF if the format has no other place.
  private mutating func state(_ density: PixelDensity, _ format: ImageFormat) {
    guard !format.holdsDensity, format.metadata.contains(.exif) else { return }
    kept.state(density)
  }

  private mutating func keepWhatFits(_ format: ImageFormat) {
    if !format.metadata.contains(.exif) { kept.exif = nil }
    if !format.metadata.contains(.iptc) { kept.iptc = nil }
    if !format.metadata.contains(.texts) { texts = [] }
    guard format == .jpeg else { return }
    kept.dropWhatNoSegmentHolds()
    texts.removeAll { $0.comment.utf8.count > JPEGSegment.mostContent }
  }
}

extension ImageMetadata.TextNote {
  /// The longest text that is kept, in characters.
  private static let longest = 1 << 16

  /// Whether the text can't contain an image: it is short, and no part of it looks like an image in
  /// Base64 or hexadecimal digits.
  fileprivate var isHarmless: Bool {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.longest, !bytes.holdsPicture(to: bytes.count) else { return false }
    var run = 0
    for byte in bytes where byte != 10 && byte != 13 {
      let isLetter = (0x41...0x5A).contains(byte & 0xDF)
      run = isLetter || (0x30...0x39).contains(byte) || byte == 0x2B || byte == 0x2F ? run + 1 : 0
      if run >= 256 { return false }
    }
    return true
  }
}

extension ImageInfo {
  /// The parts of the image's file that no result keeps.
  package func neverKept(under policy: MetadataPolicy) -> [MetadataKind] {
    metadata.neverKept(under: policy)
  }
}
