import CropCore
import CropJPEG
import FoundationEssentials

/// A gain map that was found behind a JPEG.
struct FoundGainMap {
  /// Where its file lies, from its start marker to behind its end marker.
  var range: Range<Int>
  var size: BitmapSize
  var channels: Int
  var numbers = GainMapNumbers()
}

extension Inspection {
  /// The most bytes of a segment of a gain map that are looked at together.
  private static var mostMapBytes: Int { 4 << 20 }

  /// What the file says of the gain map behind a JPEG of the given size that ends at `end`; nil where it speaks
  /// of none.
  ///
  /// Lengths in real files lie, places don't: a map is looked for where the table of pictures leads, where the
  /// lengths in Google's directory do, and right behind the end; it counts if a JPEG begins there that says
  /// itself that it is one, and is followed to its own end.
  mutating func gainMap(
    of base: BitmapSize, end: Int, xmp: [UInt8]?
  ) throws(CropError) -> GainMapInfo? {
    guard kinds.contains(.gainMap) else { return nil }
    var places = furtherPictures
    var next = end
    for item in xmp.map({ XMPProperties($0).items })?.dropFirst().prefix(16) ?? [] {
      if item.semantic == "GainMap" { places.append(next) }
      guard let length = item.length else { break }
      let (behind, overflow) = next.addingReportingOverflow(length)
      guard !overflow, behind <= reader.count else { break }
      next = behind
    }
    places.append(end)
    var tried: Set<Int> = []
    var fault = "it is not in the file"
    for place in places where place >= end && tried.insert(place).inserted {
      guard try reader.big16(place) == 0xFFD8 else { continue }
      switch try gainMap(at: place) {
      case .success(let found):
        if found.size.width > base.width || found.size.height > base.height {
          fault = "it is larger than the picture"
          continue
        }
        return try info(found, of: base)
      case .failure(let reason): if let words = reason.words { fault = words }
      }
    }
    return GainMapInfo(fault: fault)
  }

  private mutating func info(
    _ found: FoundGainMap, of base: BitmapSize
  ) throws(CropError) -> GainMapInfo {
    var info = GainMapInfo(
      kinds: found.numbers.kinds, size: found.size, channels: found.channels,
      headroom: found.numbers.headroom)
    if info.headroom == nil, let place = places.first(where: { $0.kind == .exif }),
      let exif = try bytes(of: place)
    {
      info.headroom = AppleHeadroom(inEXIF: exif)?.stops
    }
    info.scale = Double(base.width) / Double(found.size.width)
    info.place = GainMapInfo.Place(offset: found.range.lowerBound, count: found.range.count)
    return info
  }

  /// Why a picture is no gain map that can be used; no words for one that never said it was one.
  private struct NoMap: Error {
    var words: String?
  }

  /// The gain map that begins at `start`.
  private mutating func gainMap(
    at start: Int
  ) throws(CropError) -> Result<FoundGainMap, NoMap> {
    let input = SourceInput(reader.source)
    let markers = JPEGMarkerReader(input.jpeg, at: Int64(start + 2))
    var found = FoundGainMap(
      range: start..<start, size: BitmapSize(width: 0, height: 0), channels: 0)
    var (scans, room) = (0, Self.mostMapBytes)
    do throws(JPEGError) {
      while let part = try markers.next() {
        let content = Int(part.start)
        switch part.marker {
        case JPEGMarker.endOfImage:
          guard scans > 0, found.channels > 0 else { return .failure(damage(found)) }
          guard !found.numbers.kinds.isEmpty else { return .failure(NoMap()) }
          found.range = start..<content
          return .success(found)
        case JPEGMarker.startOfImage: return .failure(damage(found))
        case _ where JPEGMarker.isFrame(part.marker):
          guard found.channels == 0 else { return .failure(damage(found)) }
          let header = try markers.frameHeader(part)
          guard header.precision == 8, [1, 3].contains(header.components.count),
            header.width > 0, header.height > 0, header.hasGoodFactors
          else { return .failure(NoMap(words: "its kind of JPEG can't be read")) }
          found.channels = header.components.count
          found.size = BitmapSize(width: header.width, height: header.height)
        case JPEGMarker.startOfScan:
          scans += 1
          guard found.channels > 0, scans <= limits.scans else { return .failure(damage(found)) }
          // What does not say that it is a gain map need not be followed.
          if scans == 1, found.numbers.kinds.isEmpty { return .failure(NoMap()) }
        case 0xE1, 0xE2:
          room -= part.count
          guard room >= 0 else { return .failure(damage(found)) }
          do throws(CropError) {
            try note(part.marker, at: content, length: part.count, &found.numbers)
          } catch {
            throw .readFailed(code: 0)
          }
        default: break
        }
      }
    } catch {
      if let failure = input.failure { throw failure }
    }
    return .failure(damage(found))
  }

  private func damage(_ found: FoundGainMap) -> NoMap {
    NoMap(words: "it is damaged or cut short")
  }

  private mutating func note(
    _ marker: UInt8, at start: Int, length: Int, _ numbers: inout GainMapNumbers
  ) throws(CropError) {
    guard let content = try reader.bytes(start, length) else { return }
    numbers.note(marker, content)
  }
}

extension GainMapNumbers {
  /// Takes over what an application segment of a map's file says.
  mutating func note(_ marker: UInt8, _ content: [UInt8]) {
    let xmpMark = JPEGSegments.xmpMark
    if marker == 0xE1, content.starts(with: xmpMark), xmp.all.isEmpty {
      xmp = XMPProperties(Array(content.dropFirst(xmpMark.count)))
    } else if marker == 0xE2, content.starts(with: Self.isoMark), iso == nil {
      iso = Self.numbers(ofISO: content)
    } else if marker == 0xE2, content.starts(with: Array("ICC_PROFILE\0".utf8)),
      profile.count < 16
    {
      profile.append(content)
    }
  }

  /// What the file of a map says, which begins with its start marker.
  package init(inFile file: some Collection<UInt8>) {
    for (marker, content) in JPEGSegments.applications(in: Data(file)) { note(marker, content) }
  }
}
