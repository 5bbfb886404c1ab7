import ArgumentParser
import CropArguments
import CropCore
import CropImaging

/// `cropkit targets`: crops one photo for all its targets.
struct Targets: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "targets",
    abstract: "Crop photos for several targets.",
    usage:
      "cropkit targets IN… (--set NAME | --targets FILE | --regions) [--focus X,Y[,W,H]|FILE] [-d FOLDER | -o OUT] [options]",
    discussion: """
      A target is a place where the photo is shown, with a ratio or a size in pixels. Its crop is the largest \
      rectangle of that ratio that contains the focus, centered on it as well as possible. If no such \
      rectangle exists, a warning is printed (focus-cut). Without a focus, crops are centered: nothing is guessed.

        cropkit targets photo.jpg --set social --focus 0.42,0.30 -d out/
        cropkit targets photo.jpg --set print --set social -d out/ --json
        cropkit targets -r photos/ --set instagram -d out/
        cropkit targets photo.jpg --targets shop.json --focus face.json --json
        cropkit targets photo.jpg --set social --write-regions out/photo.jpg -d out/
        cropkit targets out/photo.jpg --regions -d again/
        cropkit targets photo.jpg --set passport-us --sheet 10x15cm -o sheet.jpg

      Crops are scaled down to the target's size. If a crop has fewer pixels than the size or the "minimum" of its \
      target, a warning is printed (too-small); it is enlarged only with --enlarge. The photo is decoded once.

      A size on paper has as many pixels as the target's "dpi" or --dpi needs (default: 300), and its result states \
      that density. A crop that has fewer pixels keeps them, with a lower density and a warning (low-density). \
      --sheet lays the crop on a sheet of paper as often as it fits.

      Built-in sets:

      \(TargetSet.all.map(Self.line).joined(separator: "\n"))

      A file of targets is JSON:

        {"focus": {"x": 0.4, "y": 0.2, "width": 0.1, "height": 0.2},
         "targets": [{"name": "story", "ratio": "9:16",
                      "minimum": {"width": 1080, "height": 1920}},
                     {"name": "link", "size": {"width": 1200, "height": 630}},
                     {"name": "passport", "size": "35x45mm", "dpi": 600, "bleed": "3mm"}]}

      The focus is in fractions of the photo as displayed. "picture" may have "quarterTurns", "mirrored" and \
      "tilt" for all targets. A target may have a "recipe", which ignores the focus. With "fit": "contain" the \
      whole photo is placed on a canvas, see --fill. Unknown keys are errors.

      --to also writes a file for a web page or a CMS, named after the photo:

      \(TargetExport.allCases.map { "  \($0.rawValue): {name}\($0.suffix), \($0.version)" }.joined(separator: "\n"))

      html is a <picture> that shows the target whose ratio is nearest to the window's. object-position has a CSS \
      rule per target that crops the whole photo. sanity has a crop and a hotspot per target, \
      typo3 crop variants with their focus areas. If a crop can't be expressed, such as a tilt, the command fails before it \
      writes anything.

      --write-regions writes a copy of a JPEG with the same pixels, whose XMP has the crops and the focus as image \
      regions (IPTC Photo Metadata Standard 2019.1). Regions by other programs are kept. --regions reads them \
      back: crops become targets with a recipe, the main subject becomes the focus; with --set or --targets, only the focus is read.

      If a target fails, the others are still made, and the exit status is 1.
      """)

  @Argument(help: ArgumentHelp("Photos, or folders of photos.", valueName: "in"))
  var inputs: [FileArgument]

  @Flag(name: [.short, .long], help: "Include the photos in subfolders of folders.")
  var recursive = false

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A built-in set: \(TargetSet.all.map(\.name).joined(separator: ", ")).",
      discussion: "May be repeated.", valueName: "name"))
  var sets: [TargetSetArgument] = []

  @Option(
    help: ArgumentHelp("A JSON file of targets; - is standard input.", valueName: "file"))
  var targets: FileArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What every crop should contain: a point, or a box as left, top, width, height.",
      discussion: """
        In fractions of the photo's sides as displayed, or in percent: 0.42,0.30 or 40%,20%,10%,20%. Or a \
        JSON file with "x", "y", "width" and "height", or with such an object as "focus". Overrides the focus of \
        --targets.
        """, valueName: "x,y|file"))
  var focus: FocusArgument?

  @Flag(help: "Read crops and focus from the photo's image regions.")
  var regions = false

  @Option(
    help: ArgumentHelp(
      "Write a copy of the JPEG with crops and focus as image regions.", valueName: "file"))
  var writeRegions: FileArgument?

  @Option(
    help: ArgumentHelp(
      "Also write: \(TargetExport.allCases.map(\.rawValue).joined(separator: ", ")).",
      discussion: "May be repeated.", valueName: "name"))
  var to: [TargetExport] = []

  @Option(
    help: ArgumentHelp(
      "How the photo fits a target: cover or contain (default: what each target says, or cover).",
      discussion: """
        cover fills the target with a part of the photo. contain places the whole photo on a canvas, with \
        --margin, --place and --fill.
        """, valueName: "how"))
  var fit: PhotoTarget.Fit?

  @Flag(help: "Enlarge crops that have too few pixels to their target's size.")
  var enlarge = false

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: ArgumentHelp(
      "The folder for results; created if it does not exist (default: the photo's).",
      valueName: "folder"),
    completion: .directory)
  var directory: FileArgument?

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: ArgumentHelp(
      "The output file of one photo with one target, instead of a folder.", valueName: "out"))
  var output: FileArgument?

  @Option(
    help: ArgumentHelp(
      "File name pattern of results (default: {name}-{target}.{ext}).",
      discussion: """
        {name} is the photo's name without extension, {target} the target's name, {ext} the extension of the \
        result's format, {width} and {height} its size in pixels, and {number} counts targets from 1.
        """, valueName: "pattern"))
  var name: ResultNames?

  @OptionGroup
  var options: RunOptions

  @OptionGroup(title: "The result")
  var how: OutputOptions

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  private static func line(_ set: TargetSet) -> String {
    let targets = set.targets.map { target in
      switch target.requirement {
      case .size(let size): "\(target.name) \(size.width)x\(size.height)"
      case .ratio(let ratio): "\(target.name) \(ratio.width):\(ratio.height)"
      case .print(let print): "\(target.name) \(print.size.text)"
      }
    }
    return "  \(set.name): \(targets.joined(separator: ", ")) (\(set.source), \(set.date))"
  }

  func run() throws {
    let photos = try FolderInput.all(inputs, isRecursive: recursive, besides: directory)
    try check(photos)
    let document = try document()
    let plans = photos.map { photo in
      Result { () throws(CropError) in try plan(photo, document) }
    }
    // The error of the only photo is that of the command.
    if plans.count == 1 { _ = try plans[0].get() }
    var crops: [(input: FileArgument, task: Result<CropTask, CropError>)] = []
    for (photo, plan) in zip(photos, plans) {
      switch plan {
      case .success(let plan): crops += plan.tasks.map { (photo.file, $0) }
      case .failure(let error): crops.append((photo.file, .failure(error)))
      }
    }
    let folders = directory.map { FolderInput.folders(of: photos, in: $0) } ?? []
    if options.dryRun {
      return try DryRun(
        isForced: options.force, isJSON: options.json,
        isFolderThere: folders.allSatisfy(\.isFolder), limits: limits.limits
      ).run(crops.map(\.task))
    }
    for folder in folders { try folder.makeFolder() }
    try crop(crops, plans.compactMap { try? $0.get().beside })
  }

  /// Makes all crops, and then the files beside them.
  private func crop(
    _ crops: [(input: FileArgument, task: Result<CropTask, CropError>)], _ beside: [TargetsBeside]
  ) throws {
    for files in beside { try files.check() }
    var made: [String: [String: FrameSize]] = [:]
    try SeveralCrops(crops: crops, noun: "target", options: options, limits: limits.limits)
      .run { report in
        made[report.input, default: [:]][report.target ?? ""] = FrameSize(
          width: report.width, height: report.height)
      }
    for files in beside {
      try files.write(sizes: made[files.photo.name] ?? [:], isQuiet: options.quiet)
    }
  }

  private func check(_ photos: [FolderInput]) throws {
    guard sets.isEmpty || targets == nil else {
      throw ValidationError("--set and --targets can't be used together")
    }
    guard !sets.isEmpty || targets != nil || regions else {
      throw ValidationError("choose targets: --set NAME, --targets FILE or --regions")
    }
    guard how.canvas == nil else {
      throw ValidationError("--canvas is for cropkit crop; use --fit contain")
    }
    if directory == nil, inputs.contains(where: { !$0.isStandardStream && $0.isFolder }) {
      throw ValidationError("a folder of photos needs a folder for the results; use -d FOLDER")
    }
    if writeRegions != nil, photos.count > 1 {
      throw ValidationError("--write-regions takes one photo, not \(photos.count)")
    }
    if let output {
      guard directory == nil, name == nil else {
        throw ValidationError("-o can't be used with -d or --name")
      }
      guard photos.count == 1, !output.isStandardStream else {
        throw ValidationError("-o takes one photo and the name of a file; use -d FOLDER")
      }
    }
    try Batch.check(jobs: options.jobs)
  }

  /// The crops of a photo, and the files beside them.
  private func plan(
    _ photo: FolderInput, _ document: TargetDocument
  ) throws(CropError) -> TargetsOfPhoto {
    let source = try photo.file.source(limits: limits.limits)
    let info = try info(of: source)
    let folder = directory?.appending(photo.folders) ?? photo.file.folder
    let targets = try self.document(document, for: source, info.shown)
    let written = how.resultOptions(isLenient: options.lenient)
    if let problem = written.canvasProblem(of: targets.targets) {
      throw .usage(
        detail: written.surroundsTargets
          ? "--margin, --place and --fill need a target that is contained; use --fit contain"
          : problem)
    }
    let tasks = try TargetPlan(
      input: photo.file, document: targets, folder: folder, output: output, names: name,
      enlarges: enlarge, options: written
    ).tasks()
    let beside = try TargetsBeside(self, photo.file, in: folder, tasks, of: source, info)
    return TargetsOfPhoto(tasks: tasks, beside: beside)
  }

  /// The targets and the focus that are the same for all photos.
  private func document() throws(CropError) -> TargetDocument {
    var document =
      try targets?.readJSON(TargetDocument.self, called: "a file of targets")
      ?? TargetDocument(targets: distinct(sets.flatMap(\.set.targets)))
    if let focus { document.focus = try focus.focus() }
    return document
  }

  /// The targets and the focus of a photo.
  private func document(
    _ shared: TargetDocument, for source: ImageSource, _ image: ImageSize
  ) throws(CropError) -> TargetDocument {
    var document = shared
    if regions {
      let regions = try TargetDocument(regionsOf: source, image)
      if focus == nil { document.focus = regions.focus ?? document.focus }
      if sets.isEmpty, targets == nil { document.targets = regions.targets }
    }
    if let fit {
      for index in document.targets.indices { document.targets[index].fit = fit }
    }
    return document
  }

  /// The targets without duplicates.
  private func distinct(_ targets: [PhotoTarget]) -> [PhotoTarget] {
    targets.indices.filter { index in
      !targets[..<index].contains { $0.name == targets[index].name }
    }.map { targets[$0] }
  }

  /// The photo's header. An error that affects every target is reported once.
  private func info(of source: ImageSource) throws(CropError) -> ImageInfo {
    try CropEngine.command(limits: limits.limits).info(
      source, isLenient: options.lenient,
      page: how.resultOptions(isLenient: options.lenient).page.first
    )
  }
}

/// The crops of a photo for its targets, and the files beside them.
private struct TargetsOfPhoto {
  let tasks: [Result<CropTask, CropError>]
  let beside: TargetsBeside
}

extension PhotoTarget.Fit: @retroactive ExpressibleByArgument {}

/// A built-in set of targets.
struct TargetSetArgument: ExpressibleByArgument {
  let set: TargetSet

  init?(argument: String) {
    guard let set = TargetSet(name: argument) else { return nil }
    self.set = set
  }

  static var allValueStrings: [String] { TargetSet.all.map(\.name) }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
