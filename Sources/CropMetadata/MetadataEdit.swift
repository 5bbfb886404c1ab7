import CropCore

/// Which metadata of the source a result keeps. Metadata that could show the part that was cut off
/// is never kept.
public enum MetadataPolicy: String, Sendable, CaseIterable {
  /// Everything that is safe to keep.
  case keep = "none"
  /// Everything except the location.
  case stripLocation = "location"
  /// Only what is needed to display the image correctly: its ICC profile.
  case stripAll = "all"
}

/// The changes that a crop makes to an image's metadata.
package struct MetadataEdit: Sendable {
  /// The stored width of the result, in pixels.
  package var width: Int
  /// The stored height of the result, in pixels.
  package var height: Int
  /// Which metadata to keep.
  package var policy: MetadataPolicy
  /// Whether the colors are now sRGB.
  package var isSRGB: Bool
  /// The orientation of the result's pixels.
  package var orientation: Orientation
  /// What happens to the density.
  package var density: DensityEdit

  /// An edit; by default, colors and the density stay the same and pixels are upright.
  package init(
    width: Int, height: Int, policy: MetadataPolicy, isSRGB: Bool = false,
    orientation: Orientation = .up, density: DensityEdit = .kept
  ) {
    self.width = width
    self.height = height
    self.policy = policy
    self.isSRGB = isSRGB
    self.orientation = orientation
    self.density = density
  }

  /// Whether to remove location metadata.
  var dropsLocation: Bool { policy != .keep }
}

/// What an edit removed that users may miss.
package struct MetadataLoss: OptionSet, Sendable {
  /// The bits.
  package let rawValue: UInt8

  /// Losses with the given bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Positions in the original image: the subject area, faces, named regions.
  package static let regions = Self(rawValue: 1)
  /// Edits of a photo program at positions in the original image: its crop, spots, masks.
  package static let edits = Self(rawValue: 2)
  /// The part of XMP that is in separate segments.
  package static let extendedXMP = Self(rawValue: 4)
  /// Comments, which may state locations or anything else.
  package static let comments = Self(rawValue: 8)
  /// Metadata that contain an image besides their actual purpose, such as a camera's maker notes.
  /// Thumbnails, which only show the complete image, are not a loss.
  package static let pictures = Self(rawValue: 16)
  /// The position of the original image on a sphere (Google's GPano).
  package static let panorama = Self(rawValue: 32)
  /// A preview of the complete image in a maker note that is otherwise kept.
  package static let previews = Self(rawValue: 64)
}

/// EXIF, XMP and IPTC of one image, independent of the file format.
package struct MetadataBlocks: Sendable {
  /// The EXIF block, with or without its leading `Exif`. After an edit, it starts with `II` or
  /// `MM`.
  package var exif: [UInt8]?
  /// The XMP packet.
  package var xmp: [UInt8]?
  /// The IPTC-IIM records, without Photoshop's wrapping.
  package var iptc: [UInt8]?
  /// Photoshop's copyright resources, concatenated; only a JPEG keeps them.
  package var rights: [UInt8]?
  /// The data that an edit removed from the kept blocks.
  package private(set) var lost: MetadataLoss = []

  /// Blocks; by default none.
  package init(exif: [UInt8]? = nil, xmp: [UInt8]? = nil, iptc: [UInt8]? = nil) {
    self.exif = exif
    self.xmp = xmp
    self.iptc = iptc
  }

  /// The metadata after `edit`, without blocks that can't be edited.
  package func edited(_ edit: MetadataEdit) -> Self {
    var kept = Self()
    if let exif, let block = EXIFBlock(exif, edit: edit) {
      kept.exif = block.bytes
      kept.lost.formUnion(block.lost)
    }
    if let xmp, let packet = XMPPacket(xmp, edit: edit) {
      kept.xmp = packet.bytes
      kept.lost.formUnion(packet.lost)
    }
    if let iptc {
      kept.iptc = IPTCRecords.kept(iptc, dropsLocation: edit.dropsLocation, lost: &kept.lost)
    }
    kept.rights = rights
    return kept
  }

  /// Adds an orientation other than upright if it is not stated yet.
  package mutating func tell(_ orientation: Orientation) {
    if exif == nil, orientation != .up { exif = EXIFBlock.block(orientation) }
  }
}
