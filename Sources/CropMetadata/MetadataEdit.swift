import CropCore

/// Which metadata of the source a result keeps. What could show the part that was cut away is never
/// kept.
public enum MetadataPolicy: String, Sendable, CaseIterable {
  /// All that is harmless.
  case keep = "none"
  /// All but where the picture was taken.
  case stripLocation = "location"
  /// Only what is needed to show the picture right (its ICC profile).
  case stripAll = "all"
}

/// What a crop changes in the metadata of a picture.
package struct MetadataEdit: Sendable {
  /// The stored width of the result, in pixels.
  package var width: Int
  /// The stored height of the result, in pixels.
  package var height: Int
  /// Whether what tells the place goes.
  package var dropsLocation: Bool
  /// Whether the colours are now sRGB.
  package var isSRGB: Bool
  /// How the pixels of the result are to be laid down.
  package var orientation: Orientation

  /// An edit; unless said otherwise colours stay as they are and pixels are upright.
  package init(
    width: Int, height: Int, dropsLocation: Bool, isSRGB: Bool = false,
    orientation: Orientation = .up
  ) {
    self.width = width
    self.height = height
    self.dropsLocation = dropsLocation
    self.isSRGB = isSRGB
    self.orientation = orientation
  }
}

/// What an edit took out that a person may miss.
package struct MetadataLoss: OptionSet, Sendable {
  /// The losses as bits.
  package let rawValue: UInt8

  /// Losses from their bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Places in the old picture: the subject's area, faces, regions with a name.
  package static let regions = Self(rawValue: 1)
  /// What a photo program was to do at places of the old picture: its crop, spots, masks.
  package static let edits = Self(rawValue: 2)
  /// The part of XMP that lies in segments of its own.
  package static let extendedXMP = Self(rawValue: 4)
  /// Comments, which may name places or hold anything.
  package static let comments = Self(rawValue: 8)
  /// What holds a picture beside its own purpose, as a camera's maker notes do. Thumbnails, which show the whole
  /// picture only, are no loss.
  package static let pictures = Self(rawValue: 16)
  /// Where the old picture lay on a sphere (Google's GPano).
  package static let panorama = Self(rawValue: 32)
  /// A preview of the whole picture in a maker note whose rest is kept.
  package static let previews = Self(rawValue: 64)
}

/// EXIF, XMP and IPTC of one picture, whatever the format that holds them.
package struct MetadataBlocks: Sendable {
  /// The EXIF block, with or without its leading `Exif`; once edited from `II` or `MM` on.
  package var exif: [UInt8]?
  /// The XMP packet.
  package var xmp: [UInt8]?
  /// The IPTC-IIM records, without Photoshop's wrapping.
  package var iptc: [UInt8]?
  /// Photoshop's resources of rights, one behind the other; only a JPEG keeps them.
  package var rights: [UInt8]?
  /// What an edit took out of those that stayed.
  package private(set) var lost: MetadataLoss = []

  /// Nothing unless given.
  package init(exif: [UInt8]? = nil, xmp: [UInt8]? = nil, iptc: [UInt8]? = nil) {
    self.exif = exif
    self.xmp = xmp
    self.iptc = iptc
  }

  /// What stays after `edit`; what can't be edited is gone.
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

  /// Sees to it that an orientation other than upright is told.
  package mutating func tell(_ orientation: Orientation) {
    if exif == nil, orientation != .up { exif = EXIFBlock.telling(orientation) }
  }
}
