import CropImaging
import FoundationEssentials
import Glibc
import Hummingbird
import Synchronization

/// The sample images in a folder, listed when the server starts.
struct Samples: Sendable {
  /// A sample image.
  struct Sample: Sendable {
    /// Derived from the name; not part of a path.
    let id: String
    let name: String
    let path: String
    let info: ImageInfo
  }

  /// In the order of their names.
  let all: [Sample]

  /// The images directly in `folder`; none for nil and for an unreadable folder.
  init(folder: String?, engine: CropEngine) {
    guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    else {
      all = []
      return
    }
    all = names.sorted().compactMap { name in
      let path = "\(folder)/\(name)"
      guard !name.hasPrefix("."), let source = try? ImageSource(path: path),
        source.byteCount <= Self.largest, let info = try? engine.info(source)
      else { return nil }
      return Sample(id: String(name.utf8.hash, radix: 16), name: name, path: path, info: info)
    }
  }

  /// The maximum size of a sample in bytes.
  private static let largest = 64 << 20

  subscript(id: String) -> Sample? {
    all.first { $0.id == id }
  }
}

extension Samples {
  private struct List: Encodable {
    let samples: [Item]
  }

  private struct Item: Encodable {
    let id: String
    let name: String
    let title: String
    let url: String
    let thumbnail: String
    let format: ImageFormat
    let mediaType: String
    let width: Int
    let height: Int
    let bytes: Int

    init(_ sample: Sample) {
      id = sample.id
      name = sample.name
      title = sample.title
      url = "api/samples/\(sample.id)"
      thumbnail = "\(url)/preview?maxSide=480"
      format = sample.info.format
      mediaType = sample.info.format.mediaType
      width = sample.info.shown.width
      height = sample.info.shown.height
      bytes = sample.info.byteCount
    }
  }

  /// `{"samples": [{"id", "name", "title", "url", "thumbnail", "format", "mediaType", "width",
  /// "height", "bytes"}]}`, sizes in upright pixels, addresses relative to the page's.
  func list() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(List(samples: all.map(Item.init)))
  }
}

extension Samples.Sample {
  /// `Mountain lake` for `mountain-lake.jpg`.
  fileprivate var title: String {
    let stem = name.split(separator: ".").first.map(String.init) ?? name
    let words = stem.split(whereSeparator: { $0 == "-" || $0 == "_" }).joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

extension Samples.Sample {
  /// Opens the file. Errors only contain its name, so that clients never see paths.
  func open() throws(CropError) -> ImageSource {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .inputMissing(file: name) }
    return try ImageSource(adopting: file, name: name)
  }

  /// A tag for the version of the file that is open as `source`.
  func tag(of source: ImageSource) -> String { "\(id)-\(source.stamp ?? "")" }
}

/// Previews of the samples. Every start screen requests them, so each is made only once.
///
/// They have a separate scheduler, as a library's thumbnails do, so that photos do not wait for
/// them.
final class SamplePreviews: Sendable {
  private struct Kept {
    var results: [String: CropResult] = [:]
    var byteCount = 0
  }

  private let engine: CropEngine
  private let scheduler: CropScheduler
  private let kept = Mutex(Kept())

  /// The maximum number of cached bytes.
  private static let most = 32 << 20

  /// Makes `places` previews at the same time, with a queue of `queueLength`.
  init(engine: CropEngine, places: Int, queueLength: Int) {
    self.engine = engine
    scheduler = CropScheduler(places: places, queueLength: queueLength)
  }

  /// The preview of the sample in `source`, its longer side at most `side` pixels; `tag` identifies
  /// both.
  ///
  /// - Throws: `CropError.busy`, or what the engine throws; nothing is cached then.
  func preview(
    of source: ImageSource, side: Int, tag: String, until stop: CropStop
  ) async throws -> CropResult {
    if let result = kept.withLock({ $0.results[tag] }) { return result }
    // Everybody sees what is kept.
    let result = try await CropPrincipal.$current.withValue(CropPrincipal("samples")) {
      try await scheduler.perform(cost: source.cost, until: stop) {
        [engine] () throws(CropError) in
        try engine.preview(source, maxSide: side)
      }
    }
    kept.withLock { kept in
      guard result.byteCount <= Self.most, kept.results[tag] == nil else { return }
      if kept.byteCount + result.byteCount > Self.most { kept = Kept() }
      kept.results[tag] = result
      kept.byteCount += result.byteCount
    }
    return result
  }
}
