import CropCore
import CropImaging
import FoundationEssentials
import Glibc

/// Carries out single crops of a batch. Safe to be used by several threads.
struct BatchCropper: Sendable {
  /// How many crops are worked on at once.
  let jobs: Int
  private let engine: CropEngine
  private let limits: Limits
  private let isForced: Bool
  private let isResumed: Bool

  init(limits: Limits, jobs: Int, isForced: Bool, isResumed: Bool) {
    self.jobs = jobs
    self.limits = limits
    self.isForced = isForced
    self.isResumed = isResumed
    engine = CropEngine.command(jobs: jobs, limits: limits)
  }

  /// What some orders share, read when it is first needed. For one thread at a time.
  final class SharedInput {
    private let input: BatchGroup.Input
    private let tasks: [CropTask]
    private let cropper: BatchCropper
    private lazy var opened = Result { () throws(CropError) in
      try input.source(limits: cropper.limits)
    }
    private lazy var read = opened.flatMap { source in
      Result { () throws(CropError) in
        try cropper.engine.open(source, isLenient: input.isLenient, page: input.page) { image in
          // Where another program's crop lies is known once the picture is open.
          tasks.compactMap { $0.what.mark == nil ? try? $0.what.recipe(for: image) : nil }
        }
      }
    }

    /// For `tasks`, all of one input.
    init(_ input: BatchGroup.Input, for tasks: [CropTask], _ cropper: BatchCropper) {
      self.input = input
      self.tasks = tasks
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
    let task: CropTask
    let source: PictureSource
    let result: CropResult
    /// What `cropkit crop` says of it.
    let report: CropReport
    /// What was checked before; nil where the output was there, and may be this very result, and where
    /// the result goes into no file.
    let save: PendingSave?
    let key: String?
  }

  /// Crops, or finds that it is done.
  func crop(_ task: CropTask, from input: SharedInput) throws(CropError) -> Step {
    let output = task.output
    var options = task.options
    options.format = try task.namedFormat()
    let source = try input.source()
    // For the note beside a file.
    let key = output.isStandardStream ? nil : Self.key(source, task.what, options)
    let isThere = isResumed && !output.isStandardStream && output.exists
    if isThere, let key, let done = BatchOutcome.Done(note: FileNote.read(at: output.path), key) {
      return .done(done)
    }
    let save =
      isThere || output.isStandardStream
      ? nil
      : try PendingSave(
        to: output.path, replacing: task.replacing(isForced: isForced), input: source)
    let file = output.isStandardStream ? ResultFile.temporary(for: source) : save?.file
    let picture = try input.picture()
    let crop = try PlannedCrop(task, of: source, picture.info)
    let result = try crop.result(of: picture, by: engine, into: file)
    return .cropped(
      Cropped(
        task: task, source: source, result: result, report: crop.report(result), save: save,
        key: key))
  }

  /// Saves, or finds that the output holds the very result; a result that goes into no file is handed on.
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
    let note = cropped.key.flatMap(done.note)
    if let save = cropped.save {
      try save.save(result, note: note)
    } else {
      try AtomicFile.save(
        result.bytes, to: output.path, replacing: cropped.task.replacing(isForced: isForced),
        input: cropped.source,
        note: note)
    }
    return done
  }

  /// Whether the output holds these very bytes.
  private func isSame(_ bytes: Data, as output: FileArgument) -> Bool {
    guard let there = try? output.source(limits: Limits(bytes: bytes.count)),
      there.byteCount == bytes.count, let old = try? there.allBytes()
    else { return false }
    return old == bytes
  }

  /// What stands for an input as it is now, what is cut and the options; nil for an input that is no
  /// file.
  private static func key(
    _ source: PictureSource, _ what: WhatToCut, _ options: ResultOptions
  ) -> String? {
    // A sidecar may change while its picture doesn't.
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
  /// Whether anything has this name.
  fileprivate var exists: Bool {
    access(path.bytes.map(CChar.init(bitPattern:)) + [0], F_OK) == 0
  }
}
