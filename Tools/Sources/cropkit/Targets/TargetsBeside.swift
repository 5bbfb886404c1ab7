import CropCore
import CropImaging

/// The optional files that `cropkit targets` writes in addition to the results.
struct TargetsBeside {
  let photo: FileArgument
  private let tasks: [CropTask]
  private let info: ImageInfo
  private let exports: [ExportFile]
  private let regions: RegionsFile?

  /// Checks that everything can be expressed, before anything is written.
  ///
  /// - Throws: `CropError`.
  init(
    _ command: Targets, _ photo: FileArgument, in folder: FileArgument,
    _ tasks: [Result<CropTask, CropError>], of source: ImageSource, _ info: ImageInfo
  ) throws(CropError) {
    self.photo = photo
    let isForced = command.options.force
    let asked = command.to
    self.tasks = tasks.compactMap { try? $0.get() }
    self.info = info
    exports = asked.map {
      ExportFile($0, of: photo, in: folder, isForced: isForced)
    }
    guard !asked.isEmpty || command.writeRegions != nil else {
      regions = nil
      return
    }
    let entries = try Self.entries(self.tasks, on: info)
    for export in exports { try export.check(entries) }
    var regions: RegionsFile?
    if let file = command.writeRegions {
      regions = try RegionsFile(entries, of: source, to: file, isForced: isForced)
    }
    self.regions = regions
  }

  /// - Throws: `CropError` if a file can't be written.
  func check() throws(CropError) { try regions?.check() }

  /// Writes all files; `sizes` are those of the targets' files.
  ///
  /// - Throws: `CropError`.
  func write(sizes: [String: FrameSize], isQuiet: Bool) throws(CropError) {
    if !exports.isEmpty {
      let entries = try Self.entries(tasks, on: info, sizes: sizes)
      for export in exports { try export.write(entries, isQuiet: isQuiet) }
    }
    try regions?.write(isQuiet: isQuiet)
  }

  private static func entries(
    _ tasks: [CropTask], on info: ImageInfo, sizes: [String: FrameSize] = [:]
  ) throws(CropError) -> [TargetExport.Entry] {
    var entries: [TargetExport.Entry] = []
    for task in tasks {
      let size = sizes[task.what.target?.target.name ?? ""]
      if let entry = try TargetExport.Entry(task, on: info, size: size) { entries.append(entry) }
    }
    return entries
  }
}
