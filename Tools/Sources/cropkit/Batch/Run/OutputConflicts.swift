import CropImaging
import Glibc
import Synchronization

/// Tracks the files that lines read and write.
protocol OutputConflictChecker {
  /// Records the input and output of a task.
  ///
  /// - Returns: an identifier of the output, if no two tasks may write it at the same time; nil if
  ///   that can't happen.
  /// - Throws: `CropError` if the task must not write its output.
  mutating func claim(_ task: CropTask) throws(CropError) -> UInt64?
}

/// The files that the lines of a manifest read and write, so that no line overwrites another's
/// input or output.
///
/// Each file is stored as a 64-bit number: about 30 bytes of memory per line.
struct OutputConflicts: OutputConflictChecker {
  /// The number of crops.
  private(set) var count = 0
  private var inputs: Set<UInt64> = []
  private var outputs: Set<UInt64> = []

  /// Records inputs from the command line.
  init(inputs: [FileArgument] = []) {
    count = inputs.count
    self.inputs = Set(inputs.flatMap { Place($0.path).keys })
  }

  /// Records all inputs of the manifest before anything is written.
  init(inputsOf manifest: BatchManifest) throws(CropError) {
    var count = 0
    var inputs: Set<UInt64> = []
    var last: PathBytes?
    try manifest.forEachLine { line in
      let (input, crops) = BatchRequest.input(of: line, folder: manifest.folder)
      count += crops
      if let input, input.path != last {
        last = input.path
        inputs.formUnion(Place(input.path).keys)
      }
      return true
    }
    self.count = count
    self.inputs = inputs
  }

  /// Records the output of a task.
  ///
  /// - Throws: `CropError` if it is the output of an earlier task, or an input and the crop is not in
  ///   place.
  @discardableResult
  mutating func claim(_ task: CropTask) throws(CropError) -> UInt64? {
    guard task.lateName == nil else { return nil }
    let output = task.output
    let place = Place(output.path)
    if place.isSpecial { return nil }
    guard task.isInPlace || inputs.isDisjoint(with: place.keys) else {
      throw .outputIsInput(path: output.name)
    }
    guard outputs.insert(place.name).inserted else {
      throw .outputUncreatable(path: output.name, detail: "an earlier crop has the same output")
    }
    return nil
  }

  /// Records another input.
  mutating func note(input: FileArgument) { inputs.formUnion(Place(input.path).keys) }
}

/// The outputs of tasks that are named while they run. Thread-safe.
final class LateClaims: Sendable {
  private let places: Mutex<OutputConflicts>

  /// Records inputs from the command line.
  init(inputs: [FileArgument]) { places = Mutex(OutputConflicts(inputs: inputs)) }

  /// Records the output of a task, as ``OutputConflicts/claim(_:)`` does.
  func claim(_ task: CropTask) throws(CropError) {
    _ = try places.withLock { places throws(CropError) in try places.claim(task) }
  }
}

/// The files of an endless list.
///
/// Without overwriting, no name has to be remembered: an existing file, such as an input, is never
/// overwritten. With overwriting, inputs and outputs are remembered as in ``OutputConflicts``.
struct StreamOutputConflicts: OutputConflictChecker {
  private let isForced: Bool
  private var seen = OutputConflicts()
  private var last: PathBytes?

  init(isForced: Bool) { self.isForced = isForced }

  mutating func claim(_ task: CropTask) throws(CropError) -> UInt64? {
    if isForced, task.bytes == nil, task.input.path != last {
      last = task.input.path
      seen.note(input: task.input)
    }
    guard !task.output.isStandardStream else { return nil }
    if isForced { return try seen.claim(task) }
    let place = Place(task.output.path)
    return place.isSpecial ? nil : place.name
  }
}

/// The file at a path.
private struct Place {
  /// Identifies its name and folder, however the path is written.
  let name: UInt64
  /// Identifies the file, whatever its name; nil if it does not exist.
  let file: UInt64?
  /// Whether it is a device or a pipe, which takes any number of outputs.
  let isSpecial: Bool

  var keys: [UInt64] { [name] + (file.map { [$0] } ?? []) }

  init(_ path: PathBytes) {
    var status = stat()
    let exists = stat(path.cString, &status) == 0
    let kind = status.st_mode & S_IFMT
    isSpecial = exists && kind != S_IFREG && kind != S_IFDIR
    file = exists ? Fingerprint().adding("f").adding(status).value : nil
    var end = path
    if exists, let real = realpath(path.cString, nil) {
      end = PathBytes(Array(UnsafeRawBufferPointer(start: real, count: strlen(real))))
      free(real)
    }
    let slash = end.bytes.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { PathBytes(Array(end.bytes[...$0])) } ?? PathBytes(".")
    let last = slash.map { end.bytes[($0 + 1)...] } ?? end.bytes[...]
    var print = Fingerprint()
    // By the folder's inode, so that all paths to it are the same.
    if stat(folder.cString, &status) == 0 {
      print = print.adding("n").adding(status)
    } else {
      print = print.adding("p").adding(folder.bytes)
    }
    name = print.adding(last).value
  }
}

extension PathBytes {
  fileprivate var cString: [CChar] { bytes.map(CChar.init(bitPattern:)) + [0] }
}

/// A 64-bit FNV-1a hash, the same in every run. It detects accidental differences; it does not
/// protect against deliberate collisions.
struct Fingerprint {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Adds `bytes`, and a separator that can't be a byte.
  func adding(_ bytes: some Sequence<UInt8>) -> Self {
    var result = self
    for byte in bytes { result.add(UInt64(byte)) }
    result.add(256)
    return result
  }

  func adding(_ text: String) -> Self { adding(text.utf8) }

  /// Adds the identity of a file.
  func adding(_ status: stat) -> Self {
    adding("\(status.st_dev) \(status.st_ino)")
  }

  private mutating func add(_ number: UInt64) {
    value = (value ^ number) &* 0x100_0000_01b3
  }
}
