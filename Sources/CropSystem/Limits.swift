import Glibc

/// What one picture may cost; whatever exceeds it is refused, where possible before any pixel is
/// decoded.
public struct Limits: Sendable, Equatable, Codable {
  /// The most pixels of a picture, stored width × height of its largest frame, and of a result.
  public var pixels: Int
  /// The most bytes of a file.
  public var bytes: Int
  /// The most scans of a progressive JPEG.
  public var scans: Int
  /// The most seconds one picture may take, by the wall clock.
  public var seconds: Int
  /// The most bytes of memory for one picture, above what the program itself needs. The result of a
  /// worker process may take as many again, once it is coded.
  public var memory: Int

  /// The limits a person meets unless they say otherwise: 300 megapixels, 512 MiB a file, 100 scans,
  /// 30 seconds, and ``defaultMemory``.
  public init(
    pixels: Int = 300_000_000, bytes: Int = 512 << 20, scans: Int = 100, seconds: Int = 30,
    memory: Int = Self.defaultMemory
  ) {
    self.pixels = pixels
    self.bytes = bytes
    self.scans = scans
    self.seconds = seconds
    self.memory = memory
  }

  /// The memory for one picture unless somebody says otherwise, in bytes: a quarter of the machine's, at
  /// least 1 GiB and at most 4 GiB. A control group that allows less counts as the machine.
  ///
  /// A HEIC of 200 megapixels takes 1.2 GiB (measured with libheif 1.15), and more to be turned.
  public static let defaultMemory = memory(ofMachine: machineMemory)

  /// The default on a machine of so many bytes.
  package static func memory(ofMachine bytes: Int) -> Int {
    min(max(bytes / 4, 1 << 30), 4 << 30)
  }

  /// The memory of the machine, or of the control group that the process runs in, in bytes.
  private static var machineMemory: Int {
    let (bytes, overflow) = sysconf(Int32(_SC_PHYS_PAGES))
      .multipliedReportingOverflow(by: sysconf(Int32(_SC_PAGESIZE)))
    let group = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
      .compactMap(number).min()
    return max(0, min(overflow ? .max : bytes, group ?? .max))
  }

  /// The number that a file of the kernel holds; nil where it holds none.
  private static func number(inFile path: String) -> Int? {
    guard let file = Descriptor(opening: path, flags: O_RDONLY) else { return nil }
    var text = [UInt8](repeating: 0, count: 32)
    let count = read(file.raw, &text, text.count)
    return Int(String(decoding: text.prefix(max(count, 0)).prefix { $0 > 0x20 }, as: UTF8.self))
  }
}
