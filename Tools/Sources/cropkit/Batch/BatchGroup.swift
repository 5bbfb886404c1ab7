import CropCore
import CropImaging
import FoundationEssentials

/// Lines that follow each other and are about one picture. Whoever has taken the group has it alone; all
/// else is for one thread at a time.
final class BatchGroup {
  typealias Instant = ContinuousClock.Instant

  /// What is read once: a picture, opened in one way.
  struct Input: Equatable {
    let file: FileArgument
    let page: Int
    let isLenient: Bool
    /// The bytes, where they are in no file.
    let bytes: Data?

    init(_ task: CropTask) {
      file = task.input
      bytes = task.bytes
      page = task.options.page.first
      isLenient = task.options.isLenient
    }

    /// Opens the picture to be read.
    ///
    /// - Throws: as `FileArgument.source(limits:called:)`.
    func source(limits: Limits) throws(CropError) -> PictureSource {
      if let bytes { return PictureSource(bytes: bytes, name: CropTask.nameOfBytes) }
      return try file.source(limits: limits)
    }
  }

  /// The place of the first line among all.
  private(set) var start: Int
  /// The picture; nil for a line that names none.
  let input: Input?
  /// What nobody has begun with.
  private(set) var orders: ArraySlice<BatchOrder>
  /// Whether somebody works on it.
  var isTaken: Bool { taken != nil }

  /// When it was taken.
  private var taken: Instant?
  /// How long the first crop took, which read the picture, and the last.
  private var durations: (first: Duration, last: Duration)?
  private var tasks: [CropTask] = []
  private var shared: BatchCropper.SharedInput?

  /// A group without lines.
  convenience init(start: Int, input: Input?) {
    self.init(start: start, input: input, orders: [])
  }

  private init(start: Int, input: Input?, orders: ArraySlice<BatchOrder>) {
    self.start = start
    self.input = input
    self.orders = orders
  }

  /// Whether the lines of the next group could be this one's: nobody has begun with it, and both are
  /// about one picture.
  func joins(_ next: BatchGroup, most: Int) -> Bool {
    input != nil && input == next.input && shared == nil && !isTaken
      && orders.count + next.orders.count <= most
  }

  /// Adds a line.
  func add(_ order: BatchOrder) { orders.append(order) }

  /// Takes the group, and the first line that is left, with its place.
  func takeFirst(at now: Instant = .now) -> (place: Int, order: BatchOrder)? {
    if shared == nil { tasks = orders.compactMap { try? $0.task.get() } }
    guard let order = orders.popFirst() else { return nil }
    taken = now
    start += 1
    return (start - 1, order)
  }

  /// What the crops of the task's input share. For whoever has taken the group.
  func shared(_ task: CropTask, by cropper: BatchCropper) -> BatchCropper.SharedInput {
    if let shared { return shared }
    let new = BatchCropper.SharedInput(Input(task), for: tasks, cropper)
    shared = new
    return new
  }

  /// Gives the group back, once its crop is made.
  func release(at now: Instant = .now) {
    guard let taken else { return }
    let duration = now - taken
    durations = (durations?.first ?? duration, duration)
    self.taken = nil
  }

  /// Gives the later half away, if that is done sooner elsewhere, where the picture has to be read anew.
  func split() -> BatchGroup? {
    let count = orders.count / 2
    guard count > 0 else { return nil }
    if let (first, last) = durations, last * count < first { return nil }
    let half = BatchGroup(
      start: start + orders.count - count, input: input, orders: orders.suffix(count))
    orders.removeLast(count)
    return half
  }
}
