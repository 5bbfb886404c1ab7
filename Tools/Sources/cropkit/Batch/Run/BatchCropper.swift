import CropCore
import CropImaging
import FoundationEssentials
import Glibc

/// Makes the crops of a batch. Thread-safe.
struct BatchCropper: Sendable {
  /// The number of concurrent crops.
  let jobs: Int
  private let engine: CropEngine
  private let limits: Limits
  private let isForced: Bool
  private let isResumed: Bool
  /// Whether results get the time of their input's last change.
  private let keepsTime: Bool
  private let lateClaims: LateClaims?

  init(
    limits: Limits, jobs: Int, isForced: Bool, isResumed: Bool, keepsTime: Bool,
    lateClaims: LateClaims? = nil
  ) {
    self.lateClaims = lateClaims
    self.jobs = jobs
    self.limits = limits
    self.isForced = isForced
    self.isResumed = isResumed
    self.keepsTime = keepsTime
    engine = CropEngine.command(jobs: jobs, limits: limits)
  }

  /// The data that several requests share, read on demand. Not thread-safe.
  final class SharedInput {
    private let input: BatchGroup.Input
    private let tasks: [CropTask]
    private let cropper: BatchCropper
    private lazy var opened = Result { () throws(CropError) in
      try input.source(limits: cropper.limits)
    }
    private lazy var read = opened.flatMap { source in
      Result { () throws(CropError) in
        try cropper.engine.open(source, isLenient: input.isLenient, page: input.page) { info in
          // The border and another program's crop are only known once the image is open.
          tasks.compactMap { $0.what.needsPicture ? nil : try? $0.what.recipe(for: info) }
        }
      }
    }

    /// Prepares `tasks`, which all have the same input.
    init(_ input: BatchGroup.Input, for tasks: [CropTask], _ cropper: BatchCropper) {
      self.input = input
      self.tasks = tasks
      self.cropper = cropper
    }

    func source() throws(CropError) -> ImageSource { try opened.get() }
    func picture() throws(CropError) -> OpenedImage { try read.get() }
  }

  /// The progress of a request.
  enum Step {
    case done(BatchOutcome.Done)
    case cropped(Cropped)
  }

  /// A result to be saved.
  struct Cropped {
    let task: CropTask
    let source: ImageSource
    let result: CropResult
    let report: CropReport
    /// The prepared save; nil if the output exists and may be identical, or if the result is not
    /// saved in a file.
    let save: PendingSave?
    /// The keys for the note next to a file.
    let keys: [String]
  }

  /// Makes a crop, unless it already exists.
  func crop(_ task: CropTask, from input: SharedInput) throws(CropError) -> Step {
    guard task.lateName == nil else {
      let early = try plan(task, input)
      let named = try task.named(for: early)
      try lateClaims?.claim(named)
      return try crop(named, from: input, as: early)
    }
    return try crop(task, from: input, as: nil)
  }

  private func plan(_ task: CropTask, _ input: SharedInput) throws(CropError) -> PlannedCrop {
    try PlannedCrop(task, of: input.picture(), in: input.source(), by: engine)
  }

  private func crop(
    _ task: CropTask, from input: SharedInput, as early: PlannedCrop?
  ) throws(CropError) -> Step {
    let output = task.output
    var options = task.options
    options.format = try task.namedFormat()
    let source = try input.source()
    let keys =
      output.isStandardStream
      ? [] : [Self.key(source, task.what, options), task.key].compactMap(\.self)
    let exists = isResumed && !output.isStandardStream && output.exists
    if exists, let (note, byteCount) = FileNote.read(at: output.path),
      let done = BatchOutcome.Done(note: note, byteCount, keys)
    {
      return .done(done)
    }
    let save = exists || output.isStandardStream ? nil : try pendingSave(task, source)
    let file = output.isStandardStream ? ResultFile.temporary(for: source) : save?.file
    let planned = if let early { early } else { try plan(task, input) }
    let result = try planned.result(of: task, by: engine, into: file)
    return .cropped(
      Cropped(
        task: task, source: source, result: result, report: CropReport(result, of: planned, task),
        save: save,
        keys: keys))
  }

  /// Prepares the output; nil if another program has just written it and it may be identical.
  private func pendingSave(
    _ task: CropTask, _ source: ImageSource
  ) throws(CropError) -> PendingSave? {
    do {
      return try PendingSave(
        to: task.output.path, replacing: task.replacing(isForced: isForced), input: source,
        backup: task.backup?.bytes, keepsTime: keepsTime)
    } catch .outputExists where isResumed {
      return nil
    }
  }

  /// Saves the result, unless the output already contains it. A result that is not saved in a file
  /// is passed on.
  func save(_ cropped: Cropped) throws(CropError) -> BatchOutcome.Done {
    let (result, output) = (cropped.result, cropped.task.output)
    var done = BatchOutcome.Done(result, cropped.report)
    if output.isStandardStream {
      done.content = result
      return done
    }
    if cropped.save == nil, isSame(result.bytes, as: output) {
      done.isSkipped = true
      return done
    }
    let note = done.note(cropped.keys)
    if let save = cropped.save {
      do {
        try save.save(result, note: note)
      } catch .outputExists where isResumed && isSame(result.bytes, as: output) {
        // Another program has made the same crop in the meantime.
        done.isSkipped = true
      }
    } else {
      try AtomicFile.save(
        result.bytes, to: output.path, replacing: cropped.task.replacing(isForced: isForced),
        input: cropped.source, note: note, keepsTime: keepsTime)
    }
    return done
  }

  /// Whether the output contains exactly these bytes.
  private func isSame(_ bytes: Data, as output: FileArgument) -> Bool {
    guard let there = try? output.source(limits: Limits(bytes: bytes.count)),
      there.byteCount == bytes.count, let old = try? there.allBytes()
    else { return false }
    return old == bytes
  }

  /// A key for the current version of an input, the crop and the options; nil for an input that is
  /// not a file.
  private static func key(
    _ source: ImageSource, _ what: CropSpec, _ options: ResultOptions
  ) -> String? {
    // A sidecar may change while its image does not.
    if case .sidecar? = what.mark { return nil }
    var status = stat()
    guard let descriptor = source.descriptor, fstat(descriptor, &status) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let how = try? encoder.encode(options), let cut = try? what.key(encoder) else {
      return nil
    }
    let times = [status.st_mtim, status.st_ctim].map { "\($0.tv_sec).\($0.tv_nsec)" }
    let print = Fingerprint().adding(CropKit.configuration.version)
      .adding("\(status.st_ino) \(status.st_size) \(times)").adding(cut).adding(how)
    return String(print.value, radix: 36)
  }
}

extension FileArgument {
  /// Whether a file with this name exists.
  fileprivate var exists: Bool {
    access(path.bytes.map(CChar.init(bitPattern:)) + [0], F_OK) == 0
  }
}
