import ArgumentParser
import CropCore
import CropImaging
import FoundationEssentials
import Glibc

/// A file next to the results of a photo's targets, for a web page or an operating system that
/// shows them.
struct ExportFile {
  private let export: TargetExport
  private let path: PathBytes
  private let photo: FileArgument
  private let isForced: Bool

  /// The file for an export, named after the photo.
  init(_ export: TargetExport, of photo: FileArgument, in folder: FileArgument, isForced: Bool) {
    self.export = export
    self.photo = photo
    self.isForced = isForced
    var bytes = folder.path.bytes
    if bytes.last != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
    path = PathBytes(bytes + photo.stem + Array(export.suffix.utf8))
  }

  /// Checks that everything can be expressed and written, before anything is cropped.
  ///
  /// - Throws: `CropError`.
  func check(_ entries: [TargetExport.Entry]) throws(CropError) {
    _ = try text(entries)
    guard access(path.bytes.map(CChar.init(bitPattern:)) + [0], F_OK) != 0 || isForced else {
      throw .outputExists(path: path.name)
    }
  }

  /// Writes the file.
  ///
  /// - Throws: `CropError`.
  func write(_ entries: [TargetExport.Entry], isQuiet: Bool) throws(CropError) {
    try AtomicFile.save(
      Data(text(entries).utf8), to: path, replacing: isForced ? .existing : .nothing)
    if !isQuiet { Terminal.warn("\(path.name): \(export.version)") }
  }

  private func text(_ entries: [TargetExport.Entry]) throws(CropError) -> String {
    do throws(CropExporterError) {
      return try export.text(for: entries, of: photo.name)
    } catch {
      throw .usage(detail: "\(error.exporter) can't \(error.what); leave that out of the targets")
    }
  }
}

extension TargetExport: @retroactive ExpressibleByArgument {}

extension TargetExport.Entry {
  /// The entry for a target's file; nil for a task without one.
  ///
  /// - Parameter size: the file's size; nil before it is made.
  /// - Throws: `CropError.invalidRecipe`.
  init?(_ task: CropTask, on info: ImageInfo, size: FrameSize? = nil) throws(CropError) {
    guard let choice = task.what.target else { return nil }
    let target = try choice.crop(on: info)
    let crop = try target.recipe.resolved(for: info.shown, file: task.input.name)
    let name = task.output.name.split(separator: "/").last.map(String.init) ?? ""
    let planned = try task.options.fitted(to: target).layout(of: crop, file: task.input.name)?.size
    self.init(
      name: choice.target.name, crop: crop, focus: choice.document.focus, file: name,
      size: size ?? planned ?? crop.output, fit: choice.target.fit)
  }
}
