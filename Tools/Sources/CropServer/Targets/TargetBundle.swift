import CropCore
import CropImaging
import FoundationEssentials
import Glibc
import PhotoLibrary

/// One archive with the target files of an image.
struct TargetBundle: Sendable {
  let order: TargetRequest
  /// The image's name without its extension.
  let photo: PathBytes
  let names: TargetNames
  /// Whether the archive contains a report about each target. If so, failed targets only appear
  /// there; otherwise one failure fails the complete request.
  let hasReport: Bool
  /// The date and time of the files.
  let moment: ZIPMoment

  /// The finished archive.
  struct Made: Sendable {
    let archive: Data
    /// The number of files, without the report.
    let count: Int
    /// Their warnings, each code once.
    let warnings: [String]
  }

  /// Makes the archive. The image is decoded once, and only one result at a time is in memory.
  /// Blocks.
  ///
  /// - Throws: `TargetFailure` for a target that can't be made, with a report only if none can;
  ///   `CropError` for the image; `Problem` for the archive.
  func made(of source: ImageSource, by engine: CropEngine) throws -> Made {
    let picture = try engine.open(source, for: order)
    try order.checkPixels(of: picture, called: source.name, engine.limits)
    let archive = try ZIPArchive(atMost: engine.limits.bytes, moment: moment)
    var entries: [Entry] = []
    var failure: TargetFailure?
    var taken: Set<String> = []
    for (index, target) in order.document.targets.enumerated() {
      do {
        try CropStop.check()
        let result = try order.plan(target, on: picture).result(by: engine)
        let name = names.name(
          of: photo, target: target.name, number: index + 1, format: result.format,
          size: result.size)
        let file = Self.free(name, &taken)
        try archive.add(result.bytes, as: file.bytes)
        entries.append(Entry(target: target.name, file: file.name, result: result))
      } catch let error as CropError where error.isOfOneCrop {
        try CropStop.check()
        let new = TargetFailure(target: target.name, error: error)
        guard hasReport else { throw new }
        failure = failure ?? new
        entries.append(Entry(new))
      }
    }
    let count = taken.count
    if count == 0, let failure { throw failure }
    if hasReport { try archive.add(Self.report(entries), as: Array("report.json".utf8)) }
    return Made(
      archive: try archive.finished(), count: count, warnings: Self.codes(of: entries))
  }

  /// The first unused name, ignoring case.
  private static func free(_ name: CropName, _ taken: inout Set<String>) -> PathBytes {
    var number = 1
    while !taken.insert(name[number].name.lowercased()).inserted { number += 1 }
    return name[number]
  }

  private static func codes(of entries: [Entry]) -> [String] {
    var codes: [String] = []
    for note in entries.flatMap({ $0.notes ?? [] }) where !codes.contains(note.code) {
      codes.append(note.code)
    }
    return codes
  }

  private static func report(_ entries: [Entry]) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(["targets": entries])
  }
}

extension TargetBundle {
  /// A target in the report: its file, or why it has none.
  private struct Entry: Encodable {
    let target: String
    var file: String?
    var width: Int?
    var height: Int?
    var bytes: Int?
    var lossless: Bool?
    var gainMap: GainMapOutcome?
    var notes: [NoteJSON]?
    var problem: NoteJSON?

    init(target: String, file: String, result: CropResult) {
      self.target = target
      self.file = file
      (width, height) = (result.size.width, result.size.height)
      bytes = result.byteCount
      lossless = result.isLossless && result.requantized == nil
      gainMap = result.gainMap
      notes = result.warnings.map(NoteJSON.init)
    }

    init(_ failure: TargetFailure) {
      target = failure.target
      problem = NoteJSON(code: failure.error.code, message: failure.error.message(for: .http))
    }
  }
}

/// A warning about a result.
struct NoteJSON: Encodable {
  let code: String
  let message: String

  init(code: String, message: String) {
    self.code = code
    self.message = message.withoutDirectionControls
  }

  init(_ warning: CropWarning) {
    self.init(code: warning.code, message: warning.message)
  }
}
