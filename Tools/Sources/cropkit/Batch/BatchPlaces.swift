import CropImaging
import Glibc

/// What is known of the places that lines read and write.
protocol BatchClaims {
  /// Takes note of where a task reads and writes.
  ///
  /// - Returns: a number for the place that it writes to, if no two tasks at a time may have it; nil if
  ///   it is sure that none has it too.
  /// - Throws: `CropError` if it must not write there.
  mutating func claim(_ task: CropTask) throws(CropError) -> UInt64?
}

/// The places that the lines of a manifest read and write, so that no line writes what another reads
/// or writes.
///
/// A place is remembered as a number of 64 bits: about 30 bytes of memory a line.
struct BatchPlaces: BatchClaims {
  /// How many crops there are.
  private(set) var count = 0
  private var inputs: Set<UInt64> = []
  private var outputs: Set<UInt64> = []

  /// Looks at inputs that the command line names.
  init(inputs: [FileArgument] = []) {
    count = inputs.count
    self.inputs = Set(inputs.flatMap { Place($0.path).keys })
  }

  /// Looks at all inputs of the manifest, before anything is written.
  init(inputsOf manifest: BatchManifest) throws(CropError) {
    var count = 0
    var inputs: Set<UInt64> = []
    var last: PathBytes?
    try manifest.forEachLine { line in
      let (input, crops) = BatchOrder.input(of: line, folder: manifest.folder)
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

  /// Takes note of where a task writes.
  ///
  /// - Throws: `CropError` if that is the output of an earlier one, or an input but not in place.
  @discardableResult
  mutating func claim(_ task: CropTask) throws(CropError) -> UInt64? {
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

  /// Takes note of one more input.
  mutating func note(input: FileArgument) { inputs.formUnion(Place(input.path).keys) }
}

/// The places of an endless list.
///
/// Where nothing is replaced no name has to be remembered: a file that is there, an input above all, is never
/// written over. Where files are replaced, inputs and outputs are remembered as ``BatchPlaces`` does.
struct StreamPlaces: BatchClaims {
  private let isForced: Bool
  private var seen = BatchPlaces()
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

/// Where a path leads.
private struct Place {
  /// The name in its folder, whatever the way there.
  let name: UInt64
  /// The file itself, whatever its name; nil without one.
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
    // By its number, so that every way to the folder is the same.
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
