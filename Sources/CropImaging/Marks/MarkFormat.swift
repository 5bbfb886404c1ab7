import CropCore
import CropFormats
import CropJPEG
import FoundationEssentials

/// For which program a crop is written down beside a photo that stays whole.
public enum MarkFormat: String, Sendable, CaseIterable {
  /// `photo.jpg.pp3`.
  case rawtherapee
  /// `photo.jpg.xmp`, as a step of darktable's history.
  case darktable
  /// `photo.xmp` with Camera Raw's settings, which darktable reads on import too.
  case lightroom
  /// Camera Raw's settings in the JPEG itself, where Lightroom looks for those of a JPEG.
  case embedded

  /// The file that holds the crop of the photo at `path`.
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
  /// The file that holds `recipe` for a picture: the sidecar, or the picture itself with its settings changed.
  ///
  /// What is there already changes in these values only.
  ///
  /// - Parameters:
  ///   - recipe: what is to be cut; it has no outline and no size of its own.
  ///   - info: the picture.
  ///   - old: the sidecar as it is; for ``embedded`` the picture. Nil where there is none.
  ///   - name: what messages call that file.
  /// - Throws: `CropError`.
  public func file(
    with recipe: CropRecipe, for info: ImageInfo, changing old: Data?, name: String
  ) throws(CropError) -> Data {
    let crop: ResolvedCrop
    do throws(RecipeError) {
      crop = try recipe.resolved(for: info.shown)
    } catch {
      throw .invalidRecipe(file: name, detail: error.message(for: info.shown))
    }
    guard crop.quad == nil else {
      throw .usage(detail: "a mark keeps a rectangle and can't straighten four corners")
    }
    guard crop.shape == .rectangle, crop.output == crop.rectSize else {
      throw .usage(
        detail:
          "a mark keeps the rectangle, the turns and the tilt; leave the outline and the size "
          + "of the result out")
    }
    if self != .embedded, old?.count ?? 0 > CropMark.mostBytes {
      throw .limitExceeded(
        file: name, limit: .bytes, actual: old?.count ?? 0, allowed: CropMark.mostBytes)
    }
    do throws(MarkProblem) {
      switch self {
      case .rawtherapee:
        return Data(
          try RawTherapeeCrop(crop, shown: info.orientation).written(into: old.map { Array($0) }))
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
      throw .unsupportedFeature(file: name, feature: "a mark inside another format than JPEG")
    }
    guard crop.orientation == .up else {
      throw .usage(
        detail: "a mark inside the photo can't turn or mirror it; leave that out, or write a "
          + "sidecar with --for lightroom")
    }
    return try embedded(crop, info, in: old, name: name)
  }

  /// Camera Raw's settings with this crop.
  private func packet(
    _ crop: ResolvedCrop, _ info: ImageInfo, _ old: [UInt8]?
  ) throws(MarkProblem) -> [UInt8] {
    if let old, let before = try CameraRawCrop(xmp: old), before.isApplied {
      throw .unrepeatable(CameraRawCrop.appliedField)
    }
    let area = BitmapCrop(crop, shown: info.orientation)
    let written = try CameraRawCrop(area, of: info.bitmap).written(into: old, of: info.bitmap)
    // Settings that bend the picture first would move the crop; reading finds them.
    guard try CameraRawCrop(xmp: written) != nil else { throw .notUnderstood }
    return written
  }

  /// The JPEG with the packet in it; no byte of the picture changes.
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
        file: name, detail: "its XMP would be longer than a JPEG's segment holds; use a sidecar")
    }
    // Positions of further pictures count from a place before them.
    guard packet.count == old?.count || !info.metadata.contains(.multiPicture) else {
      throw .invalidRecipe(
        file: name,
        detail: "its XMP has no room left, and further pictures behind the photo would "
          + "be lost if they moved; use a sidecar")
    }
    return JPEGSegments.replacingPacket(at: old, by: packet, in: file)
  }
}

extension [UInt8] {
  /// Takes space from, or adds it to, the padding of an XMP packet until it has `count` bytes, if there is as much.
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
