import CropCore
import CropJPEG
import FileWire

// Planning and making a crop.
extension Bridge {
  mutating func plan(mode: LosslessMode, isBaked: Bool, dpi: Int) -> FilePlan? {
    (planned, problem, self.dpi) = (nil, [], dpi)
    // Known without a file, too.
    if let conflict = options.conflict {
      note(conflict)
      return nil
    }
    guard let file else { return nil }
    guard let (recipe, clamped) = asked(file), let crop = resolved(recipe, file.imageSize) else {
      return nil
    }
    let plan = JPEGPlan(
      crop, grid: file.header.grid, orientation: file.orientation, mode: mode, isBaked: isBaked)
    let need = need(file, crop, plan)
    let fit = print?.fit(crop.rectSize)
    let isShort = fit?.isShort == true
    let rect = plan?.frameRect.rect ?? crop.rect
    var result = FilePlan(
      need: need, x: rect.x, y: rect.y, width: rect.width, height: rect.height,
      outputWidth: crop.output.width, outputHeight: crop.output.height, left: 0, top: 0, right: 0,
      bottom: 0, dpi: Int(print?.density ?? 0), clamped: clamped,
      kept: clamped == nil ? nil : recipe.rect, needed: isShort ? print?.pixels : nil,
      has: isShort ? fit?.part : nil)
    if let plan, need == nil {
      planned = PlannedCut(
        plan: plan, isIdentity: crop.isIdentity,
        density: fit?.density ?? (dpi > 0 ? PixelDensity(dpi: dpi) : nil))
      (result.outputWidth, result.outputHeight) = (plan.frameRect.width, plan.frameRect.height)
      let edges = plan.requantized
      (result.left, result.top) = (edges.left, edges.top)
      (result.right, result.bottom) = (edges.right, edges.bottom)
    }
    return result
  }

  private mutating func asked(
    _ file: JPEGFile
  ) -> (recipe: CropRecipe, clamped: FrameRect?)? {
    do throws(CropDescription.NotSquare) {
      guard trims else { return try described.recipe(for: file.imageSize, jpeg: file.stored) }
      if case .everything = border {
        refuse(.oneColor)
        return nil
      }
      return (try trimmed(file), nil)
    } catch {
      refuse(.notSquare, Double(error.rect.width), Double(error.rect.height))
      return nil
    }
  }

  /// The recipe for what is inside the border; without one, for the complete image.
  private func trimmed(_ file: JPEGFile) throws(CropDescription.NotSquare) -> CropRecipe {
    let (image, wanted) = (file.imageSize, described)
    var recipe = try wanted.withoutArea.recipe(for: image, jpeg: file.stored).recipe
    if case .inside(let inside) = border, inside.width < image.width || inside.height < image.height
    {
      recipe.rect =
        OrientationMap<ImageSpace, FrameSpace>(recipe.orientation, of: image)(inside).rect
    }
    return try wanted.placed(in: recipe, of: image, jpeg: file.stored)
  }

  mutating func setInside(inside: PixelRect<FrameSpace>?) -> Bool {
    guard let inside else {
      border = .everything
      return true
    }
    guard let image = file?.imageSize, inside.width > 0, inside.height > 0,
      image.bounds.contains(
        CropRect(
          x: Double(inside.x), y: Double(inside.y), width: Double(inside.width),
          height: Double(inside.height)))
    else { return false }
    border = .inside(
      ImageRect(x: inside.x, y: inside.y, width: inside.width, height: inside.height))
    return true
  }

  mutating func resolved(_ recipe: CropRecipe, _ image: ImageSize) -> ResolvedCrop? {
    do throws(RecipeError) {
      return try recipe.resolved(for: image)
    } catch {
      note(error, of: image)
      return nil
    }
  }

  /// What the crop needs besides copied blocks; nil if they are enough.
  private func need(_ file: JPEGFile, _ crop: ResolvedCrop, _ plan: JPEGPlan?) -> Need? {
    if trims, case .unknown = border { return .trim }
    if findsCorners { return .corners }
    guard crop.keepsPixels, let plan else { return .newPixels }
    switch file.header.frame.obstacle {
    case .progressive: return .progressive
    case .arithmetic: return .arithmetic
    case nil: break
    default: return .precision
    }
    switch plan.obstacle {
    case .offGrid: return .offGrid
    case .partialBlocks: return .partialBlocks
    case nil: break
    default: return .newPixels
    }
    if plan.way == .reencoded { return .newPixels }
    return plan.turn == .up ? nil : .turnedBlocks
  }

  mutating func crop(metadata: MetadataPolicy, mayCopy: Bool, keepsMap: Bool) -> FileReport? {
    guard let file, let planned else { return nil }
    let plan = planned.plan
    (requantized, lost) = ([], [])
    do throws(JPEGError) {
      let contents = try readContents()
      if planned.isIdentity, mayCopy, isKept(metadata, keepsMap, contents) {
        // An uncropped image has nothing to hide, but may be damaged.
        let report = try file.crop(plan.rect, orientation: plan.flag) { _ in }
        if report.warnings.isEmpty {
          guard let density = planned.density else { return FileReport(report, isCopied: true) }
          if try file.restate(density, into: { write($0) }) {
            return FileReport(report, isCopied: false, isRestated: true)
          }
        }
      }
      let report = try file.crop(
        plan.rect, orientation: plan.flag, metadata: metadata, density: planned.density
      ) { write($0) }
      if !plan.requantized.isEmpty { requantized = report.requantized }
      lost = file.droppedMetadata(
        contents, cutting: plan.rect, orientation: plan.flag, metadata: metadata)
      return FileReport(report, isCopied: false)
    } catch {
      note(error)
      return nil
    }
  }

  private mutating func readContents() throws(JPEGError) -> JPEGContents {
    if let contents { return contents }
    let read = try JPEGContents(input(0), byteCount: byteCount)
    contents = read
    return read
  }

  /// Whether nothing must be removed from the file.
  private func isKept(
    _ metadata: MetadataPolicy, _ keepsMap: Bool, _ contents: JPEGContents
  ) -> Bool {
    switch metadata {
    case .stripAll: return false
    case .stripLocation: if contents.kinds.contains(where: { $0 != .icc }) { return false }
    case .keep: break
    }
    return keepsMap || !contents.kinds.contains(.gainMap)
  }

  mutating func addMap(byteCount: Int) -> MapOutcome {
    guard let plan = planned?.plan else { return .none }
    do throws(JPEGError) {
      let contents = try readContents()
      guard contents.kinds.contains(.gainMap) else { return .none }
      let map: JPEGGainMap
      switch try JPEGGainMap.found(in: input(0), contents) {
      case .success(let found): map = found
      case .failure(let fault): return MapOutcome(fault)
      }
      guard let crop = map.crop(plan.rect, flag: plan.flag) else { return .dropped }
      let outcome = try map.write(
        input(1), byteCount: byteCount, crop: crop, flag: plan.flag, isSRGB: false
      ) { write($0) }
      if map.dropsXMP { lost.append(.xmp) }
      switch outcome {
      case .cut: return .cut
      case .recoded: return .recoded
      case nil: return .dropped
      }
    } catch {
      return .dropped
    }
  }
}

extension MapOutcome {
  fileprivate init(_ fault: GainMapFault) {
    switch fault {
    case .missing: self = .missing
    case .largerThanImage: self = .largerThanImage
    case .unsupportedCoding: self = .unsupportedCoding
    case .damaged: self = .damaged
    case .cutOff: self = .cutOff
    }
  }
}

extension FileReport {
  fileprivate init(_ report: JPEGCutReport, isCopied: Bool, isRestated: Bool = false) {
    self.init(
      isCopied: isCopied, isRestated: isRestated,
      hasExtraBytes: report.warnings.contains(.extraBytes),
      isTruncated: report.warnings.contains(.truncated),
      isDamagedAtEnd: report.warnings.contains(.damagedEnd))
  }
}
