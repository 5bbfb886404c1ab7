import CropImaging
import Glibc

/// The places that the lines of a manifest read and write, so that no line writes what another reads
/// or writes.
///
/// A place is remembered as a number of 64 bits: about 30 bytes of memory a line.
struct BatchPlaces {
  /// How many crops there are.
  private(set) var count = 0
  private var inputs: Set<UInt64> = []
  private var outputs: Set<UInt64> = []

  /// Looks at inputs that the command line names.
  init(inputs: [FileArgument]) {
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
  mutating func claim(_ task: CropTask) throws(CropError) {
    let output = task.output
    let place = Place(output.path)
    if place.isSpecial { return }
    guard task.isInPlace || inputs.isDisjoint(with: place.keys) else {
      throw .outputIsInput(path: output.name)
    }
    guard outputs.insert(place.name).inserted else {
      throw .outputUncreatable(path: output.name, detail: "an earlier crop has the same output")
    }
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
