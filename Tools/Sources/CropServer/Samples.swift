import CropImaging
import Foundation
import Glibc
import Hummingbird

/// The sample pictures in a folder, found when the server starts.
struct Samples: Sendable {
  /// A picture of the folder.
  struct Sample: Sendable {
    /// Made from the name; no part of a path.
    let id: String
    let name: String
    let path: String
    let info: ImageInfo
  }

  /// In the order of their names.
  let all: [Sample]

  /// The pictures directly in `folder`; nil and a folder that can't be read have none.
  init(folder: String?, engine: CropEngine) {
    guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    else {
      all = []
      return
    }
    all = names.sorted().compactMap { name in
      let path = "\(folder)/\(name)"
      guard !name.hasPrefix("."), let source = try? PictureSource(path: path),
        source.byteCount <= Self.largest, let info = try? engine.info(source)
      else { return nil }
      return Sample(id: String(name.utf8.hash, radix: 16), name: name, path: path, info: info)
    }
  }

  /// The most bytes of a sample.
  private static let largest = 64 << 20

  /// The sample of the given id.
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
    let format: PictureFormat
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
  /// Opens the file. Errors call it by its name: clients never see paths.
  func open() throws(CropError) -> PictureSource {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .inputMissing(file: name) }
    return try PictureSource(adopting: file, name: name)
  }

  /// What changes with the file, which is open as `source`.
  func tag(of source: PictureSource) -> String { "\(id)-\(source.stamp ?? "")" }
}
