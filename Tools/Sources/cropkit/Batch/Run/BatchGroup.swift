import CropCore
import CropImaging
import FoundationEssentials

/// Adjacent lines about one image. Only the thread that has taken the group may use it; nothing
/// else is thread-safe.
final class BatchGroup {
  typealias Instant = ContinuousClock.Instant

  /// What is read only once: an image, opened with certain options.
  struct Input: Equatable {
    let file: FileArgument
    let page: Int
    let isLenient: Bool
    /// The bytes, if they are not in a file.
    let bytes: Data?

    init(_ task: CropTask) {
      file = task.input
      bytes = task.bytes
      page = task.options.page.first
      isLenient = task.options.isLenient
    }

    /// Opens the image for reading.
    ///
    /// - Throws: as `FileArgument.source(limits:called:)`.
    func source(limits: Limits) throws(CropError) -> ImageSource {
      if let bytes { return ImageSource(bytes: bytes, name: CropTask.nameOfBytes) }
      return try file.source(limits: limits)
    }
  }

  /// The position of the first line among all lines.
  private(set) var start: Int
  /// The image; nil for a line without an input.
  let input: Input?
  /// The requests that have not been started.
  private(set) var requests: ArraySlice<BatchRequest>
  /// Whether a thread works on it.
  var isTaken: Bool { taken != nil }

  /// When a thread took it.
  private var taken: Instant?
  /// The duration of the first crop, which read the image, and of the last one.
  private var durations: (first: Duration, last: Duration)?
  private var tasks: [CropTask] = []
  private var shared: BatchCropper.SharedInput?

  /// A group without lines.
  convenience init(start: Int, input: Input?) {
    self.init(start: start, input: input, requests: [])
  }

  private init(start: Int, input: Input?, requests: ArraySlice<BatchRequest>) {
    self.start = start
    self.input = input
    self.requests = requests
  }

  /// Whether the lines of the next group can be added to this one: it was not started, and both are
  /// about the same image.
  func joins(_ next: BatchGroup, most: Int) -> Bool {
    input != nil && input == next.input && shared == nil && !isTaken
      && requests.count + next.requests.count <= most
  }

  func add(_ request: BatchRequest) { requests.append(request) }

  /// Takes the group, and its first remaining line with its position.
  func takeFirst(at now: Instant = .now) -> (place: Int, request: BatchRequest)? {
    if shared == nil { tasks = requests.compactMap { try? $0.task.get() } }
    guard let request = requests.popFirst() else { return nil }
    taken = now
    start += 1
    return (start - 1, request)
  }

  /// The data that the crops of the task's input share. Only for the thread that has taken the
  /// group.
  func shared(_ task: CropTask, by cropper: BatchCropper) -> BatchCropper.SharedInput {
    if let shared { return shared }
    let new = BatchCropper.SharedInput(Input(task), for: tasks, cropper)
    shared = new
    return new
  }

  /// Releases the group after its crop was made.
  func release(at now: Instant = .now) {
    guard let taken else { return }
    let duration = now - taken
    durations = (durations?.first ?? duration, duration)
    self.taken = nil
  }

  /// Splits off the second half, if another thread can finish it sooner even though it must read
  /// the image again.
  func split() -> BatchGroup? {
    let count = requests.count / 2
    guard count > 0 else { return nil }
    if let (first, last) = durations, last * count < first { return nil }
    let half = BatchGroup(
      start: start + requests.count - count, input: input, requests: requests.suffix(count))
    requests.removeLast(count)
    return half
  }
}
