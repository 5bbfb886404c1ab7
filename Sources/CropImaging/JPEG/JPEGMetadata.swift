import CropCore
import CropJPEG

/// The segments that a cut JPEG begins with.
struct JPEGMetadata {
  /// In the order in which they are written.
  private(set) var segments = JPEGSegmentList()
  private(set) var warnings: [CropWarning] = []

  /// What of the source's segments a result has that comes about by `plan`.
  ///
  /// - Throws: ``CropError/readFailed(file:detail:)``.
  init(
    _ source: PictureSource, _ header: JPEGHeader, _ policy: MetadataPolicy, _ info: ImageInfo,
    _ plan: JPEGPlan
  ) throws(CropError) {
    var found = FoundSegments()
    for segment in header.segments {
      var content = [UInt8](repeating: 0, count: segment.contentCount)
      let count: Int
      do {
        count = try content.withUnsafeMutableBytes {
          try source.read(into: $0, at: Int(segment.contentOffset))
        }
      } catch let error as CropError {
        throw error
      } catch {
        throw .readFailed(file: source.name, detail: "\(error)")
      }
      guard count == content.count else { continue }
      found.add(segment.marker, content)
    }
    let size =
      plan.turn.isTransposing
      ? (width: plan.rect.height, height: plan.rect.width)
      : (width: plan.rect.width, height: plan.rect.height)
    let edited = EditedMetadata(
      found.metadata, policy: policy, info: info, format: .jpeg, size: size,
      orientation: plan.flag)
    let profile = found.profile
    if let jfif = found.jfif(isTransposed: plan.turn.isTransposing) {
      segments.segments.append((0xE0, jfif))
    }
    if let exif = edited.exif { segments.segments.append((0xE1, Array("Exif\0\0".utf8) + exif)) }
    if let xmp = edited.xmp {
      segments.segments.append((0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp))
    }
    if let profile { addProfile(profile) }
    if let iptc = edited.iptc { segments.segments.append((0xED, IPTCRecords.wrapped(iptc))) }
    if let adobe = found.adobe { segments.segments.append((0xEE, adobe)) }
    if policy == .keep {
      for comment in found.comments where !EXIFBlock.holdsPicture(comment[...]) {
        segments.segments.append((0xFE, comment))
      }
    }
    var dropped = edited.dropped
    if profile == nil, info.metadata.contains(.icc) { dropped.append(.icc) }
    if !dropped.isEmpty { warnings.append(.metadataDropped(dropped)) }
  }

  private mutating func addProfile(_ profile: [UInt8]) {
    let most = JPEGSegments.largest - 14
    let count = (profile.count + most - 1) / most
    for index in 0..<count {
      let part = profile[index * most..<min(profile.count, (index + 1) * most)]
      let numbers = [UInt8(truncatingIfNeeded: index + 1), UInt8(truncatingIfNeeded: count)]
      segments.segments.append((0xE2, Array("ICC_PROFILE\0".utf8) + numbers + part))
    }
  }
}

extension JPEGSegmentList {
  /// Those that a decoder needs to tell how colours are stored.
  var colourAlone: Self {
    Self(segments: segments.filter { $0.marker == 0xE0 || $0.marker == 0xEE })
  }
}

/// The segments of a source, told apart.
private struct FoundSegments {
  var metadata = EditedMetadata.Found()
  /// The 12 bytes that tell how colours are stored.
  var adobe: [UInt8]?
  var comments: [[UInt8]] = []
  private var jfif: [UInt8]?
  private var profileParts: [(number: UInt8, bytes: ArraySlice<UInt8>)] = []

  mutating func add(_ marker: UInt8, _ content: [UInt8]) {
    switch marker {
    case 0xE0 where jfif == nil && content.count >= 14 && content.starts(with: "JFIF\0".utf8):
      // Behind these a small picture may follow.
      jfif = Array(content[..<12]) + [0, 0]
    case 0xE1 where content.starts(with: "Exif\0".utf8) && content.count >= 6:
      // Of two the first counts.
      if metadata.exif == nil { metadata.exif = Array(content[6...]) }
    case 0xE1:
      let name = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
      if metadata.xmp == nil, content.starts(with: name) {
        metadata.xmp = Array(content[name.count...])
      }
    case 0xE2 where content.count > 14 && content.starts(with: "ICC_PROFILE\0".utf8):
      profileParts.append((content[12], content[14...]))
    case 0xED where content.starts(with: "Photoshop 3.0\0".utf8):
      if metadata.iptc == nil { metadata.iptc = IPTCRecords.unwrapped(content) }
    case 0xEE where content.count >= 12 && content.starts(with: "Adobe".utf8):
      if adobe == nil { adobe = Array(content[..<12]) }
    case 0xFE: comments.append(content)
    default: break
    }
  }

  /// JFIF's version and density, without its thumbnail.
  func jfif(isTransposed: Bool) -> [UInt8]? {
    guard var jfif, isTransposed else { return jfif }
    // Two bytes for each direction.
    (jfif[8], jfif[9], jfif[10], jfif[11]) = (jfif[10], jfif[11], jfif[8], jfif[9])
    return jfif
  }

  /// The ICC profile, exactly as long as it says; nil if it is none.
  var profile: [UInt8]? {
    guard !profileParts.isEmpty else { return nil }
    // Numbers rise in most files; a sort that keeps equal ones in their order is not needed then.
    let parts = profileParts.enumerated().sorted {
      ($0.element.number, $0.offset) < ($1.element.number, $1.offset)
    }
    let all = parts.flatMap(\.element.bytes)
    guard all.count >= 128, all[36..<40].elementsEqual("acsp".utf8) else { return nil }
    let length = all[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard length >= 128, length <= all.count, length <= 255 * (JPEGSegments.largest - 14) else {
      return nil
    }
    return Array(all[..<length])
  }
}
