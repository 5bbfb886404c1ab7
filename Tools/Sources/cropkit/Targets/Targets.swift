import ArgumentParser
import CropArguments
import CropCore
import CropImaging

/// `cropkit targets`: one photo, every format.
struct Targets: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "targets",
    abstract: "Cut one photo for several places.",
    usage:
      "cropkit targets IN (--set NAME | --targets FILE | --regions) [--focus X,Y[,W,H]|FILE] [-d FOLDER] [options]",
    discussion: """
      A target is a place where the photo is shown, and asks for a ratio or for a size in pixels. Its \
      crop is the largest part of that ratio that holds the focus, its centre as near to the focus' \
      centre as can be. Where no part of the ratio holds all of it, that is told (focus-cut). Without \
      a focus the middle is kept: nothing is guessed.

        cropkit targets photo.jpg --set social --focus 0.42,0.30 -d out/
        cropkit targets photo.jpg --set print --set social -d out/ --json
        cropkit targets photo.jpg --targets shop.json --focus face.json --json
        cropkit targets photo.jpg --set social --write-regions out/photo.jpg -d out/
        cropkit targets out/photo.jpg --regions -d again/

      A size is scaled down to. A crop that has fewer pixels than the size or the "minimum" of its \
      target is told (too-small) and keeps its pixels, unless --enlarge is said. The photo is decoded \
      once for all of them.

      The sets that are built in:

      \(TargetSet.all.map(Self.line).joined(separator: "\n"))

      A file of targets is JSON:

        {"focus": {"x": 0.4, "y": 0.2, "width": 0.1, "height": 0.2},
         "targets": [{"name": "story", "ratio": "9:16",
                      "minimum": {"width": 1080, "height": 1920}},
                     {"name": "link", "size": {"width": 1200, "height": 630}}]}

      The focus is in fractions of the upright photo. "picture" may hold "quarterTurns", "mirrored" and \
      "tilt" for all targets, and a target a "recipe" of its own, which no focus moves. An unknown key \
      is an error.

      With --to a file for a page or a system is written beside the others, under the photo's name:

      \(TargetExport.allCases.map { "  \($0.rawValue): {name}\($0.suffix), \($0.version)" }.joined(separator: "\n"))

      html is a <picture> of which a window shows the target nearest to its own ratio, object-position \
      a rule of CSS for each target that shows the whole photo cut like it; sanity holds a crop and a hotspot \
      for each target, typo3 the crop variants with their focus areas. What can't be said there, such as a \
      tilt, is refused before anything is cropped.

      --write-regions writes a copy of a JPEG, its pixels untouched, whose XMP holds the crops and the focus as \
      image regions (IPTC Photo Metadata Standard 2019.1), in shares of the upright photo; regions that others \
      wrote stay. --regions reads them back: crops as targets made by hand, the main subject as the focus; with \
      --set or --targets the focus alone.

      A target that fails never stops the others, and the exit status is 1 at the end.
      """)

  @Argument(help: ArgumentHelp("The photo.", valueName: "in"))
  var input: FileArgument

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A set that is built in: \(TargetSet.all.map(\.name).joined(separator: ", ")).",
      discussion: "May be given more than once.", valueName: "name"))
  var sets: [TargetSetArgument] = []

  @Option(
    help: ArgumentHelp("The file of the targets; - is standard input.", valueName: "file"))
  var targets: FileArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What every crop should keep: a point, or a box by left, top, width and height.",
      discussion: """
        In fractions of the upright photo's sides or in per cent: 0.42,0.30 or 40%,20%,10%,20%. Or a \
        file of JSON with "x", "y", "width" and "height", or with that as "focus". It counts before the \
        focus in the file of the targets.
        """, valueName: "x,y|file"))
  var focus: FocusArgument?

  @Flag(help: "Take the crops and the focus from the image regions in the photo.")
  var regions = false

  @Option(
    help: ArgumentHelp(
      "Write a copy of the JPEG with the crops and the focus as image regions.", valueName: "file"))
  var writeRegions: FileArgument?

  @Option(
    help: ArgumentHelp(
      "Write beside the results: \(TargetExport.allCases.map(\.rawValue).joined(separator: ", ")).",
      discussion: "May be given more than once.", valueName: "name"))
  var to: [ExportArgument] = []

  @Flag(help: "Scale crops of too few pixels up to their target's size.")
  var enlarge = false

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: ArgumentHelp(
      "The folder for the results, which is made if it is not there (default: the photo's).",
      valueName: "folder"),
    completion: .directory)
  var directory: FileArgument?

  @Option(
    help: ArgumentHelp(
      "What results are called (default: {name}-{target}.{ext}).",
      discussion: """
        {name} is the photo's name without its extension, {target} the target's name, {ext} the \
        extension of the result's format and {number} counts the targets from 1.
        """, valueName: "pattern"))
  var name: ResultNames?

  @OptionGroup
  var options: RunOptions

  @OptionGroup(title: "How")
  var how: OutputOptions

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  private static func line(_ set: TargetSet) -> String {
    let targets = set.targets.map { target in
      switch target.frame {
      case .size(let size): "\(target.name) \(size.width)x\(size.height)"
      case .ratio(let ratio): "\(target.name) \(ratio.width):\(ratio.height)"
      }
    }
    return "  \(set.name): \(targets.joined(separator: ", "))"
  }

  /// Where the results go.
  var folder: FileArgument { directory ?? input.folder }

  func run() throws {
    guard sets.isEmpty || targets == nil else {
      throw ValidationError("--set and --targets can't be used together")
    }
    guard !sets.isEmpty || targets != nil || regions else {
      throw ValidationError("say which targets: --set NAME, --targets FILE or --regions")
    }
    try Batch.check(jobs: options.jobs)
    let source = try input.source(limits: limits.limits)
    let image = try size(of: source)
    let tasks = try TargetPlan(
      input: input, document: document(source, image), folder: folder, names: name,
      enlarges: enlarge, options: how.resultOptions(isLenient: options.lenient)
    ).tasks()
    let beside = try TargetsBeside(self, tasks, of: source, image)
    if options.dryRun {
      return try DryRun(
        isForced: options.force, isJSON: options.json, isFolderThere: folder.isFolder,
        limits: limits.limits
      ).run(tasks)
    }
    try folder.makeFolder()
    try beside.check()
    var made: [String: FrameSize] = [:]
    try SeveralCrops(
      crops: tasks.map { (input, $0) }, noun: "targets", options: options, limits: limits.limits
    ).run { report in
      made[report.target ?? ""] = FrameSize(width: report.width, height: report.height)
    }
    try beside.write(sizes: made, isQuiet: options.quiet)
  }

  /// The targets and the focus.
  private func document(
    _ source: PictureSource, _ image: ImageSize
  ) throws(CropError) -> TargetDocument {
    var document = TargetDocument(targets: distinct(sets.flatMap(\.set.targets)))
    if let targets {
      document = try targets.readJSON(TargetDocument.self, called: "file of targets")
    }
    if regions {
      let told = try TargetDocument(regionsOf: source, image)
      document.focus = told.focus ?? document.focus
      if sets.isEmpty, targets == nil { document.targets = told.targets }
    }
    if let focus { document.focus = try focus.focus() }
    return document
  }

  /// The same without those that a set said twice has again.
  private func distinct(_ targets: [PhotoTarget]) -> [PhotoTarget] {
    targets.indices.filter { index in
      !targets[..<index].contains { $0.name == targets[index].name }
    }.map { targets[$0] }
  }

  /// The upright size of the photo. That it can't be cropped at all is told once, and not for each target.
  private func size(of source: PictureSource) throws(CropError) -> ImageSize {
    try CropEngine.command(limits: limits.limits).info(
      source, isLenient: options.lenient,
      page: how.resultOptions(isLenient: options.lenient).page.first
    ).shown
  }
}

/// A set that is built in.
struct TargetSetArgument: ExpressibleByArgument {
  let set: TargetSet

  init?(argument: String) {
    guard let set = TargetSet(name: argument) else { return nil }
    self.set = set
  }

  static var allValueStrings: [String] { TargetSet.all.map(\.name) }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
