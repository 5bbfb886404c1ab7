import ArgumentParser
import CropArguments
import CropImaging

/// `cropkit crop`: crops images.
struct Crop: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crop",
    abstract: "Crop images.",
    usage: "cropkit crop IN… (-o OUT | -d FOLDER | --in-place) [options]",
    discussion: """
      The crop rectangle is in pixels of the image as displayed: after its orientation flag, and after --flip and \
      --rotate. A rectangle that is partly outside is an error, unless --clamp cuts it to the image.

        cropkit crop photo.jpg --rect 96,48,800,600 -o part.jpg
        cropkit crop photo.jpg --rect 10%,10%,80%,80% --in-place
        cropkit crop photo.jpg --size 300x300 --focus 0.42,0.30 -o avatar.webp
        cropkit crop *.jpg --aspect 1:1 -d square/
        cropkit crop -r photos/ --recipe part.json --max-side 512 -d parts/
        cropkit crop *.heic --inset 20 --format webp -d . --name '{name}-s.{ext}'
        cropkit crop scan.tif --rotate 90 --aspect 3:2 --gravity north -o scan.png
        cropkit crop photo.heic --aspect 1:1 --max-side 1080 -o square.jpg
        cropkit crop photo.jpg --canvas 1:1 --margin 5% --fill blur -o square.jpg
        cropkit crop scan.jpg --trim -o page.jpg
        cropkit crop photo.jpg --crop-from photo.xmp -o part.jpg
        cropkit crop - --recipe part.json -o - < photo.jpg > part.jpg

      To crop many images alike, pass the same --rect, in percent if the images differ in size; or write a recipe \
      with cropkit recipe, and pass its file with --recipe.

      For a folder, the images in it are cropped, selected by file extension and in order of their names; -r includes \
      subfolders, whose results go into subfolders of the same names. Hidden files and the folder of the results are skipped.

      Prints one line per image to standard error. If an image fails, the others are still cropped, and the exit \
      status is 1. A new file gets the permissions of its input, less the umask; a file that the shell creates gets the shell's. \
      Put a name that starts with a dash after --, or write ./-x.jpg.
      """)

  @Argument(
    help: ArgumentHelp("Images, or folders of images; - is standard input.", valueName: "in"))
  var inputs: [FileArgument]

  @OptionGroup(title: "What to crop")
  var what: CropOptions

  @OptionGroup(title: "The result")
  var how: OutputOptions

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: ArgumentHelp("The output file; - is standard output.", valueName: "out"))
  var output: FileArgument?

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: ArgumentHelp(
      "The folder for results; created if it does not exist.", valueName: "folder"),
    completion: .directory)
  var directory: FileArgument?

  @Option(
    help: ArgumentHelp(
      "File name pattern of results in the folder (default: {name}.{ext}).",
      discussion: """
        {name} is the input's name without extension, {ext} the extension of the result's format, {width} \
        and {height} its size in pixels, and {number} counts inputs from 1.
        """, valueName: "pattern"))
  var name: ResultNames?

  @Flag(name: [.short, .long], help: "Include the images in subfolders of folders.")
  var recursive = false

  @Flag(help: "Overwrite each input with its result, atomically.")
  var inPlace = false

  @Option(
    help: ArgumentHelp(
      "With --in-place, keep each input under its name with this suffix, such as .orig.",
      discussion: "An existing backup is never overwritten: that input fails (73).",
      valueName: "suffix"))
  var backup: BackupSuffix?

  @Flag(
    help: ArgumentHelp(
      "Overwrite an input even if other data in its file is lost.",
      discussion: """
        Without it, --in-place fails (73) if the result would lose anything besides pixels, thumbnails and \
        previews: pages or frames, a gain map, a depth map, a video, or bytes after the end. --page, which \
        selects one to keep, needs it too.
        """))
  var dropRest = false

  @OptionGroup
  var options: RunOptions

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  /// Checks combinations after all arguments are known to be valid options: otherwise the value of
  /// an unknown option would count as an input.
  private func check(_ inputs: [FileArgument]) throws {
    let places = [output != nil, directory != nil, inPlace]
    guard places.count(where: \.self) == 1 else {
      throw ValidationError(
        places.contains(true)
          ? "-o, -d and --in-place can't be used together"
          : "choose an output: -o FILE, -d FOLDER or --in-place")
    }
    if output != nil, inputs.count > 1 {
      throw ValidationError(
        "-o takes one image, not \(inputs.count); use -d FOLDER or --in-place")
    }
    if options.force, inPlace {
      throw ValidationError("--force needs -o or -d; --in-place overwrites anyway")
    }
    if let problem = how.resultOptions(isLenient: false).canvasProblem {
      throw ValidationError(problem)
    }
    if backup != nil, !inPlace { throw ValidationError("--backup needs --in-place") }
    if dropRest, !inPlace { throw ValidationError("--drop-rest needs --in-place") }
    if inputs.count > 1, case .sidecar? = what.values.mark {
      throw ValidationError(
        "a sidecar applies to one image, not \(inputs.count); use --crop-from xmp")
    }
    if name != nil, directory == nil { throw ValidationError("--name needs -d") }
    if name?.hasTarget == true {
      throw ValidationError("{target} in --name needs cropkit targets")
    }
    if inputs.contains(where: \.isStandardStream) {
      if inPlace { throw ValidationError("standard input can't be overwritten; use -o") }
      if output == nil { throw ValidationError("-d needs file names; use -o with standard input") }
      if case .sidecar(let file)? = what.values.mark, file.isStandardStream {
        throw ValidationError("the image and the sidecar can't both be standard input")
      }
      if what.recipe?.isStandardStream == true {
        throw ValidationError("the image and the recipe can't both be standard input")
      }
    }
    if options.json, output?.isStandardStream == true {
      throw ValidationError("--json and -o - can't share standard output")
    }
    if options.keepTime,
      output?.isStandardStream == true || inputs.contains(where: \.isStandardStream)
    {
      throw ValidationError("--keep-time needs files; standard input and output have no time")
    }
    try Batch.check(jobs: options.jobs)
  }

  func run() throws {
    let inputs = try FolderInput.all(inputs, isRecursive: recursive, besides: directory)
    try check(inputs.map(\.file))
    let tasks = try tasks(inputs)
    let folders = directory.map { FolderInput.folders(of: inputs, in: $0) }
    if options.dryRun {
      let plan = DryRun(
        isForced: options.force, isJSON: options.json,
        isFolderThere: folders?.allSatisfy(\.isFolder) ?? true, limits: limits.limits)
      return try plan.run(tasks)
    }
    for folder in folders ?? [] { try folder.makeFolder() }
    if tasks.count == 1 { return try job(tasks[0].get()).run() }
    let crops = zip(inputs, tasks).map { (input: $0.file, task: $1) }
    try SeveralCrops(crops: crops, noun: "image", options: options, limits: limits.limits).run()
  }

  /// The job for a single image.
  func job(_ task: CropTask) -> CropJob {
    CropJob(
      task: task, isForced: options.force, keepsTime: options.keepTime, isJSON: options.json,
      isQuiet: options.quiet,
      limits: limits.limits)
  }

  /// The task for each input.
  ///
  /// - Throws: `CropError` for an unreadable recipe for several images.
  func tasks() throws(CropError) -> [Result<CropTask, CropError>] {
    try tasks(inputs.map { FolderInput(file: $0) })
  }

  private func tasks(
    _ inputs: [FolderInput]
  ) throws(CropError) -> [Result<CropTask, CropError>] {
    let what = try inputs.count > 1 ? what.values.readingRecipe() : what.values
    let results = how.resultOptions(isLenient: options.lenient)
    return inputs.enumerated().map { index, input in
      Result { () throws(CropError) in
        var task = CropTask(
          input: input.file, output: output ?? input.file, isInPlace: inPlace, backup: backup,
          dropsRest: dropRest, what: what, options: results)
        if let directory {
          try task.name(
            name ?? ResultNames(), number: index + 1, in: directory.appending(input.folders))
        }
        return task
      }
    }
  }
}
