import CropCore

/// A gain map that was found after a JPEG.
package struct FoundGainMap {
  /// The range of its file, from its start marker to the end of its end marker.
  package fileprivate(set) var range: Range<Int>
  /// The size of the map, in samples.
  package fileprivate(set) var size = BitmapSize(width: 0, height: 0)
  /// The number of channels, 1 or 3.
  package fileprivate(set) var channels = 0
  /// Its parameters.
  package fileprivate(set) var numbers = GainMapNumbers()
}

/// Why a gain map that a JPEG mentions can't be used.
public enum GainMapFault: Error, Sendable {
  /// It is not in the file.
  case missing
  /// It is larger than the image.
  case largerThanImage
  /// It has other than 8 bits per sample, or other than one or three channels.
  case unsupportedCoding
  /// It is damaged, or the file ends inside it.
  case damaged
  /// The file ends before it.
  case cutOff
}

/// Searches the gain map after a JPEG.
///
/// Lengths in real files are unreliable, positions are not: a map is searched where the table of
/// images points, where the lengths in Google's directory point, and right after the end. It
/// counts if a JPEG starts there that declares itself a gain map, and is followed to its end.
package struct GainMapSearch {
  /// The most bytes of a gain map's segments that are read in total.
  private static var mostSegmentBytes: Int { 4 << 20 }

  private let input: JPEGInput
  private let reader: ByteReader
  private let mostScans: Int

  /// A search in `input` for maps of at most `mostScans` scans.
  package init(_ input: JPEGInput, mostScans: Int) {
    self.input = input
    self.mostScans = mostScans
    reader = ByteReader(input)
  }

  /// Finds the gain map of an image that ends at `end`.
  ///
  /// - Parameters:
  ///   - base: the size of the image, in pixels.
  ///   - end: the position after its end marker.
  ///   - xmp: its XMP packet.
  ///   - pictures: the positions of the other images in its table.
  /// - Throws: only what the input throws.
  package func map(
    of base: BitmapSize, end: Int, xmp: [UInt8]?, pictures: [Int]
  ) throws(JPEGError) -> Result<FoundGainMap, GainMapFault> {
    var places = pictures
    var next = end
    if let xmp {
      for item in GainMapXMP(xmp).items.dropFirst().prefix(16) {
        if item.isGainMap { places.append(next) }
        guard let length = item.length else { break }
        let (behind, overflow) = next.addingReportingOverflow(length)
        guard !overflow else { break }
        next = behind
      }
    }
    places.append(end)
    var fault = GainMapFault.missing
    for (index, place) in places.enumerated()
    where place >= end && !places[..<index].contains(place) {
      guard try startsImage(at: place) else { continue }
      switch try map(at: place) {
      case .success(let found):
        if found.size.width <= base.width, found.size.height <= base.height {
          return .success(found)
        }
        fault = .largerThanImage
      // An image that never claimed to be a map says nothing.
      case .failure(.missing): break
      case .failure(let found): fault = found
      }
    }
    return .failure(fault)
  }

  private func startsImage(at place: Int) throws(JPEGError) -> Bool {
    reader.seek(Int64(place))
    return try reader.need(2) && reader.buffer[reader.cursor] == 0xFF
      && reader.buffer[reader.cursor + 1] == JPEGMarker.startOfImage
  }

  /// The gain map that starts at `start`; the fault is `missing` if the image does not declare
  /// itself one.
  private func map(at start: Int) throws(JPEGError) -> Result<FoundGainMap, GainMapFault> {
    let markers = JPEGMarkerReader(input, at: Int64(start + 2))
    var found = FoundGainMap(range: start..<start)
    var (scans, room) = (0, Self.mostSegmentBytes)
    do throws(JPEGError) {
      while let part = try markers.next() {
        switch part.marker {
        case JPEGMarker.endOfImage:
          guard scans > 0, found.channels > 0 else { return .failure(.damaged) }
          guard found.numbers.isGainMap else { return .failure(.missing) }
          found.range = start..<Int(part.start)
          return .success(found)
        case JPEGMarker.startOfImage: return .failure(.damaged)
        case _ where JPEGMarker.isFrame(part.marker):
          guard found.channels == 0 else { return .failure(.damaged) }
          let header = try markers.frameHeader(part)
          let channels = header.components.count
          guard header.precision == 8, channels == 1 || channels == 3, header.width > 0,
            header.height > 0, header.hasGoodFactors
          else { return .failure(.unsupportedCoding) }
          found.channels = channels
          found.size = BitmapSize(width: header.width, height: header.height)
        case JPEGMarker.startOfScan:
          scans += 1
          guard found.channels > 0, scans <= mostScans else { return .failure(.damaged) }
          // An image that does not declare itself a gain map is not parsed to its end.
          if scans == 1, !found.numbers.isGainMap { return .failure(.missing) }
        case 0xE1, 0xE2:
          room -= part.count
          guard room >= 0 else { return .failure(.damaged) }
          reader.seek(part.start)
          guard try reader.need(part.count) else { break }
          found.numbers.note(
            part.marker,
            [UInt8](
              UnsafeBufferPointer(start: reader.buffer + reader.cursor, count: part.count)))
        default: break
        }
      }
    } catch .readFailed(let code) {
      throw .readFailed(code: code)
    } catch {
      return .failure(.damaged)
    }
    return .failure(.damaged)
  }
}

extension GainMapNumbers {
  /// Reads the parameters from a map's file, which starts with its start marker.
  package init(inFile input: JPEGInput) throws(JPEGError) {
    let reader = ByteReader(input)
    for segment in try JPEGHeader(reading: input).segments
    where segment.marker == 0xE1 || segment.marker == 0xE2 {
      reader.seek(segment.contentOffset)
      guard try reader.need(segment.contentCount) else { continue }
      note(
        segment.marker,
        [UInt8](
          UnsafeBufferPointer(start: reader.buffer + reader.cursor, count: segment.contentCount)))
    }
  }
}
