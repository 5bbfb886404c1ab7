import CropCore
import CropJPEG

/// Which metadata of the source a result keeps.
public typealias MetadataPolicy = CropJPEG.MetadataPolicy

/// The metadata that a result keeps, edited for it, whatever its format and whoever writes it.
package struct EditedMetadata: Sendable {
  private var kept = MetadataBlocks()
  /// Texts and comments.
  package private(set) var texts: [PictureMetadata.TextNote] = []
  /// What the source has and the result has not, though it was to be kept.
  package private(set) var dropped: [MetadataKind] = []

  /// The EXIF block, from `II` or `MM` on.
  package var exif: [UInt8]? { kept.exif }
  /// The XMP packet.
  package var xmp: [UInt8]? { kept.xmp }
  /// The IPTC-IIM records, without Photoshop's wrapping.
  package var iptc: [UInt8]? { kept.iptc }

  /// Photoshop's resources of rights, which a JPEG keeps.
  package var rights: [UInt8]? { kept.rights }

  /// Whether there is nothing.
  package var isEmpty: Bool {
    exif == nil && xmp == nil && iptc == nil && rights == nil && texts.isEmpty
  }

  /// Nothing.
  package init() {}

  /// What of `found` stays in a result of the given format whose stored pixels are `size`, laid down
  /// by `orientation`.
  package init(
    _ found: PictureMetadata, policy: MetadataPolicy, info: ImageInfo, format: PictureFormat,
    size: (width: Int, height: Int), isSRGB: Bool = false, orientation: Orientation = .up,
    provenance: Provenance? = nil
  ) {
    dropped = info.neverKept(under: policy)
    if policy != .stripAll {
      kept = found.blocks.edited(
        MetadataEdit(
          width: size.width, height: size.height, dropsLocation: policy == .stripLocation,
          isSRGB: isSRGB, orientation: orientation))
      if policy == .keep { texts = found.texts.filter(\.isHarmless) }
      keepWhatFits(format)
      dropped += kept.lost.kinds
      if found.blocks.exif != nil, exif == nil { dropped.append(.exif) }
      if found.blocks.xmp != nil, xmp == nil { dropped.append(.xmp) }
      if found.blocks.iptc != nil, iptc == nil { dropped.append(.photoshop) }
      if texts.count < found.texts.count || found.hasOtherTexts {
        dropped.append(.text)
      }
    }
    kept.tell(orientation)
    if let provenance, format != .gif {
      kept.xmp = provenance.added(
        to: kept.xmp, mostBytes: format == .jpeg ? JPEGSegments.mostXMP : .max)
    }
  }

  private mutating func keepWhatFits(_ format: PictureFormat) {
    switch format {
    case .jpeg:
      kept.dropWhatNoSegmentHolds()
      texts.removeAll { $0.comment.utf8.count > JPEGSegment.mostContent }
    case .png: break
    case .webp, .heic, .avif: (kept.iptc, texts) = (nil, [])
    case .tiff: texts = []
    case .gif: (kept.exif, kept.iptc) = (nil, nil)
    }
  }
}

extension PictureMetadata.TextNote {
  /// The most characters of a text that is kept.
  private static let longest = 1 << 16

  /// Whether there can be no picture in the text: it is short, and no run of it looks like Base64 or
  /// hexadecimal digits of one.
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

extension MetadataLoss {
  /// The same in the words of a report.
  package var kinds: [MetadataKind] {
    [
      (Self.regions, MetadataKind.regions), (.edits, .edits), (.extendedXMP, .extendedXMP),
      (.comments, .text), (.pictures, .embeddedPictures), (.panorama, .panorama),
      (.previews, .preview),
    ].filter { contains($0.0) }.map(\.1)
  }
}

extension ImageInfo {
  /// What the picture has that no result keeps, since it shows what was cut away: pictures, which are
  /// always told of, and the rest where no metadata was to go. Gain maps are another matter: they are cut.
  package func neverKept(under policy: MetadataPolicy) -> [MetadataKind] {
    let pictures: [MetadataKind] = [
      .preview, .multiPicture, .sequence, .depthMap, .video,
    ]
    let others: [MetadataKind] =
      policy == .stripAll ? [] : [.credentials, .samsungTrailer, .applicationData, .trailer]
    return metadata.filter { pictures.contains($0) || others.contains($0) }
  }
}
