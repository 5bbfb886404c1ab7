import Foundation

/// The small files that fuzzing starts from, and what it found; they are part of the repository.
enum FuzzCorpus {
  static let files: [(name: String, bytes: [UInt8])] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.appendingPathComponent("Fuzz/Corpora/JPEG")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().compactMap { name in
      guard name.hasSuffix(".jpg"),
        let data = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path)
      else { return nil }
      return (String(name.dropLast(4)), [UInt8](data))
    }
  }()
}
