import CropCore
import CropJPEG

/// The segments at the start of a cut JPEG.
struct JPEGMetadata {
  /// The segments, in the order in which they are written.
  private(set) var segments = JPEGSegmentList()
  private(set) var warnings: [CropWarning] = []

  /// The segments of the source that the result keeps, by `jobPlan`.
  ///
  /// - Throws: `CropError.readFailed`.
  init(
    _ source: ImageSource, _ header: JPEGHeader, _ options: ResultOptions, _ info: ImageInfo,
    _ jobPlan: JPEGJobPlan, _ density: DensityEdit
  ) throws(CropError) {
    let policy = options.metadata
    let parts = try Self.parts(source, header)
    let isTransposed = jobPlan.plan.turn.isTransposing
    let edit = MetadataEdit(
      width: jobPlan.storedSize.width, height: jobPlan.storedSize.height, policy: policy,
      orientation: jobPlan.plan.flag,
      density: jobPlan.plan.flag.isTransposing ? density.transposed : density)
    let kept = JPEGKeptSegments(parts, edit: edit, isTransposed: isTransposed)
    for case .new(let marker, let content) in kept.segments {
      segments.segments.append((marker, content))
    }
    if let provenance = options.provenance { add(provenance) }
    let dropped = kept.dropped(of: info.metadata, parts, under: policy)
    if !dropped.isEmpty { warnings.append(.metadataDropped(dropped)) }
  }

  private mutating func add(_ provenance: Provenance) {
    let mark = JPEGSegments.xmpMark
    let all = segments.segments
    let place = all.firstIndex { $0.marker == 0xE1 && $0.content.starts(with: mark) }
    let packet = provenance.added(
      to: place.map { Array(all[$0].content.dropFirst(mark.count)) },
      maxBytes: JPEGSegments.mostXMP)
    if let place { segments.segments.remove(at: place) }
    // After JFIF and EXIF.
    let next = segments.segments.prefix { $0.marker <= 0xE1 }.count
    segments.segments.insert((0xE1, mark + packet), at: place ?? next)
  }

  private static func parts(
    _ source: ImageSource, _ header: JPEGHeader
  ) throws(CropError) -> JPEGParts {
    let input = SourceInput(source)
    do throws(JPEGError) {
      return try JPEGParts(header, reading: input.jpeg)
    } catch {
      throw input.failure
        ?? .readFailed(file: source.name, detail: "it became shorter while it was read")
    }
  }
}

extension JPEGSegmentList {
  /// Only the segments that describe the color encoding.
  var colorAlone: Self {
    Self(segments: segments.filter { $0.marker == 0xE0 || $0.marker == 0xEE })
  }
}
