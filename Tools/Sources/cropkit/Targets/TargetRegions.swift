import CropCore
import CropImaging
import FoundationEssentials
import Glibc

extension TargetDocument {
  /// Converts the image regions of a photo to crops made by hand, and its main subject to the
  /// focus.
  ///
  /// - Throws: `CropError.usage` for a photo without image regions.
  init(regionsOf source: ImageSource, _ image: ImageSize) throws(CropError) {
    let regions = ImageRegion.all(in: source, of: image)
    guard regions.contains(where: { $0.isCrop || $0.isFocus }) else {
      throw .usage(
        detail: "\(source.name): it has no image region that is a crop or the main subject")
    }
    self.init(focus: regions.first(where: \.isFocus)?.box)
    for region in regions where region.isCrop {
      guard let target = PhotoTarget(region, of: image, number: targets.count + 1) else { continue }
      if !targets.contains(where: { $0.name == target.name }) { targets.append(target) }
    }
  }
}

extension PhotoTarget {
  /// The target whose crop is the region; nil for a region without pixels.
  fileprivate init?(_ region: ImageRegion, of image: ImageSize, number: Int) {
    func pixels(_ start: Double, _ length: Double, of side: Int) -> (Int, Int) {
      let first = Int((start * Double(side)).rounded())
      return (first, Int(((start + length) * Double(side)).rounded()) - first)
    }
    let (x, width) = pixels(region.box.x, region.box.width, of: image.width)
    let (y, height) = pixels(region.box.y, region.box.height, of: image.height)
    guard let ratio = AspectRatio(width, height) else { return nil }
    let rect = FrameRect(
      x: Double(x), y: Double(y), width: Double(width), height: Double(height))
    self.init(
      name: region.name.isEmpty ? "crop-\(number)" : region.name, requirement: .ratio(ratio),
      recipe: CropRecipe(rect: rect))
  }
}

/// A copy of a photo with the crops of its targets and the focus as image regions.
struct RegionsFile {
  private let bytes: Data
  private let file: FileArgument
  private let source: ImageSource
  private let replacing: AtomicFile.Replacing

  /// Makes the copy in memory.
  ///
  /// - Throws: `CropError` for targets that can't be expressed as regions, and for a photo that
  ///   can't store them.
  init(
    _ entries: [TargetExport.Entry], of source: ImageSource, to file: FileArgument, isForced: Bool
  ) throws(CropError) {
    var regions: [ImageRegion] = []
    for entry in entries { regions.append(try Self.region(of: entry)) }
    if let focus = entries.first?.focus { regions.append(.focus(focus)) }
    bytes = try ImageRegion.added(regions, toJPEG: source)
    self.file = file
    self.source = source
    replacing = isForced ? .existing : .nothing
  }

  /// - Throws: `CropError` if it can't be written.
  func check() throws(CropError) {
    try AtomicFile.check(file.path, replacing: replacing, input: source)
  }

  func write(isQuiet: Bool) throws(CropError) {
    try AtomicFile.save(bytes, to: file.path, replacing: replacing, input: source)
    if !isQuiet { Terminal.warn("\(file.name): copy of the photo, with image regions") }
  }

  private static func region(of entry: TargetExport.Entry) throws(CropError) -> ImageRegion {
    let image = entry.crop.image
    guard let part = entry.crop.imageRect, entry.crop.orientation == .up,
      let ratio = AspectRatio(part.width, part.height),
      let box = FocusBox(
        x: Double(part.x) / Double(image.width), y: Double(part.y) / Double(image.height),
        width: Double(part.width) / Double(image.width),
        height: Double(part.height) / Double(image.height))
    else {
      throw .usage(
        detail:
          "\(entry.name): an image region can't rotate, flip or tilt the photo; leave that out")
    }
    return .crop(entry.name, box, ratio: ratio)
  }
}
