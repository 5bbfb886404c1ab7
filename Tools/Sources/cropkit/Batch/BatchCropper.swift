import CropCore
import CropImaging
import Foundation
import Glibc

/// Carries out single crops of a batch. Safe to be used by several threads.
struct BatchCropper: Sendable {
  /// How many crops are worked on at once.
  let jobs: Int
  private let engine: CropEngine
  private let limits: Limits
  private let options: @Sendable (FileArgument) -> ResultOptions
  private let page: Int
  private let isLenient: Bool
  private let isForced: Bool
  private let isResumed: Bool

  init(
    how: HowOptions, limits: Limits, jobs: Int, isForced: Bool, isLenient: Bool, isResumed: Bool
  ) {
    self.jobs = jobs
    self.limits = limits
    page = how.page?.choice.first ?? 1
    self.isLenient = isLenient
    self.isForced = isForced
    self.isResumed = isResumed
    engine = CropEngine.command(jobs: jobs, limits: limits)
    // Only values that may go from thread to thread are captured.
    let plain = how.resultOptions(output: nil, isLenient: isLenient)
    options = { output in
      var options = plain
      options.format = plain.format ?? output.format
      return options
    }
  }

  /// What some orders share, read when it is first needed. For one thread at a time.
  final class SharedInput {
    private let input: FileArgument
    private let recipes: [CropRecipe]
    private let cropper: BatchCropper
    private lazy var opened = Result { () throws(CropError) in
      try input.source(limits: cropper.limits)
    }
    private lazy var read = opened.flatMap { source in
      Result { () throws(CropError) in
        try cropper.engine.open(
          source, isLenient: cropper.isLenient, page: cropper.page, for: recipes)
      }
    }

    /// For the crops of `input` by `recipes`.
    init(_ input: FileArgument, for recipes: [CropRecipe], _ cropper: BatchCropper) {
      self.input = input
      self.recipes = recipes
      self.cropper = cropper
    }

    /// The open file.
    func source() throws(CropError) -> PictureSource { try opened.get() }
    /// Its structure.
    func picture() throws(CropError) -> OpenedPicture { try read.get() }
  }

  /// How far an order has come.
  enum Step {
    case done(BatchOutcome.Done)
    case cropped(Cropped)
  }

  /// A result on its way into its file.
  struct Cropped {
    let task: BatchOrder.Task
    let source: PictureSource
    let result: CropResult
    /// What was checked before; nil where the output was there, and may be this very result.
    let save: PendingSave?
    let key: String?
  }

  /// Crops, or finds that it is done.
  func crop(_ task: BatchOrder.Task, from input: SharedInput) throws(CropError) -> Step {
    let source = try input.source()
    let output = task.output
    let options = options(output)
    let key = Self.key(source, task.recipe, options)
    let isThere = isResumed && output.exists
    if isThere, let key, let done = BatchOutcome.Done(note: FileNote.read(at: output.path), key) {
      return .done(done)
    }
    let save =
      isThere ? nil : try PendingSave(to: output.path, replacing: replacing, input: source)
    let result = try engine.crop(
      input.picture(), recipe: task.recipe, options: options, into: save?.file)
    return .cropped(Cropped(task: task, source: source, result: result, save: save, key: key))
  }

  /// Saves, or finds that the output holds the very result.
  func save(_ cropped: Cropped) throws(CropError) -> BatchOutcome.Done {
    let (result, output) = (cropped.result, cropped.task.output)
    var done = BatchOutcome.Done(result)
    if cropped.save == nil, isSame(result.bytes, as: output) {
      done.isSkipped = true
      return done
    }
    let note = cropped.key.flatMap(done.note)
    if let save = cropped.save {
      try save.save(result, note: note)
    } else {
      try AtomicFile.save(
        result.bytes, to: output.path, replacing: replacing, input: cropped.source, note: note)
    }
    return done
  }

  private var replacing: AtomicFile.Replacing { isForced ? .existing : .nothing }

  /// Whether the output holds these very bytes.
  private func isSame(_ bytes: Data, as output: FileArgument) -> Bool {
    guard let there = try? output.source(limits: Limits(bytes: bytes.count)),
      there.byteCount == bytes.count, let old = try? there.allBytes()
    else { return false }
    return old == bytes
  }

  /// What stands for an input as it is now, a recipe and the options; nil for an input that is no
  /// file.
  private static func key(
    _ source: PictureSource, _ recipe: CropRecipe, _ options: ResultOptions
  ) -> String? {
    var status = stat()
    guard let descriptor = source.descriptor, fstat(descriptor, &status) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let what = try? encoder.encode(recipe), let how = try? encoder.encode(options) else {
      return nil
    }
    let times = [status.st_mtim, status.st_ctim].map { "\($0.tv_sec).\($0.tv_nsec)" }
    let print = Fingerprint().adding(CropKit.configuration.version)
      .adding("\(status.st_ino) \(status.st_size) \(times)").adding(what).adding(how)
    return String(print.value, radix: 36)
  }
}

extension FileArgument {
  /// Whether anything has this name.
  fileprivate var exists: Bool {
    access(path.bytes.map(CChar.init(bitPattern:)) + [0], F_OK) == 0
  }
}
