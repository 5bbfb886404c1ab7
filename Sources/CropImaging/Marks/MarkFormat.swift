import CropCore
import CropFormats
import CropJPEG
import FoundationEssentials

/// The sidecar or settings format that a crop is written in for another program; the photo's pixels
/// do not change.
public enum MarkFormat: String, Sendable, CaseIterable {
  /// RawTherapee: `photo.jpg.pp3`.
  case rawtherapee
  /// darktable: `photo.jpg.xmp`, as a step of its history.
  case darktable
  /// Lightroom: `photo.xmp` with Camera Raw's settings, which darktable also reads on import.
  case lightroom
  /// Camera Raw's settings in the JPEG file, where Lightroom expects those of a JPEG.
  case embedded

  /// The path of the file that stores the crop of the photo at `path`.
  public func place(of path: PathBytes) -> PathBytes {
    switch self {
    case .rawtherapee: return PathBytes(path.bytes + ".pp3".utf8)
    case .darktable: return PathBytes(path.bytes + ".xmp".utf8)
    case .embedded: return path
    case .lightroom:
      let name = path.split.name.bytes
      let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil }
      let kept = path.bytes.dropLast(dot.map { name.count - $0 } ?? 0)
      return PathBytes(Array(kept) + ".xmp".utf8)
    }
  }
}

extension MarkFormat {
  /// The file that stores `recipe` for an image: the sidecar, or the image itself with changed
  /// settings.
  ///
  /// Only the crop's values change in an existing file.
  ///
  /// - Parameters:
  ///   - recipe: what to cut, without a shape or an output size.
  ///   - info: the image.
  ///   - old: the existing sidecar; for ``embedded`` the image. Nil if there is none.
  ///   - name: the file's name in messages.
  ///   - photo: the name of the image's file; if it is given, a sidecar of another photo is an
  ///     error.
  /// - Throws: `CropError`.
  public func file(
    with recipe: CropRecipe, for info: ImageInfo, changing old: Data?, name: String,
    of photo: String? = nil
  ) throws(CropError) -> Data {
    let crop = try recipe.resolved(for: info.shown, file: name)
    guard crop.quad == nil else {
      throw .usage(detail: "a mark stores a rectangle, not four corners; remove the corners")
    }
    guard crop.shape == .rectangle, crop.output == crop.rectSize else {
      throw .usage(
        detail:
          "a mark stores the rectangle, rotation and tilt; remove the shape and the size "
          + "of the result")
    }
    if self != .embedded, old?.count ?? 0 > CropMark.maxBytes {
      throw .limitExceeded(
        file: name, limit: .bytes, actual: old?.count ?? 0, allowed: CropMark.maxBytes)
    }
    if self == .lightroom, let old {
      try CropMark.checkOwner(of: Array(old), name: name, photo: photo)
    }
    do throws(MarkProblem) {
      switch self {
      case .rawtherapee:
        let written = try RawTherapeeCrop(crop, shown: info.orientation).written(
          into: old.map { Array($0) })
        // Settings that distort the image would move the crop; reading it back detects them.
        guard try RawTherapeeCrop(pp3: written) != nil else { throw .notUnderstood }
        return Data(written)
      case .darktable:
        return Data(
          try DarktableCrop(crop, shown: info.orientation).written(into: old.map { Array($0) }))
      case .lightroom: return Data(try packet(crop, info, old.map { Array($0) }))
      case .embedded: break
      }
    } catch {
      throw error.words(in: name)
    }
    guard info.format == .jpeg, let old else {
      throw .unsupportedFeature(file: name, feature: "an embedded mark in a format other than JPEG")
    }
    guard crop.orientation == .up else {
      throw .usage(
        detail: "an embedded mark can't rotate or flip the photo; remove that, or write a "
          + "sidecar for Lightroom")
    }
    return try embedded(crop, info, in: old, name: name)
  }

  /// Camera Raw's settings with this crop.
  private func packet(
    _ crop: ResolvedCrop, _ info: ImageInfo, _ old: [UInt8]?
  ) throws(MarkProblem) -> [UInt8] {
    if let old, let before = try CameraRawCrop(xmp: old), before.isApplied {
      throw .unsupportedEdit(CameraRawCrop.appliedField)
    }
    let area = BitmapCrop(crop, shown: info.orientation)
    let written = try CameraRawCrop(area, of: info.bitmap).written(into: old, of: info.bitmap)
    // Lens or perspective settings in the packet would move the crop; reading it back detects them.
    guard try CameraRawCrop(xmp: written) != nil else { throw .notUnderstood }
    return written
  }

  /// The JPEG with the packet inserted; no byte of the image data changes.
  private func embedded(
    _ crop: ResolvedCrop, _ info: ImageInfo, in file: Data, name: String
  ) throws(CropError) -> Data {
    let old = JPEGSegments.packet(in: file)
    var packet: [UInt8]
    do throws(MarkProblem) {
      packet = try self.packet(
        crop, info, old.map { Array(file[$0]) } ?? XMPPropertyEdit.packetInPicture)
    } catch {
      throw error.words(in: name)
    }
    if let old { packet.fitPadding(to: old.count) }
    guard packet.count <= JPEGSegments.mostXMP else {
      throw .invalidRecipe(
        file: name, detail: "its XMP would not fit into a JPEG segment; use a sidecar")
    }
    // The positions of further images, and of a gain map, are relative to their table.
    let movesPictures =
      info.metadata.contains(.multiPicture) || JPEGSegments.hasTable(before: old, in: file)
    guard packet.count == old?.count || !movesPictures else {
      throw .invalidRecipe(
        file: name,
        detail: "its XMP has no room left, and other images after the photo would "
          + "be lost if they moved; use a sidecar")
    }
    return JPEGSegments.replacingPacket(at: old, by: packet, in: file)
  }
}

extension [UInt8] {
  /// Shrinks or extends the padding of an XMP packet until it has `count` bytes, as far as
  /// possible.
  fileprivate mutating func fitPadding(to count: Int) {
    guard let end = indices.last(where: { has("<?xpacket end", at: $0) }) else { return }
    if self.count < count {
      insert(contentsOf: [UInt8](repeating: 0x20, count: count - self.count), at: end)
      return
    }
    var start = end
    while start > 0, self[start - 1] == 0x20 || self[start - 1] == 0x0A { start -= 1 }
    let excess = self.count - count
    if end - start >= excess { removeSubrange(start..<start + excess) }
  }
}
