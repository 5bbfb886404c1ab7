import ArgumentParser
import CropArguments
import CropImaging

/// `cropkit crop`: a part of each picture.
struct Crop: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crop",
    abstract: "Cut a part out of pictures.",
    usage: "cropkit crop IN… (-o OUT | -d FOLDER | --in-place) [options]",
    discussion: """
      The part is named in pixels of the picture as it is seen: upright, whatever its orientation \
      flag, mirrored and turned if you say so. One that is partly outside is refused.

        cropkit crop photo.jpg --rect 100,50,800,600 -o part.jpg
        cropkit crop photo.jpg --rect 10%,10%,80%,80% --in-place
        cropkit crop *.jpg --aspect 1:1 -d square/
        cropkit crop *.heic --inset 20 --format webp -d . --name '{name}-s.{ext}'
        cropkit crop scan.tif --turn 90 --aspect 3:2 --gravity north -o scan.png
        cropkit crop photo.heic --aspect 1:1 --max-side 1080 -o square.jpg
        cropkit crop photo.jpg --crop-from photo.xmp -o part.jpg
        cropkit crop - --recipe part.json -o - < photo.jpg > part.jpg

      What was done is said in one line a picture on standard error. Of several pictures one that \
      can't be cropped never stops the others, and the exit status is 1 at the end. A new file has the \
      permissions of its input, less the umask; what the shell redirects standard output to has its own. A name that starts \
      with a dash goes after --, or behind ./ as in ./-x.jpg.
      """)

  @Argument(help: ArgumentHelp("The pictures; - is standard input.", valueName: "in"))
  var inputs: [FileArgument]

  @OptionGroup(title: "What")
  var what: CropOptions

  @OptionGroup(title: "How")
  var how: OutputOptions

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: ArgumentHelp("Where the result goes; - is standard output.", valueName: "out"))
  var output: FileArgument?

  @Option(
    name: [.short, .long], parsing: .unconditional,
    help: ArgumentHelp(
      "The folder for the results, which is made if it is not there.", valueName: "folder"),
    completion: .directory)
  var directory: FileArgument?

  @Option(
    help: ArgumentHelp(
      "What results in the folder are called (default: {name}.{ext}).",
      discussion: """
        {name} is the input's name without its extension, {ext} the extension of the result's format \
        and {number} counts the inputs from 1.
        """, valueName: "pattern"))
  var name: ResultNames?

  @Flag(help: "Put each result in place of its input, once all of it is on the disk.")
  var inPlace = false

  @Flag(
    help: ArgumentHelp(
      "Replace an input in place even if that loses what else its file holds.",
      discussion: """
        Without it a crop in place is refused (73) if the result lacks something besides pixels, \
        thumbnails and previews: pages or frames, a gain map, a depth map, a video, other bytes after \
        the end. --page chooses which page stays, and needs it too.
        """))
  var dropRest = false

  @OptionGroup
  var options: RunOptions

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  /// Checks what goes together, once all words are known to be options: before that the value of an
  /// unknown one counts as an input.
  private func check() throws {
    let places = [output != nil, directory != nil, inPlace]
    guard places.count(where: \.self) == 1 else {
      throw ValidationError(
        places.contains(true)
          ? "-o, -d and --in-place can't be used together"
          : "say where the result goes: -o FILE, -d FOLDER or --in-place")
    }
    if output != nil, inputs.count > 1 {
      throw ValidationError(
        "-o is for one picture, and there are \(inputs.count); use -d FOLDER or --in-place")
    }
    if options.force, inPlace {
      throw ValidationError("--force goes with -o and -d; --in-place needs none")
    }
    if dropRest, !inPlace { throw ValidationError("--drop-rest goes with --in-place") }
    if inputs.count > 1, case .sidecar? = what.values.mark {
      throw ValidationError(
        "a sidecar is for one picture, and there are \(inputs.count); use --crop-from xmp")
    }
    if name != nil, directory == nil { throw ValidationError("--name goes with -d") }
    if name?.hasTarget == true {
      throw ValidationError("{target} in --name goes with cropkit targets")
    }
    if inputs.contains(where: \.isStandardStream) {
      if inPlace { throw ValidationError("standard input can't be replaced; use -o") }
      if output == nil { throw ValidationError("standard input has no name for a folder; use -o") }
      if case .sidecar(let file)? = what.values.mark, file.isStandardStream {
        throw ValidationError("the picture and the sidecar can't both be standard input")
      }
      if what.recipe?.isStandardStream == true {
        throw ValidationError("the picture and the recipe can't both be standard input")
      }
    }
    if options.json, output?.isStandardStream == true {
      throw ValidationError("--json and -o - can't share standard output")
    }
    try Batch.check(jobs: options.jobs)
  }

  func run() throws {
    try check()
    let tasks = try tasks()
    if options.dryRun {
      let plan = DryRun(
        isForced: options.force, isJSON: options.json, isFolderThere: directory?.isFolder ?? true,
        limits: limits.limits)
      return try plan.run(tasks)
    }
    try directory?.makeFolder()
    if tasks.count == 1 { return try job(tasks[0].get()).run() }
    let crops = zip(inputs, tasks).map { (input: $0, task: $1) }
    try SeveralCrops(crops: crops, noun: "pictures", options: options, limits: limits.limits).run()
  }

  /// The job of a single picture.
  func job(_ task: CropTask) -> CropJob {
    CropJob(
      task: task, isForced: options.force, isJSON: options.json, isQuiet: options.quiet,
      limits: limits.limits)
  }

  /// What is to be done with each input.
  ///
  /// - Throws: `CropError` for a recipe for several pictures that can't be read.
  func tasks() throws(CropError) -> [Result<CropTask, CropError>] {
    let what = try inputs.count > 1 ? what.values.readingRecipe() : what.values
    let results = how.resultOptions(isLenient: options.lenient)
    return inputs.indices.map { task($0, what, results) }
  }

  private func task(
    _ index: Int, _ what: WhatToCut, _ options: ResultOptions
  ) -> Result<CropTask, CropError> {
    let input = inputs[index]
    return Result { () throws(CropError) in
      let output = try directory.map { folder throws(CropError) in
        try (name ?? ResultNames()).output(
          of: input, number: index + 1, format: options.format, in: folder)
      }
      return CropTask(
        input: input, output: output ?? self.output ?? input, isInPlace: inPlace,
        dropsRest: dropRest, what: what, options: options)
    }
  }
}
