import CropCore
import CropImaging

/// What `cropkit targets` writes beside the results, where that is asked for.
struct TargetsBeside {
  private let tasks: [CropTask]
  private let image: ImageSize
  private let exports: [ExportFile]
  private let regions: RegionsFile?

  /// Makes sure, before anything is written, that all of it can be said.
  ///
  /// - Throws: `CropError`.
  init(
    _ command: Targets, _ tasks: [Result<CropTask, CropError>], of source: PictureSource,
    _ image: ImageSize
  ) throws(CropError) {
    let isForced = command.options.force
    let asked = command.to.map(\.export)
    self.tasks = tasks.compactMap { try? $0.get() }
    self.image = image
    exports = asked.map {
      ExportFile($0, of: command.input, in: command.folder, isForced: isForced)
    }
    guard !asked.isEmpty || command.writeRegions != nil else {
      regions = nil
      return
    }
    let entries = try Self.entries(self.tasks, on: image)
    for export in exports { try export.check(entries) }
    var regions: RegionsFile?
    if let file = command.writeRegions {
      regions = try RegionsFile(entries, of: source, to: file, isForced: isForced)
    }
    self.regions = regions
  }

  /// - Throws: `CropError` for a place that can't be written to.
  func check() throws(CropError) { try regions?.check() }

  /// Writes all of it; `sizes` are those of the targets' files.
  ///
  /// - Throws: `CropError`.
  func write(sizes: [String: FrameSize], isQuiet: Bool) throws(CropError) {
    if !exports.isEmpty {
      let entries = try Self.entries(tasks, on: image, sizes: sizes)
      for export in exports { try export.write(entries, isQuiet: isQuiet) }
    }
    try regions?.write(isQuiet: isQuiet)
  }

  private static func entries(
    _ tasks: [CropTask], on image: ImageSize, sizes: [String: FrameSize] = [:]
  ) throws(CropError) -> [TargetExport.Entry] {
    var entries: [TargetExport.Entry] = []
    for task in tasks {
      let size = sizes[task.what.target?.target.name ?? ""]
      if let entry = try TargetExport.Entry(task, on: image, size: size) { entries.append(entry) }
    }
    return entries
  }
}
